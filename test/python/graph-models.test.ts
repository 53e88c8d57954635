import "../../src/backend/index.js";
import "../../src/layers/index.js";
import "../../src/models/index.js";
import "../../src/ops/index.js";
import { describe, expect } from "vitest";
import { tensor, type Tensor } from "../../src/core/tensor.js";
import { clearSession } from "../../src/core/settings.js";
import type { DType } from "../../src/core/dtype.js";
import { parsePythonJson, stringifyPythonJson } from "../../src/formats/python-json.js";
import { deserializeKerasObject } from "../../src/config/deserialize.js";
import { serializeKerasObject } from "../../src/config/serialize.js";
import type { Model } from "../../src/models/index.js";
import { flatten } from "../../src/tree/index.js";
import { itRequires, runPython } from "../support/require.js";

/** Graphs as Python expressions over inputs `x` and `y`. */
const graphs = [
  "ops.add(x, 1.0)",
  "x / 2",
  "2 - x",
  "1.0 / (x + 1.0)",
  "x ** 2",
  "-x",
  "ops.concatenate([x, y], axis=-1)",
  "ops.stack([x, y], axis=1)",
  "ops.reshape(x, (-1, 2))",
  "ops.sum(x, axis=1, keepdims=True)",
  "ops.mean(x, axis=-1)",
  "ops.softmax(x, axis=-1)",
  "ops.where(x > 2, x, 0.0)",
  "ops.cast(x, 'int32')",
  "ops.squeeze(ops.expand_dims(x, 1), 1)",
  "ops.clip(x, 1, 5)",
  "ops.argmax(x, axis=1)",
  "ops.maximum(x, y * 0.5)",
  "ops.add(x, np.ones((4,), 'float32'))",
  "(x > 2) & (x < 6)",
  "layers.Dense(3, kernel_initializer='ones')(layers.Identity()(x))",
  "{'b': x * 2, 'a': y + 1}",
  "[x, [y * 2]]",
];

const code = `
import json, sys
import keras, numpy as np
from keras import layers, ops
cases = []
for source in json.loads(sys.argv[1]):
    keras.utils.clear_session()
    x, y = keras.Input((4,)), keras.Input((4,))
    model = keras.Model([x, y], eval(source))
    values = [np.arange(8, dtype="float32").reshape(2, 4), np.arange(8, 16, dtype="float32").reshape(2, 4)]
    outputs = [np.asarray(o) for o in keras.tree.flatten(model(values))]
    config = keras.saving.serialize_keras_object(model)
    del config["compile_config"]
    cases.append({"config": config, "inputs": [v.tolist() for v in values],
        "outputs": [{"dtype": str(o.dtype), "values": o.astype("float64").ravel().tolist()} for o in outputs]})
print(json.dumps(cases))
`;

interface Case {
  readonly config: object;
  readonly inputs: number[][][];
  readonly outputs: readonly { dtype: DType; values: number[] }[];
}

describe("graphs made by Python Keras", () => {
  itRequires(["python", "jax"], "compute the same and are saved the same", async () => {
    const cases = parsePythonJson(await runPython(code, { args: [JSON.stringify(graphs)] }), {
      floats: "wrap",
    }) as Case[];
    for (const [i, { config, inputs, outputs }] of cases.entries()) {
      clearSession();
      const model = deserializeKerasObject(config) as Model;
      const { compile_config: _, ...saved } = serializeKerasObject(model) as Record<string, never>;
      expect(stringifyPythonJson(saved), graphs[i]).toBe(stringifyPythonJson(config as never));
      const plain = JSON.parse(JSON.stringify(inputs)) as number[][][];
      const results = flatten<Tensor>(model<Tensor[]>(plain.map((value) => tensor(value, "float32"))));
      for (const [k, result] of results.entries()) {
        const { dtype, values } = outputs[k]!;
        expect(result.dtype, graphs[i]).toBe(dtype);
        const found = (await result.data()).numbers();
        values.forEach((value, n) => expect(Number(found[n]), graphs[i]).toBeCloseTo(Number(value), 4));
      }
    }
  });
});
