import fs from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { openPage } from "../support/chromium.js";

/** A site for one page: which folder lies under which path ("/" and "/goldens/", say), and what the page is. */
export interface Site {
  readonly folders: Readonly<Record<string, string>>;
  /** Runs before any module is loaded. */
  readonly globals?: Readonly<Record<string, unknown>>;
  /** Bare names in modules that no bundler has seen, by the paths they stand for. */
  readonly imports?: Readonly<Record<string, string>>;
  /** The path of the module to run; it reports with `report.ts`. */
  readonly module: string;
  /** Milliseconds until the page has to have reported. */
  readonly timeout?: number;
  /** Told every file that the page loads. */
  readonly onFile?: (pathname: string, content: Uint8Array) => void;
}

type Report = { readonly result: unknown } | { readonly error: string } | { readonly progress: string };

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** Shows a page in Chromium, served from a loopback address, and returns what it reports. Throws what the page threw. */
export async function runPage<T>(site: Site): Promise<T> {
  const { timeout = 60_000 } = site;
  let progress = "";
  let resolve!: (report: Report) => void;
  const reported = new Promise<Report>((done) => (resolve = done));
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    if (request.method !== "POST") return void answer(site, pathname, response);
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      response.end();
      const report = JSON.parse(body) as Report;
      if ("progress" in report) progress = report.progress;
      else resolve(report);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const page = openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<Report>((done) => {
      timer = setTimeout(
        () => done({ error: `The page took longer than ${timeout} ms. Last it did: ${progress}` }),
        timeout,
      );
    });
    const crashed = page.ended.then((errors) => ({ error: `The browser ended (${progress}):\n${errors}` }));
    const report = await Promise.race([reported, late, crashed]);
    if ("result" in report) return report.result as T;
    throw new Error("error" in report ? report.error : "The page reported nothing.");
  } finally {
    clearTimeout(timer);
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}

async function answer(site: Site, pathname: string, response: http.ServerResponse): Promise<void> {
  // Isolated pages may use threads and measure their memory.
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
  const body = pathname === "/" ? document(site) : await read(site.folders, decodeURIComponent(pathname));
  if (body === null) {
    response.statusCode = 404;
    return void response.end();
  }
  const type = pathname === "/" ? "text/html" : types[path.posix.extname(pathname)];
  response.setHeader("Content-Type", type ?? "application/octet-stream");
  if (pathname !== "/") site.onFile?.(pathname, Buffer.from(body));
  response.end(body);
}

/** A file below one of the folders, unpacked where only `<file>.gz` is there; for a folder, the names in it; null for nothing. */
async function read(folders: Site["folders"], pathname: string): Promise<string | Uint8Array | null> {
  const [mount] = Object.keys(folders)
    .filter((prefix) => `${pathname}/`.startsWith(prefix))
    .sort((a, b) => b.length - a.length);
  if (mount === undefined) return null;
  const folder = folders[mount]!;
  const file = path.join(folder, pathname.slice(mount.length));
  if (path.relative(folder, file).startsWith("..")) return null;
  try {
    if ((await fs.stat(file)).isDirectory()) return JSON.stringify(await fs.readdir(file));
    return await fs.readFile(file);
  } catch {
    const packed = await fs.readFile(`${file}.gz`).catch(() => null);
    return packed && gunzipSync(packed);
  }
}

function document({ globals = {}, imports = {}, module }: Site): string {
  const assignments = Object.entries(globals).map(([name, value]) => `globalThis.${name} = ${JSON.stringify(value)};`);
  // What breaks before the module runs is reported too.
  const watch = `
    const failed = (error) => fetch("/report", { method: "POST", body: JSON.stringify({ error: String(error?.stack ?? error) }) });
    addEventListener("error", (event) => failed(event.error ?? event.message));
    addEventListener("unhandledrejection", (event) => failed(event.reason));`;
  return `<!doctype html>
<meta charset="utf-8">
<script>${watch}
${assignments.join("\n")}</script>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">import(${JSON.stringify(module)}).catch(failed);</script>`;
}
