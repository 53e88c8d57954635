const usage = `keras-ts install-torch [--force]   builds the native addon of the torch engine for the libtorch that is installed here

Where libtorch is looked for: LIBTORCH (a directory with include/ and lib/), else the torch of the Python that
KERAS_TORCH_PYTHON names, else of VIRTUAL_ENV, python3 and /usr/bin/python3, else the system's.
--force builds again what was built before.`;

/** Runs one command line (without program names) and returns its exit code; what goes wrong is printed. */
export async function runCommand(words: readonly string[]): Promise<number> {
  const [command, ...options] = words;
  if (command === undefined || command === "--help" || command === "help") {
    console.log(usage);
    return 0;
  }
  const unknown = options.find((option) => option !== "--force");
  if (command !== "install-torch" || unknown !== undefined) {
    console.error(`Unknown: ${unknown ?? command}\n\n${usage}`);
    return 2;
  }
  try {
    const { installAndCheck } = await import("./install-torch.js");
    await installAndCheck({ force: options.includes("--force"), write: (line) => console.log(line) });
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}
