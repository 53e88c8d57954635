import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect } from "vitest";
import * as keras from "../../src/index.js";
import { openHdf5, type H5Group } from "../../src/formats/hdf5/index.js";
import { NDArray } from "../../src/core/ndarray.js";
import type { Model } from "../../src/models/index.js";
import type { Tensor } from "../../src/core/tensor.js";
import { itRequires, runPython } from "../support/require.js";

const { layers, Input, Sequential, ops } = keras;

/** Inputs and targets of a case, the same on both sides. */
interface Data {
  readonly x: NDArray;
  readonly y: NDArray;
}
interface Case {
  readonly make: () => Model;
  /** The same model in Python, as an expression. */
  readonly python: string;
  readonly data: Data;
}

/** Numbers in [-1, 1) that look random and are the same everywhere. */
function numbers(shape: readonly number[], seed: number): NDArray {
  let state = seed;
  const next = (): number => (state = (state * 1664525 + 1013904223) % 2 ** 32) / 2 ** 31 - 1;
  const size = shape.reduce((a, b) => a * b, 1);
  return new NDArray(Float32Array.from({ length: size }, next), shape, "float32");
}
const labels = (n: number, classes: number): NDArray =>
  new NDArray(
    Int32Array.from({ length: n }, (_, i) => (i * 7) % classes),
    [n],
    "int32",
  );

class Block extends layers.Layer {
  static override readonly attributeNames = { dropoutLayer: "_dropout_layer" };
  readonly outputDense = new layers.Dense(4);
  readonly dropoutLayer = new layers.Dense(4);
  readonly stack = [new layers.Dense(4), [new layers.Dense(4)]] as const;
  override call(x: Tensor): Tensor {
    const [first, [second]] = this.stack;
    return this.dropoutLayer(second!(first(this.outputDense(x))));
  }
}
class Net extends keras.Model {
  readonly zHead = new layers.Dense(2);
  readonly aBlock = new Block();
  readonly _hidden = new layers.Dense(3, { activation: "relu" });
  override call(x: Tensor): Tensor {
    return this.zHead(this._hidden(this.aBlock(x)));
  }
}
const customObjects = { Block, Net };

