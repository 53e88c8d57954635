import "../../src/backend/index.js";
import "../../src/models/index.js";
import { describe, expect } from "vitest";
import { deserializeKerasObject } from "../../src/config/deserialize.js";
import { serializeKerasObject } from "../../src/config/serialize.js";
import type { DType } from "../../src/core/dtype.js";
import { NDArray } from "../../src/core/ndarray.js";
import { clearSession } from "../../src/core/settings.js";
import { fromHost, type Tensor } from "../../src/core/tensor.js";
import type { Layer } from "../../src/layers/index.js";
import { makeBuiltinsKnown } from "../../src/saving/builtins.js";
import { flatten } from "../../src/tree/index.js";
import { withoutPyFloats } from "../../src/utils/py-float.js";
import { itRequires, runPython } from "../support/require.js";

/** Layers as Python expressions, with what they are called on: `f` makes floats of a shape, `m` a mask, `masked` a tensor with one. */
const cases: readonly (readonly [layer: string, args: string, options?: string])[] = [
  [
    "MultiHeadAttention(2, 3, value_dim=4, output_shape=7, use_gate=True)",
    "[f(2, 4, 6), f(2, 5, 3), f(2, 5, 2)]",
    "dict(return_attention_scores=True)",
  ],
  [
    "MultiHeadAttention(3, 2, sliding_window=2)",
    "[f(2, 5, 6), f(2, 5, 6)]",
    "dict(use_causal_mask=True, return_attention_scores=True)",
  ],
  ["MultiHeadAttention(2, 2)", "[masked(f(2, 4, 6), m(2, 4)), masked(f(2, 5, 6), m(2, 5))]"],
  [
    "MultiHeadAttention(2, 2)",
    "[f(2, 4, 6), masked(f(2, 5, 6), m(2, 5)), masked(f(2, 5, 4), m(2, 5, seed=9))]",
    "dict(use_causal_mask=True)",
  ],
  [
    "MultiHeadAttention(2, 2)",
    "[f(2, 4, 6), f(2, 5, 6)]",
    "dict(attention_mask=m(4, 5), value_mask=m(2, 5), query_mask=m(2, 4))",
  ],
  ["MultiHeadAttention(2, 2, dropout=0.4, seed=7)", "[f(2, 4, 6), f(2, 5, 6)]", "dict(training=True)"],
  [
    "MultiHeadAttention(2, 2, attention_axes=[1, 2])",
    "[f(2, 3, 4, 6), f(2, 2, 3, 6)]",
    "dict(return_attention_scores=True)",
  ],
  [
    "MultiHeadAttention(2, 2, activity_regularizer='l2', kernel_regularizer='l1', bias_constraint='non_neg')",
    "[f(2, 4, 6), f(2, 4, 6)]",
  ],
  [
    "GroupQueryAttention(3, 4, 1, use_gate=True, use_bias=False)",
    "[f(2, 4, 6), f(2, 4, 6), f(2, 4, 3)]",
    "dict(use_causal_mask=True, return_attention_scores=True)",
  ],
  [
    "GroupQueryAttention(2, 4, 4, sliding_window=1)",
    "[masked(f(2, 4, 6), m(2, 4)), masked(f(2, 5, 6), m(2, 5))]",
    "dict(attention_mask=m(2, 4, 5))",
  ],
  [
    "GroupQueryAttention(2, 4, 2, dropout=0.5, seed=3, activity_regularizer='l2')",
    "[f(2, 4, 6), f(2, 4, 6)]",
    "dict(training=True, use_causal_mask=True)",
  ],
  [
    "Attention(use_scale=True, score_mode='concat')",
    "[[f(2, 4, 6), f(2, 5, 3), f(2, 5, 6)]]",
    "dict(return_attention_scores=True)",
  ],
  ["Attention()", "[[masked(f(2, 4, 6), m(2, 4)), masked(f(2, 5, 6), m(2, 5))]]", "dict(use_causal_mask=True)"],
  [
    "Attention(dtype='mixed_float16')",
    "[[f(2, 4, 6), f(2, 5, 6)]]",
    "dict(mask=[None, m(2, 5)], return_attention_scores=True)",
  ],
  ["AdditiveAttention()", "[[f(2, 4, 6), f(2, 5, 6)]]", "dict(mask=[m(2, 4), m(2, 5)])"],
  [
    "LSTM(3, dropout=0.3, recurrent_dropout=0.4, seed=5, return_sequences=True, return_state=True)",
    "[f(2, 4, 5)]",
    "dict(training=True)",
  ],
  [
    "LSTM(3, dropout=0.3, seed=5, unit_forget_bias=False, dtype='mixed_float16')",
    "[f(2, 4, 5)]",
    "dict(training=True)",
  ],
  ["LSTM(3, unroll=True)", "[f(2, 4, 5), [f(2, 3), f(2, 3)]]"],
  ["GRU(3, reset_after=False, recurrent_dropout=0.4, seed=2)", "[f(2, 4, 5)]", "dict(training=True)"],
  ["GRU(3, go_backwards=True, return_state=True, zero_output_for_mask=True)", "[f(2, 4, 5)]", "dict(mask=m(2, 4))"],
  ["GRU(3, use_bias=False, activation='relu', activity_regularizer='l2')", "[f(2, 4, 5)]"],
  ["SimpleRNN(3, go_backwards=True, return_sequences=True, bias_regularizer='l1')", "[f(2, 4, 5)]"],
  [
    "RNN([layers.LSTMCell(3, dropout=0.2, seed=1), layers.GRUCell(4, dropout=0.5, seed=2)], return_state=True)",
    "[f(2, 4, 5)]",
    "dict(training=True)",
  ],
  ["Bidirectional(layers.GRU(3, return_state=True), merge_mode=None)", "[f(2, 4, 5)]"],
  [
    "Bidirectional(layers.LSTM(3, return_sequences=True), merge_mode='mul')",
    "[f(2, 4, 5), [f(2, 3), f(2, 3), f(2, 3), f(2, 3)]]",
  ],
  ["ConvLSTM1D(2, 3, strides=2, padding='same', return_sequences=True)", "[f(2, 3, 5, 2)]"],
  [
    "ConvLSTM2D(2, [2, 3], dropout=0.3, recurrent_dropout=0.3, seed=4, return_state=True)",
    "[f(2, 3, 4, 5, 2)]",
    "dict(training=True)",
  ],
  ["TimeDistributed(keras.Sequential([layers.Dense(3), layers.LayerNormalization()]))", "[f(2, 3, 4)]"],
  ["CategoryEncoding(5, output_mode='count')", "[i(2, 3)]", "dict(count_weights=f(2, 3))"],
  ["Hashing(7, mask_value=3)", "[i(12)]"],
  ["Hashing(7, output_mode='count', dtype='int32')", "[i(4, 3)]"],
  ["HashedCrossing(9, output_mode='one_hot')", "[[i(12, 1), i(12, 1, seed=4), i(12, 1, seed=5)]]"],
];

