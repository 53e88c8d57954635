import { TensorScope } from "../core/tensor.js";
import { FormatError } from "../formats/format-error.js";
import { Optimizer } from "../optimizers/optimizer.js";
import { warn } from "../utils/print-warning.js";
import { childrenOf, hasAssets, type Saveable } from "./saveable.js";
import type { WeightReader } from "./weight-reader.js";
import { join } from "./write-state.js";

/** How to load a state. */
export interface ReadStateOptions {
  readonly weights: WeightReader;
  /** Files beside the weights, by path; null when the source cannot have any. */
  readonly assets: ReadonlyMap<string, Uint8Array> | null;
  /** Name of the source, for messages. */
  readonly source: string;
  /** Whether to warn of objects that do not fit, rather than throw. */
  readonly skipMismatch?: boolean;
  /** Objects to leave as they are, with all below them. */
  readonly skip?: Iterable<object>;
}

interface Failure {
  readonly path: string;
  readonly object: Saveable;
  readonly error: Error;
}

/**
 * Gives `root` and all below it the state that `writeState` wrote.
 * @throws Error naming all objects whose number of variables or whose shapes differ from the file's.
 */
export async function readState(root: Saveable, options: ReadStateOptions): Promise<void> {
  const run = new StateReader(options);
  await run.visit(root, "", run.failures);
  run.report();
}

/** One walk over an object and all below it. An object that fails at one path may still be found at a later one. */
class StateReader {
  readonly failures = new Map<Saveable, Failure>();
  readonly #options: ReadStateOptions;
  readonly #visited: Set<object>;
  /** Objects being visited: those that contain themselves must not be entered again. */
  readonly #open = new Set<Saveable>();

  constructor(options: ReadStateOptions) {
    this.#options = options;
    this.#visited = new Set(options.skip);
  }

  async visit(object: Saveable, path: string, failures: Map<Saveable, Failure>): Promise<void> {
    if (this.#visited.has(object) || this.#open.has(object)) return;
    this.#open.add(object);
    const error = await this.#load(object, path);
    if (!error) failures.delete(object);
    else if (!failures.has(object)) failures.set(object, { path, object, error });
    const failedBefore = failures.size;
    for (const child of childrenOf(object)) {
      const at = join(path, child.path);
      const isOld = child.nested !== null && !this.#options.weights.has(join(path, child.nested));
      if (isOld) await this.#visitUnsaved(child.object, at);
      else await this.visit(child.object, at, failures);
    }
    this.#open.delete(object);
    if (!error && failures.size <= failedBefore) this.#visited.add(object);
  }

  /** Files of older versions do not hold what is in containers of containers: it keeps the weights it has. */
  async #visitUnsaved(object: Saveable, path: string): Promise<void> {
    const failures = new Map<Saveable, Failure>();
    await this.visit(object, path, failures);
    if (failures.size === 0) return;
    warn(
      `"${this.#options.source}" has nothing for the nested container of "${path}": it was saved by a version of Keras that did not ` +
        "save what is inside nested containers. The layers there keep their initial weights.",
    );
  }

  async #load(object: Saveable, path: string): Promise<Error | null> {
    const { weights, assets, source } = this.#options;
    const arrays = await weights.read(path);
    try {
      using _tensors = new TensorScope();
      if (!(object instanceof Optimizer)) object.loadOwnVariables(arrays);
      else if (!object.loadOwnVariables([...arrays.keys()].sort(numerically).map((index) => arrays.get(index)!)))
        warn(
          `The optimizer "${object.name}" has ${object.variables.length} variables, but "${source}" holds ${arrays.size} for it: ` +
            "its state was not loaded and training starts with a fresh one.",
        );
    } catch (error) {
      return asError(error);
    }
    if (assets === null || !hasAssets(object)) return null;
    try {
      await object.loadAssets(below(assets, path));
    } catch (error) {
      return asError(error);
    }
    return null;
  }

  report(): void {
    if (this.failures.size === 0) return;
    const { source, skipMismatch = false } = this.#options;
    const shown = [...this.failures.values()].slice(0, 10).map(({ path, object, error }) => {
      const { className } = object.constructor as { className?: string };
      return `  ${path || "/"} (${className} "${object.name}"): ${error.message}`;
    });
    const more = this.failures.size > shown.length ? `\n  and ${this.failures.size - shown.length} more` : "";
    const count = this.failures.size === 1 ? "One object" : `${this.failures.size} objects`;
    const message = `${count} could not be loaded from "${source}":\n${shown.join("\n")}${more}`;
    if (skipMismatch) warn(message);
    else throw new Error(message, { cause: [...this.failures.values()][0]!.error });
  }
}

const numerically = (a: string, b: string): number => Number(a) - Number(b);

/** A damaged file is no matter of one object. */
function asError(error: unknown): Error {
  if (error instanceof FormatError) throw error;
  return error instanceof Error ? error : new Error(String(error));
}

/** The files right below a path. */
function below(assets: ReadonlyMap<string, Uint8Array>, path: string): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const prefix = path === "" ? "" : `${path}/`;
  for (const [name, bytes] of assets)
    if (name.startsWith(prefix) && !name.slice(prefix.length).includes("/"))
      files.set(name.slice(prefix.length), bytes);
  return files;
}