const cases: Readonly<Record<string, Case>> = {
  stack: {
    make() {
      const model = new Sequential([
        Input([6]),
        new layers.Dense(8, { activation: "relu", kernelRegularizer: "l2" }),
        new layers.Dense(3, { activation: "softmax" }),
      ]);
      const optimizer = new keras.optimizers.Adam({ learningRate: 0.05 });
      model.compile({ optimizer, loss: "sparse_categorical_crossentropy", metrics: ["accuracy"] });
      return model;
    },
    python: `compiled(keras.Sequential([keras.Input((6,)), keras.layers.Dense(8, activation="relu", kernel_regularizer="l2"),
      keras.layers.Dense(3, activation="softmax")]), keras.optimizers.Adam(0.05), "sparse_categorical_crossentropy", ["accuracy"])`,
    data: { x: numbers([12, 6], 1), y: labels(12, 3) },
  },
  graph: {
    make() {
      const inputs = Input([5], { name: "features" });
      const shared = new layers.Dense(5, { activation: "tanh" });
      const hidden = shared(shared(inputs));
      const outputs = new layers.Dense(1)(ops.add(ops.multiply(hidden, 2), inputs));
      const model = new keras.Model({ inputs, outputs });
      const optimizer = new keras.optimizers.SGD({ learningRate: 0.02, momentum: 0.9, nesterov: true });
      model.compile({ optimizer, loss: "mean_squared_error" });
      return model;
    },
    python:
      "compiled(graph(), keras.optimizers.SGD(0.02, momentum=0.9, nesterov=True), keras.losses.MeanSquaredError(), None)",
    data: { x: numbers([10, 5], 2), y: numbers([10, 1], 3) },
  },
  images: {
    make() {
      const model = new Sequential([
        Input([8, 8, 2]),
        new layers.Conv2D(4, 3, { padding: "same" }),
        new layers.BatchNormalization(),
        new layers.ReLU(),
        new layers.MaxPooling2D(2),
        new layers.Conv2D(3, [2, 3], { strides: 2 }),
        new layers.GlobalAveragePooling2D(),
        new layers.Dense(2),
      ]);
      const optimizer = new keras.optimizers.RMSprop({
        learningRate: 0.01,
        momentum: 0.5,
        centered: true,
        clipnorm: 1,
      });
      model.compile({ optimizer, loss: "mean_squared_error" });
      return model;
    },
    python: `compiled(keras.Sequential([keras.Input((8, 8, 2)), keras.layers.Conv2D(4, 3, padding="same"),
      keras.layers.BatchNormalization(), keras.layers.ReLU(), keras.layers.MaxPooling2D(2), keras.layers.Conv2D(3, (2, 3), strides=2),
      keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(2)]),
      keras.optimizers.RMSprop(0.01, momentum=0.5, centered=True, clipnorm=1.0), "mean_squared_error", None)`,
    data: { x: numbers([6, 8, 8, 2], 4), y: numbers([6, 2], 5) },
  },
  subclass: {
    make() {
      const model = new Net();
      model.compile({ optimizer: new keras.optimizers.Adam({ learningRate: 0.01 }), loss: "mean_squared_error" });
      return model;
    },
    python: 'compiled(Net(), keras.optimizers.Adam(0.01), "mean_squared_error", None)',
    data: { x: numbers([9, 4], 6), y: numbers([9, 2], 7) },
  },
  attention: {
    make() {
      const inputs = Input([5, 4]);
      const heads = new layers.MultiHeadAttention(2, 3, { useGate: true });
      let hidden = layers.add([inputs, heads(inputs, inputs, { useCausalMask: true })]) as typeof inputs;
      hidden = new layers.GroupQueryAttention(2, 4, 2)(hidden, inputs);
      hidden = new layers.AdditiveAttention()([hidden, new layers.Attention({ useScale: true })([hidden, inputs])]);
      hidden = new layers.TimeDistributed(new layers.Dense(3, { activation: "tanh" }))(hidden);
      const outputs = new layers.Dense(2)(new layers.GlobalAveragePooling1D()(hidden));
      const model = new keras.Model({ inputs, outputs });
      const learningRate = new keras.optimizers.schedules.CosineDecay(0.05, 20, { warmupTarget: 0.1, warmupSteps: 2 });
      model.compile({
        optimizer: new keras.optimizers.SGD({ learningRate, momentum: 0.5 }),
        loss: "mean_squared_error",
      });
      return model;
    },
    python: `compiled(attention(), keras.optimizers.SGD(keras.optimizers.schedules.CosineDecay(0.05, 20, warmup_target=0.1,
      warmup_steps=2), momentum=0.5), "mean_squared_error", None)`,
    data: { x: numbers([6, 5, 4], 8), y: numbers([6, 2], 9) },
  },
  recurrent: {
    make() {
      const model = new Sequential([
        Input([5, 4]),
        new layers.Bidirectional(new layers.LSTM(3, { returnSequences: true })),
        new layers.GRU(4, { returnSequences: true }),
        new layers.SimpleRNN(3, { returnSequences: true, goBackwards: true }),
        new layers.RNN([new layers.LSTMCell(3), new layers.GRUCell(2, { resetAfter: false })]),
        new layers.Dense(2),
      ]);
      model.compile({ optimizer: new keras.optimizers.Adam({ learningRate: 0.01 }), loss: "mean_squared_error" });
      return model;
    },
    python: `compiled(keras.Sequential([keras.Input((5, 4)), keras.layers.Bidirectional(keras.layers.LSTM(3, return_sequences=True)),
      keras.layers.GRU(4, return_sequences=True), keras.layers.SimpleRNN(3, return_sequences=True, go_backwards=True),
      keras.layers.RNN([keras.layers.LSTMCell(3), keras.layers.GRUCell(2, reset_after=False)]), keras.layers.Dense(2)]),
      keras.optimizers.Adam(0.01), "mean_squared_error", None)`,
    data: { x: numbers([6, 5, 4], 10), y: numbers([6, 2], 11) },
  },
};

// Python makes and trains a model of every case and saves it, opens ours, predicts and trains both on.
const script = `
import json, sys, zipfile, io
import h5py, numpy as np, keras

@keras.saving.register_keras_serializable(package="Custom", name="Block")
class Block(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.output_dense = keras.layers.Dense(4)
        self._dropout_layer = keras.layers.Dense(4)
        self.stack = [keras.layers.Dense(4), [keras.layers.Dense(4)]]
    def call(self, x):
        return self._dropout_layer(self.stack[1][0](self.stack[0](self.output_dense(x))))

class Net(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.z_head = keras.layers.Dense(2)
        self.a_block = Block()
        self._hidden = keras.layers.Dense(3, activation="relu")
    def call(self, x):
        return self.z_head(self._hidden(self.a_block(x)))

def graph():
    inputs = keras.Input((5,), name="features")
    shared = keras.layers.Dense(5, activation="tanh")
    hidden = shared(shared(inputs))
    return keras.Model(inputs, keras.layers.Dense(1)(hidden * 2 + inputs))

def attention():
    inputs = keras.Input((5, 4))
    heads = keras.layers.MultiHeadAttention(2, 3, use_gate=True)
    hidden = keras.layers.add([inputs, heads(inputs, inputs, use_causal_mask=True)])
    hidden = keras.layers.GroupQueryAttention(2, 4, 2)(hidden, inputs)
    hidden = keras.layers.AdditiveAttention()([hidden, keras.layers.Attention(use_scale=True)([hidden, inputs])])
    hidden = keras.layers.TimeDistributed(keras.layers.Dense(3, activation="tanh"))(hidden)
    return keras.Model(inputs, keras.layers.Dense(2)(keras.layers.GlobalAveragePooling1D()(hidden)))

def compiled(model, optimizer, loss, metrics):
    model.compile(optimizer, loss, metrics=metrics)
    return model

def paths(name):
    found = []
    with h5py.File(io.BytesIO(zipfile.ZipFile(name).read("model.weights.h5"))) as file:
        file.visititems(lambda path, item: found.append(path))
    return sorted(found)

def trained(model, x, y):
    return [float(l) for l in model.fit(x, y, batch_size=len(x), epochs=4, shuffle=False, verbose=0).history["loss"]]

result = {}
for name, case in json.load(open("cases.json")).items():
    x, y = (np.array(case[k]["data"], case[k]["dtype"]).reshape(case[k]["shape"]) for k in "xy")
    objects = {"Net": Net, "Block": Block}
    ours = keras.models.load_model(f"{name}.ts.keras", custom_objects=objects)
    theirs = eval(case["python"])
    trained(theirs, x, y)
    theirs.save(f"{name}.py.keras")
    result[name] = {
        "paths": paths(f"{name}.ts.keras"),
        "ours": ours.predict(x, verbose=0).tolist(),
        "oursLosses": trained(ours, x, y),
        "theirs": theirs.predict(x, verbose=0).tolist(),
        "theirsLosses": trained(theirs, x, y),
        "optimizers": [keras.saving.serialize_keras_object(model.optimizer) for model in (ours, theirs)],
    }
print(json.dumps(result))
`;