const code = `
import json, sys
import keras, numpy as np, jax.numpy as jnp
from keras import layers

def rng(seed): return np.random.default_rng(seed)
count = 0
def f(*shape):
    global count
    count += 1
    return keras.ops.convert_to_tensor(rng(count).normal(size=shape).astype("float32"))
def i(*shape, seed=1): return np.asarray(rng(seed).integers(0, 20, shape))
def m(*shape, seed=1):
    mask = rng(seed).random(shape) < 0.6
    mask[..., 0] = True
    return keras.ops.convert_to_tensor(mask)
def masked(x, mask):
    x._keras_mask = mask
    return x
def plain(x):
    if isinstance(x, (list, tuple)): return [plain(v) for v in x]
    if isinstance(x, dict): return {k: plain(v) for k, v in x.items()}
    if x is None or isinstance(x, (bool, int)): return x
    a = np.asarray(x)
    mask = getattr(x, "_keras_mask", None)
    return {"dtype": str(a.dtype), "shape": a.shape, "data": a.astype("float64").ravel().tolist(), "mask": None if mask is None else plain(mask)}

results = []
for source, args, kwargs in json.loads(sys.argv[1]):
    keras.utils.clear_session()
    count = 0
    layer = eval("layers." + source)
    given, options = eval(args), eval(kwargs or "{}")
    case = {"args": plain(given), "options": plain(options)}
    layer(*given, **options)
    for k, w in enumerate(layer.weights): w.assign(rng(k + 100).normal(size=w.shape) if "var" not in w.name else np.ones(w.shape))
    case["config"] = keras.saving.serialize_keras_object(layer)
    case["weights"] = [{"path": w.path, **plain(w)} for w in layer.weights]
    for v in layer.variables:
        if v.name == "seed_generator_state": v.assign([int(np.asarray(v)[0]), 0])
    count = 0
    given, options = eval(args), eval(kwargs or "{}")
    case["outputs"] = plain([keras.tree.flatten(layer(*given, **options))])[0]
    case["losses"] = plain(layer.losses)
    case["after"] = plain(layer.weights)
    results.append(case)
print(json.dumps(results))
`;

