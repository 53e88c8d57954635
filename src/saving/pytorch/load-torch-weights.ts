import type { NDArray } from "../../core/ndarray.js";
import { TensorScope } from "../../core/tensor.js";
import type { Variable } from "../../core/variable.js";
import { readTorchFile } from "../../formats/pytorch/state-file.js";
import { looksLikeSafetensors, readSafetensors } from "../../formats/safetensors.js";
import type { Layer } from "../../layers/layer.js";
import { checkOptions } from "../../trainers/check-options.js";
import { type ByteSource, nameOfSource, readSource } from "../../utils/files.js";
import { knownClasses } from "./layouts.js";
import { type Match, match, modulesOf, type Unit, unitsOf } from "./match.js";

export interface LoadTorchWeightsOptions {
  /** What the names of the parameters begin with, such as "state_dict." or "encoder."; parameters of other names are left out. */
  readonly prefix?: string;
  /** The module's name for a layer's name, or for its path of names joined by "."; layers left out go by their own. */
  readonly names?: Readonly<Record<string, string>>;
  /**
   * For a Dense layer behind a Flatten of channels-last images, the shape [channels, ...sizes] that PyTorch flattened: its inputs are
   * put into this side's order.
   */
  readonly flattened?: Readonly<Record<string, readonly number[]>>;
}

/**
 * Arrays of a file that PyTorch's users exchange weights in, by parameter name: what `torch.save(module.state_dict(), path)` wrote, or
 * safetensors. The source is a path (in Node), a URL or bytes. Nothing in the file is executed.
 * @throws FormatError for damaged files and for files that hold something else.
 */
export async function readTorchWeights(source: ByteSource): Promise<Record<string, NDArray>> {
  return Object.fromEntries(await readState(source));
}

async function readState(source: ByteSource): Promise<ReadonlyMap<string, NDArray>> {
  const bytes = await readSource(source);
  const name = nameOfSource(source, "the given bytes");
  if (!looksLikeSafetensors(bytes)) return readTorchFile(bytes, name);
  // Files of safetensors are sorted by dtype and text; modules are counted in the order of their numbers.
  const order = new Intl.Collator("en", { numeric: true });
  return new Map([...readSafetensors(bytes, name)].sort(([a], [b]) => order.compare(a, b)));
}

/**
 * Gives a built layer or model the weights of a PyTorch module of the same architecture (Linear, Conv, ConvTranspose, BatchNorm,
 * LayerNorm, GroupNorm, RMSNorm, Embedding, PReLU, MultiheadAttention), from a `torch.save` state dict or a safetensors file.
 *
 * Kernels are turned into Keras's layout. Layers find their module by name (`names`, else their own name) or, where no name fits, by
 * their place among the layers with weights. All or nothing: when anything does not fit, no weight changes.
 *
 * @example
 * await keras.saving.loadTorchWeights(model, "resnet.pt", { names: { stem: "conv1", head: "fc" } });
 * @throws Error when the layer is not built, or naming what does not fit; FormatError for damaged files.
 */
export async function loadTorchWeights(
  target: Layer,
  source: ByteSource,
  options: LoadTorchWeightsOptions = {},
): Promise<void> {
  checkOptions("loadTorchWeights", options, ["prefix", "names", "flattened"]);
  if (!target.built)
    throw new Error(
      `"${target.name}" is not built yet, so it has no weights to load. Call it on some data, or build(), first.`,
    );
  const { prefix = "", names = {}, flattened = {} } = options;
  const units = unitsOf(target);
  if (units.length === 0)
    throw new Error(
      `"${target.name}" has no layer that PyTorch has too. Expected one of ${knownClasses().join(", ")}.`,
    );
  const modules = modulesOf(await readState(source), prefix);
  const values = match(units, modules, names).flatMap((one) => valuesOf(one, flattened));
  using _tensors = new TensorScope();
  for (const [variable, value] of values) variable.assign(value);
}

/** The values of a unit's variables. Throws where one is missing or has another shape, and for parameters that nothing takes. */
function valuesOf(
  { unit, module, parameters }: Match,
  flattened: NonNullable<LoadTorchWeightsOptions["flattened"]>,
): [Variable, NDArray][] {
  const where = `Layer "${unit.path || unit.layer.name}" from module "${module}"`;
  const taken = new Set<string>();
  const values = [...variablesOf(unit)].map(([key, variable]): [Variable, NDArray] => {
    const source = unit.layout[key];
    const parameter = source && parameters.get(source.parameter);
    if (!parameter)
      throw new Error(
        `${where}: it has no "${source?.parameter ?? key}" for ${key}. It has ${[...parameters.keys()].join(", ")}.`,
      );
    taken.add(source.parameter);
    const shape = flattened[unit.path] ?? flattened[unit.layer.name];
    const value = source.arrange(
      shape && key === "kernel" ? channelsLast(parameter, shape, where) : parameter,
      variable,
    );
    if (value.ndim !== variable.shape.length || value.shape.some((size, i) => size !== variable.shape[i]))
      throw new Error(
        `${where}: "${source.parameter}" has shape [${parameter.shape.join(", ")}], which does not fit ${key} of shape [${variable.shape.join(", ")}].`,
      );
    return [variable, value.contiguous()];
  });
  const left = [...parameters.keys()].filter((name) => !taken.has(name));
  if (left.length > 0) throw new Error(`${where}: it has no weight for ${left.join(", ")}.`);
  return values;
}

/** The variables of a unit and of what is inside it, by the names that layouts give them. */
function variablesOf({ layer }: Unit): Map<string, Variable> {
  const own = layer.ownVariables.map((variable): [string, Variable] => [variable.name, variable]);
  const inner = layer.sublayers.flatMap((child) =>
    child.weights.map((variable): [string, Variable] => [`${child.name}/${variable.name}`, variable]),
  );
  return new Map([...own, ...inner]);
}

/** A linear weight [outputs, channels * ...sizes] with its inputs in the order [...sizes, channels]. */
function channelsLast(weight: NDArray, shape: readonly number[], where: string): NDArray {
  const [outputs, inputs] = weight.shape;
  if (weight.ndim !== 2 || shape.reduce((a, b) => a * b, 1) !== inputs)
    throw new Error(
      `${where}: \`flattened\` is [${shape.join(", ")}], which does not give the inputs of a weight of shape [${weight.shape.join(", ")}].`,
    );
  const split = weight.reshape([outputs!, ...shape]);
  const axes = [0, ...[...shape.keys()].slice(1).map((i) => i + 1), 1];
  return split.transpose(axes).reshape([outputs!, inputs]);
}
