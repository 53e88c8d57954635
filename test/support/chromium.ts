import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** The browser that CHROMIUM names, else the first Chromium or Chrome in PATH; null when there is none. */
export function findChromium(): string | null {
  const named = process.env["CHROMIUM"];
  if (named) return fs.existsSync(named) ? path.resolve(named) : null;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return candidates.find((file) => fs.existsSync(file)) ?? null;
}

/** WebGPU and WebGL computed by the processor, which every machine has: slow, and the same everywhere. */
const flags = [
  "--headless=new",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-default-browser-check",
  "--no-first-run",
  "--enable-unsafe-swiftshader",
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  // Reading from WebGPU at once goes through a canvas, which only a browser that draws with Vulkan as well fills.
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  "--use-angle=swiftshader",
  // Memory is measured at once, not at the next collection.
  "--enable-blink-features=ForceEagerMeasureMemory",
];

/** A browser that shows one page. */
export interface OpenPage {
  /** Fulfilled when the browser ends by itself, with what it wrote to its error output. */
  readonly ended: Promise<string>;
  /** Ends the browser and removes its profile. */
  close(): Promise<void>;
}

/** Opens a page in a headless browser with a profile of its own. Guard the test with `itRequires("chromium")`. */
export function openPage(url: string): OpenPage {
  const command = findChromium();
  if (command === null) throw new Error("No Chromium was found. Guard the test with itRequires.");
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "keras-ts-browser-"));
  // As root, as which containers run, it refuses to start in its sandbox.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const child = spawn(command, [...flags, ...sandbox, `--user-data-dir=${profile}`, url], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors = (errors + text).slice(-4000)));
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(String(error)));
    child.on("close", () => resolve(errors));
  });
  return {
    ended,
    async close() {
      await end(child, ended);
      fs.rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function end(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(timer);
}