interface Values {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: readonly number[];
  readonly mask?: Values | null;
}
interface Recorded {
  readonly args: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly config: Record<string, unknown>;
  readonly weights: readonly (Values & { path: string })[];
  readonly outputs: readonly Values[];
  readonly losses: readonly Values[];
  readonly after: readonly Values[];
}

const hostArray = ({ data, shape, dtype }: Values): NDArray =>
  new NDArray(Float64Array.from(data), shape, "float64").astype(dtype === "int64" ? "int32" : dtype);
function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== "object" || value === null) return value;
  if (!("dtype" in value)) return value;
  const x = fromHost(hostArray(value as Values));
  const { mask } = value as Values;
  if (mask) x.kerasMask = fromHost(hostArray(mask));
  return x;
}
/** A weight's name and that of its layer; the rest of a path depends on who built the layer first. */
const nameOf = ({ path }: { readonly path: string }): string => path.split("/").slice(-2).join("/");
const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

async function close(found: Tensor, wanted: Values, what: string): Promise<void> {
  expect(found.dtype, what).toBe(wanted.dtype);
  expect(found.shape, what).toEqual(wanted.shape);
  const tolerance = wanted.dtype.endsWith("16") ? 3e-2 : 1e-4;
  const values = (await found.data()).numbers();
  wanted.data.forEach((value, i) => {
    const far = Math.abs(values[i]! - value) / Math.max(1, Math.abs(value));
    expect(far, `${what}: element ${i} is ${values[i]}, expected ${value}`).toBeLessThan(tolerance);
  });
  if (wanted.mask) await close(found.kerasMask!, wanted.mask, `${what}: mask`);
}

describe("layers of Python Keras", () => {
  itRequires(
    ["python", "jax", "tensorflow"],
    "compute the same here, with the same weights, masks and losses",
    async () => {
      makeBuiltinsKnown();
      const printed = await runPython(code, {
        args: [JSON.stringify(cases.map(([a, b, c]) => [a, b, c ?? null]))],
        timeout: 400_000,
      });
      const results = JSON.parse(printed.trim().split("\n").at(-1)!) as Recorded[];
      for (const [n, recorded] of results.entries()) {
        const what = cases[n]!.join(" ");
        clearSession();
        const layer = deserializeKerasObject(recorded.config) as Layer & ((...args: unknown[]) => unknown);
        const saved = withoutPyFloats(serializeKerasObject(layer)) as Record<string, unknown>;
        expect(saved["config"], what).toMatchObject(recorded.config["config"] as object);
        const options = Object.fromEntries(Object.entries(recorded.options).map(([k, v]) => [camel(k), decoded(v)]));
        const call = (): unknown => layer(...recorded.args.map(decoded), options);
        if (!layer.built) call();
        expect(layer.weights.map(nameOf), what).toEqual(recorded.weights.map(nameOf));
        layer.setWeights(recorded.weights.map(hostArray));
        const outputs = flatten<Tensor>(call() as Tensor);
        expect(outputs.length, what).toBe(recorded.outputs.length);
        for (const [i, wanted] of recorded.outputs.entries()) await close(outputs[i]!, wanted, what);
        const { losses } = layer;
        expect(losses.length, what).toBe(recorded.losses.length);
        for (const [i, wanted] of recorded.losses.entries()) await close(losses[i]!, wanted, `${what}: loss`);
        for (const [i, wanted] of recorded.after.entries())
          await close(layer.weights[i]!.value, wanted, `${what}: weight`);
      }
    },
    450_000,
  );
});
