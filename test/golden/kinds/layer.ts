import { deserializeKerasObject } from "../../../src/config/deserialize.js";
import { KerasTensor } from "../../../src/core/keras-tensor.js";
import { NDArray } from "../../../src/core/ndarray.js";
import { fromHost, Tensor } from "../../../src/core/tensor.js";
import type { Variable } from "../../../src/core/variable.js";
import type { Layer } from "../../../src/layers/layer.js";
import { snakeToCamel } from "../../../src/utils/naming.js";
import type { Arrays, GoldenCase } from "../cases.js";
import { compare, compareArrays, Mismatch } from "../compare.js";
import { asOperand, decode, decodeArray, plain } from "../decode.js";
import { checkGradients } from "../gradients.js";
import { type DecodedCall, decodeCall, type Kind } from "./kind.js";

type Tagged = Record<string, unknown>;
type CallableLayer = Layer & ((...args: unknown[]) => unknown);

/** Python's arguments as the library takes them: tensors by position, all else as options. */
function bindCall(
  layer: CallableLayer,
  { args, kwargs }: DecodedCall,
): { given: unknown[]; options: Record<string, unknown> } {
  const { callArguments, callOptions } = layer.constructor as typeof Layer;
  const more = [...(callOptions ?? []).filter((name) => name !== "training"), "mask", "training"];
  const given: unknown[] = args.slice(0, callArguments.length).map((arg) => operands(asOperand(arg)));
  const options: Record<string, unknown> = {};
  args.slice(callArguments.length).forEach((arg, i) => (options[more[i]!] = operands(plain(arg))));
  for (const [name, value] of Object.entries(kwargs)) {
    const place = callArguments.indexOf(snakeToCamel(name));
    if (place >= 0) given[place] = operands(asOperand(value));
    else options[snakeToCamel(name)] = operands(plain(value));
  }
  return { given, options };
}
function callLayer(layer: CallableLayer, call: DecodedCall): unknown {
  const { given, options } = bindCall(layer, call);
  return layer(...given, ...(Object.keys(options).length > 0 ? [options] : []));
}
/** What the recorder differentiated: `call` itself, without the casts and masks that calling a layer adds. */
function statelessCall(layer: CallableLayer, call: DecodedCall): unknown {
  const { given, options } = bindCall(layer, call);
  const several = (layer.constructor as typeof Layer).callArguments.length > 1;
  const [trainable, others] = [layer.trainableVariables, layer.nonTrainableVariables].map((list) =>
    list.map((v) => v.stored),
  );
  return layer.statelessCall(trainable!, others!, several ? given : given[0], options)[0];
}
/** Host arrays as tensors, since masks lie on tensors. */
function operands(value: unknown): unknown {
  if (value instanceof NDArray) return fromHost(value);
  if (Array.isArray(value)) return value.map(operands);
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, operands(v)]));
  return value;
}

/** Puts recorded masks on the arguments, which have the same nesting. */
function setMasks(masks: unknown, values: unknown): void {
  if (masks === null || masks === undefined) return;
  if (values instanceof Tensor) values.kerasMask = masks instanceof NDArray ? fromHost(masks) : (masks as Tensor);
  else if (Array.isArray(values)) values.forEach((value, i) => setMasks((masks as unknown[])[i], value));
  else if (typeof values === "object" && values !== null)
    for (const [key, value] of Object.entries(values)) setMasks((masks as Tagged)[key], value);
}
function masksOf(value: unknown): unknown {
  if (value instanceof Tensor) return value.kerasMask;
  if (Array.isArray(value)) return value.map(masksOf);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, masksOf(v)]));
  return null;
}

const layerOf = (golden: GoldenCase): CallableLayer =>
  deserializeKerasObject(golden["config"] as never, { safeMode: false }) as CallableLayer;

async function inputsOf(golden: GoldenCase, arrays: Arrays): Promise<DecodedCall> {
  const { args, kwargs } = await decodeCall(golden, arrays);
  const given = { args: args.map(operands), kwargs: operands(kwargs) as Record<string, unknown> };
  if ("input_masks" in golden) setMasks(await decode(golden["input_masks"], arrays), [given.args, given.kwargs]);
  return given;
}

/** Weights first, then what else is state: the order of the recorder. */
export const variablesOf = (layer: Layer): Variable[] => [...new Set([...layer.weights, ...layer.variables])];

/** Gives the layer its recorded state; an unbuilt one is called once for that. */
async function restore(
  layer: CallableLayer,
  golden: GoldenCase,
  arrays: Arrays,
  given: DecodedCall,
): Promise<Variable[]> {
  const state = golden["state"] as Tagged[];
  if (state.length > 0 && !layer.built) callLayer(layer, given);
  const variables = variablesOf(layer);
  if (variables.length !== state.length)
    throw new Mismatch(
      `${variables.length} variables (${variables.map((v) => v.path).join(", ")}), expected ${state.map(({ path }) => path).join(", ")}`,
    );
  for (const [i, variable] of variables.entries()) {
    if (variable.name !== state[i]!["name"])
      throw new Mismatch(`variable ${i} is ${variable.path}, expected ${state[i]!["path"]}`);
    variable.assign(await decodeArray(state[i]!, arrays));
  }
  return variables;
}

async function replay(golden: GoldenCase, arrays: Arrays): Promise<void> {
  const layer = layerOf(golden);
  const given = await inputsOf(golden, arrays);
  const variables = await restore(layer, golden, arrays, given);
  // Random layers draw as JAX does, so that values count unless the seed is not part of the state.
  const valuesToo = !golden.random || variables.some(({ name }) => name === "seed_generator_state");
  const out = callLayer(layer, given);
  await compare(out, golden.out, arrays, "out", { valuesToo });
  if ("output_masks" in golden) await compare(masksOf(out), golden["output_masks"], arrays, "mask");
  const losses = golden["losses"] as unknown[] | undefined;
  if (losses) await compare(layer.losses, losses, arrays, "losses");
  for (const [i, value] of Object.entries((golden["after"] as Record<string, Tagged> | undefined) ?? {})) {
    const variable = variables[Number(i)]!;
    compareArrays(await variable.numpy(), await decodeArray(value, arrays), `${variable.path} afterwards`);
  }
  const grads = golden.grads as unknown as
    { trainable: unknown[]; leaves: { leaf: number; value: unknown }[] } | undefined;
  if (!grads) return;
  const trainable = layer.trainableVariables;
  if (trainable.length !== grads.trainable.length)
    throw new Mismatch(`${trainable.length} trainable variables, expected ${grads.trainable.length}`);
  const weights = trainable.map((variable) => variable.stored);
  await checkGradients(given, (x) => statelessCall(layer, x), grads.leaves, arrays, weights, grads.trainable);
}

/** Calls of layers and models on values, with their state, masks, losses and gradients. */
export const layer: Kind = {
  replay,
  async prepare(golden, arrays) {
    const made = layerOf(golden);
    const given = await inputsOf(golden, arrays);
    return () => callLayer(made, given);
  },
};
/** Calls of layers and models on symbolic tensors. */
export const layerSpec: Kind = {
  async replay(golden, arrays) {
    const out = callLayer(layerOf(golden), await decodeCall(golden, arrays));
    if (out instanceof Tensor && !(out instanceof KerasTensor))
      throw new Mismatch("returned values, expected a symbolic tensor");
    await compare(out, golden.out, arrays);
  },
};
