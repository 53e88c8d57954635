import { KerasTensor } from "../../src/core/keras-tensor.js";
import { NDArray } from "../../src/core/ndarray.js";
import { vectorJacobianProduct } from "../../src/core/gradient.js";
import { setEpsilon, setFloatx, setImageDataFormat } from "../../src/core/settings.js";
import { fromHost, Tensor, TensorScope, tensor } from "../../src/core/tensor.js";
import { flatten, packSequenceAs } from "../../src/tree/index.js";
import { deserializeKerasObject } from "../../src/config/deserialize.js";
import type { Arrays, GoldenCase } from "./cases.js";
import { compare, compareArrays, Mismatch } from "./compare.js";
import { decode, decodeArray } from "./decode.js";
import { bindArguments } from "./python-call.js";
import { findTarget } from "./targets.js";

type Call = (args: readonly unknown[], kwargs: Readonly<Record<string, unknown>>) => unknown;

/** Runs a case under the settings it was recorded with. */
async function withSettings(settings: GoldenCase["settings"], fn: () => Promise<void>): Promise<void> {
  if (!settings) return fn();
  try {
    if (settings["floatx"]) setFloatx(settings["floatx"] as string);
    if (settings["epsilon"]) setEpsilon(settings["epsilon"] as number);
    if (settings["image_data_format"]) setImageDataFormat(settings["image_data_format"] as "channels_first");
    await fn();
  } finally {
    setFloatx("float32");
    setEpsilon(1e-7);
    setImageDataFormat("channels_last");
  }
}

/** The call a case stands for: a public function, or an object made from its saved config. */
function callOf(golden: GoldenCase): Call {
  const { target, kind } = golden;
  const of = (golden["of"] as string | undefined) ?? kind;
  if (["initializer", "regularizer", "constraint", "quantizer"].includes(of)) {
    const config = golden["config"] as { config: Record<string, unknown> };
    const seeded = "seed" in golden ? { ...config, config: { ...config.config, seed: golden["seed"] } } : config;
    const object = deserializeKerasObject(seeded as never) as (...args: unknown[]) => unknown;
    return (args, kwargs) => (of === "initializer" ? object(args[0] ?? kwargs["shape"], dtypeOption(args, kwargs)) : object(...args));
  }
  const fn = findTarget(target);
  if (!fn) throw new Mismatch(`${target} does not exist`);
  return (args, kwargs) => fn(...bindArguments(target, args, kwargs));
}
const dtypeOption = (args: readonly unknown[], kwargs: Readonly<Record<string, unknown>>): object => {
  const dtype = args[1] ?? kwargs["dtype"];
  return dtype ? { dtype } : {};
};

/** d sum(out · cotangent): the fixed weights the recorder used. */
const cotangent = (y: Tensor): Tensor => tensor(new NDArray(Float32Array.from({ length: y.size }, (_, i) => 1 + ((i * 7919) % 13) / 13), y.shape, "float32"));

async function checkGradients(golden: GoldenCase, call: Call, args: readonly unknown[], kwargs: Record<string, unknown>, arrays: Arrays): Promise<void> {
  const structure = [args, kwargs];
  const flat = flatten(structure);
  const leaves = golden.grads!.map(({ leaf }) => leaf);
  const wrt = leaves.map((leaf) => {
    const x = flat[leaf];
    if (x instanceof NDArray) return fromHost(x);
    if (x instanceof Tensor) return x;
    throw new Mismatch(`grads: leaf ${leaf} is no array`);
  });
  leaves.forEach((leaf, i) => (flat[leaf] = wrt[i]));
  const [a, k] = packSequenceAs(structure, flat) as [unknown[], Record<string, unknown>];
  const outputs = (): Tensor[] => flatten(call(a, k)).filter((y): y is Tensor => y instanceof Tensor && y.dtype === "float32");
  const { gradients } = vectorJacobianProduct(outputs, wrt, (ys) => ys.map(cotangent));
  for (let i = 0; i < wrt.length; i++) {
    const expected = await decodeArray(golden.grads![i]!.value as Record<string, unknown>, arrays);
    const actual = gradients[i] ? await gradients[i]!.data() : NDArray.zeros(wrt[i]!.shape, wrt[i]!.dtype);
    compareArrays(actual, expected, `gradient of leaf ${leaves[i]}`);
  }
}

/** Replays one recorded call; throws when it differs. */
export async function replay(golden: GoldenCase, arrays: Arrays): Promise<void> {
  await withSettings(golden.settings, async () => {
    using _ = new TensorScope();
    const args = (await decode(golden.args, arrays)) as unknown[];
    const kwargs = Object.fromEntries(await Promise.all(Object.entries(golden.kwargs ?? {}).map(async ([k, v]) => [k, await decode(v, arrays)] as const)));
    if ("raises" in golden) return expectRaise(golden, args, kwargs);
    const call = callOf(golden);
    const result = await call(args, kwargs);
    await compare(result, golden.out, arrays, "out", { valuesToo: !golden.random });
    if (golden.grads) await checkGradients(golden, call, args, kwargs, arrays);
  });
}

async function expectRaise(golden: GoldenCase, args: unknown[], kwargs: Record<string, unknown>): Promise<void> {
  const call = callOf(golden);
  let result: unknown;
  try {
    result = await call(args, kwargs);
  } catch (error) {
    if (error instanceof TypeError && /is not a function|undefined \(reading|not iterable/.test(error.message)) throw new Mismatch(`failed by accident: ${error.message}`);
    return;
  }
  const { type, message } = golden["raises"] as { type: string; message: string };
  throw new Mismatch(`returned ${result instanceof KerasTensor ? "a symbolic tensor" : typeof result}, expected ${type}: ${message.slice(0, 100)}`);
}
