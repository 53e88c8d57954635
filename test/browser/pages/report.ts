const post = (body: object): Promise<Response> => fetch("/report", { method: "POST", body: JSON.stringify(body) });

/** Runs the page's work and sends its result, or why it failed, to `runPage`. What it says about its progress is sent now and then. */
export async function report(work: (progress: (text: string) => void) => Promise<unknown>): Promise<void> {
  let last = 0;
  const progress = (text: string): void => {
    if (performance.now() - last < 200) return;
    last = performance.now();
    void post({ progress: text });
  };
  try {
    await post({ result: await work(progress) });
  } catch (error) {
    await post({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}