interface PythonResult {
  readonly paths: string[];
  readonly ours: unknown;
  readonly oursLosses: number[];
  readonly theirs: unknown;
  readonly theirsLosses: number[];
  /** The optimizers of both files, as Python saves them. */
  readonly optimizers: readonly [unknown, unknown];
}

async function losses(model: Model, { x, y }: Data): Promise<number[]> {
  const history = await model.fit(x, y, { batchSize: x.shape[0]!, epochs: 4, shuffle: false, verbose: 0 });
  return history.history["loss"] as number[];
}
const predictions = (model: Model, { x }: Data): Promise<NDArray> => model.predict(x, { verbose: 0 });

/** The largest difference of two structures of numbers. */
function distance(a: unknown, b: unknown): number {
  const [left, right] = [a, b].map((one) => NDArray.from(one as never, "float64"));
  expect(left!.shape).toEqual(right!.shape);
  const [p, q] = [left!.numbers(), right!.numbers()];
  return p.reduce((worst, value, i) => Math.max(worst, Math.abs(value - q[i]!)), 0);
}

function pathsIn(group: H5Group, path = ""): string[] {
  return group.keys().flatMap((name) => {
    const at = path === "" ? name : `${path}/${name}`;
    const inner = group.group(name);
    return [at, ...(inner ? pathsIn(inner, at) : [])];
  });
}

itRequires(
  ["python", "jax", "h5py"],
  "models saved here and in Python Keras open on the other side, predict the same and train on alike",
  async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), "keras-ts-python-"));
    try {
      const trained = new Map<string, { model: Model; outputs: NDArray }>();
      for (const [name, { make, data }] of Object.entries(cases)) {
        const model = make();
        await losses(model, data);
        await model.save(path.join(folder, `${name}.ts.keras`));
        trained.set(name, { model, outputs: await predictions(model, data) });
      }
      const described = Object.entries(cases).map(([name, { python, data }]) => {
        const json = ({ shape, dtype, ...array }: NDArray): object => ({ shape, dtype, data: [...array.data] });
        return [name, { python, x: json(data.x), y: json(data.y) }];
      });
      await fs.writeFile(path.join(folder, "cases.json"), JSON.stringify(Object.fromEntries(described)));
      const printed = await runPython(script, { cwd: folder, backend: "jax", timeout: 200_000 });
      const results = JSON.parse(printed.trim().split("\n").at(-1)!) as Record<string, PythonResult>;

      for (const [name, { data }] of Object.entries(cases)) {
        const python = results[name]!;
        const { model, outputs } = trained.get(name)!;
        expect(distance(outputs, python.ours), `${name}: predictions of our file in Python`).toBeLessThan(1e-5);
        expect(distance(await losses(model, data), python.oursLosses), `${name}: our file trained on`).toBeLessThan(
          1e-4,
        );

        expect(python.optimizers[0], `${name}: optimizer`).toEqual(python.optimizers[1]);

        const loaded = await keras.models.loadModel(path.join(folder, `${name}.py.keras`), { customObjects });
        expect(distance(await predictions(loaded, data), python.theirs), `${name}: Python's file here`).toBeLessThan(
          1e-5,
        );
        const bytes = await loaded.saveWeights();
        expect(distance(await losses(loaded, data), python.theirsLosses), `${name}: Python's trained on`).toBeLessThan(
          1e-4,
        );
        expect(pathsIn(openHdf5(bytes)).sort(), `${name}: layout of the weights`).toEqual(python.paths);
      }
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  },
  240_000,
);
