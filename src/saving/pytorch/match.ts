import type { NDArray } from "../../core/ndarray.js";
import type { Layer } from "../../layers/layer.js";
import { type Layout, layoutOf } from "./layouts.js";

/** A layer that takes the parameters of one module of PyTorch. */
export interface Unit {
  readonly layer: Layer;
  readonly layout: Layout;
  /** Names from the target down to the layer, joined by "."; empty for the target itself. */
  readonly path: string;
}
/** Parameters and buffers of a module, by their names within it. */
export type Parameters = ReadonlyMap<string, NDArray>;
export interface Match {
  readonly unit: Unit;
  readonly module: string;
  readonly parameters: Parameters;
}

/** Buffers that PyTorch counts with and layers do not have. */
const ignored = new Set(["num_batches_tracked"]);

/** The layers with weights in and below `root`, in the order of definition. Throws for one that PyTorch has no counterpart of. */
export function unitsOf(root: Layer): Unit[] {
  const units: Unit[] = [];
  const visit = (layer: Layer, path: string): void => {
    const layout = layoutOf(layer);
    if (layout) {
      if (layer.weights.length > 0) units.push({ layer, layout, path });
      return;
    }
    if (layer.ownVariables.length > 0) throw new Error(unknownLayer(layer));
    for (const child of layer.sublayers) visit(child, path === "" ? child.name : `${path}.${child.name}`);
  };
  visit(root, "");
  return units;
}
const unknownLayer = (layer: Layer): string =>
  `The layer "${layer.name}" (${layer.constructor.name}) has weights of its own, and how PyTorch would keep them is not known. ` +
  "Read them with `readTorchWeights` and set them with `layer.setWeights`.";

/** Groups parameters by module; `prefix` is what their names must begin with, and is cut off. */
export function modulesOf(state: ReadonlyMap<string, NDArray>, prefix: string): Map<string, Map<string, NDArray>> {
  const modules = new Map<string, Map<string, NDArray>>();
  for (const [name, value] of state) {
    if (!name.startsWith(prefix)) continue;
    const own = name.slice(prefix.length);
    // The output projection of attention belongs to the attention.
    const tail = /(?:^|\.)(out_proj\.)?[^.]+$/.exec(own)!;
    const parameter = own.slice(tail.index).replace(/^\./, "");
    if (ignored.has(parameter)) continue;
    const inside = modules.get(own.slice(0, tail.index));
    if (inside) inside.set(parameter, value);
    else modules.set(own.slice(0, tail.index), new Map([[parameter, value]]));
  }
  return modules;
}

/**
 * Finds the module of every unit: the one that `names` gives (by the unit's path or its layer's name), else the one of the same path,
 * else, when no unit has one of its path, the one at the same place in the order.
 * @throws Error listing both sides when they do not fit.
 */
export function match(
  units: readonly Unit[],
  modules: ReadonlyMap<string, Parameters>,
  names: Readonly<Record<string, string>>,
): Match[] {
  const chosen = units.map((unit) => names[unit.path] ?? names[unit.layer.name] ?? unit.path);
  const missing = chosen.filter((module) => !modules.has(module));
  const found =
    missing.length === 0
      ? chosen
      : missing.length === units.length && units.length === modules.size
        ? [...modules.keys()]
        : null;
  if (!found || new Set(found).size !== modules.size) throw new Error(mismatch(units, modules, missing));
  return units.map((unit, i) => ({ unit, module: found[i]!, parameters: modules.get(found[i]!)! }));
}

function mismatch(
  units: readonly Unit[],
  modules: ReadonlyMap<string, Parameters>,
  missing: readonly string[],
): string {
  const list = (all: readonly string[]): string =>
    all.slice(0, 20).join(", ") + (all.length > 20 ? `, and ${all.length - 20} more` : "");
  const what = missing.length > 0 ? `Modules not found: ${list(missing)}. ` : "";
  return (
    `The modules of PyTorch's state do not fit the layers. ${what}Layers with weights (${units.length}): ` +
    `${list(units.map(({ path, layer }) => path || layer.name))}. Modules (${modules.size}): ${list([...modules.keys()].map((name) => name || "(top)"))}. ` +
    "Name the module of each layer in `names`, or cut the state with `prefix`."
  );
}
