import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type * as keras from "../../src/index.js";
import { kerasOn } from "../support/keras-on.js";
import { itRequires, missing, runPython } from "../support/require.js";

const code = `
import json, sys, torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 2)).train()
torch.jit.save(torch.jit.script(model), sys.argv[1] + "/module.pt")
noisy = nn.Sequential(nn.Dropout(0.5))
torch.jit.save(torch.jit.script(noisy), sys.argv[1] + "/noisy.pt")
x = torch.arange(12, dtype=torch.float32).reshape(4, 3) / 10
y = torch.tensor([[1.0, 0], [0, 1], [1, 1], [0, 0]])
before = model.eval()(x).detach().flatten().tolist()
model.train()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = []
for _ in range(5):
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
after = model.eval()(x).detach().flatten().tolist()
print(json.dumps({"before": before, "losses": losses, "after": after}))
`;
interface Expected {
  readonly before: readonly number[];
  readonly losses: readonly number[];
  readonly after: readonly number[];
}

let folder: string;
let expected: Expected;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "keras-torch-module-"));
  if (missing("torch") === null) expected = JSON.parse(await runPython(code, { args: [folder] })) as Expected;
}, 120_000);
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const close = (values: ArrayLike<number>, wanted: readonly number[]): void => {
  expect(values.length).toBe(wanted.length);
  Array.from(values).forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 5));
};

itRequires(
  ["libtorch", "torch"],
  "a TorchScript module trains as a layer as it trains in Python, and is saved with the model",
  async () => {
    const { Input, layers, NDArray, optimizers, saving, Sequential } = await kerasOn("torch");
    const x = new NDArray(
      Float32Array.from({ length: 12 }, (_, i) => i / 10),
      [4, 3],
      "float32",
    );
    const y = new NDArray(Float32Array.of(1, 0, 0, 1, 1, 1, 0, 0), [4, 2], "float32");
    const layer = await layers.TorchModuleWrapper.load(path.join(folder, "module.pt"));
    const model = new Sequential([Input([3]), layer]);
    expect(model.outputShape).toEqual([null, 2]);
    expect(layer.weights.map(({ name }) => name)).toContain("1.running_mean");
    close((await model.predict(x)).numbers(), expected.before);

    model.compile({
      optimizer: new optimizers.SGD({ learningRate: 0.1 }),
      loss: "mse",
    });
    const history = await model.fit(x, y, { epochs: 5, batchSize: 4, shuffle: false, verbose: 0 });
    close(history.history["loss"]!.map(Number), expected.losses);
    close((await model.predict(x)).numbers(), expected.after);

    const bytes = await model.save();
    await expect(saving.loadModel(bytes)).rejects.toThrow(/whose code runs with the rights of this process/);
    const again = await saving.loadModel(bytes, { safeMode: false });
    close((await again.predict(x)).numbers(), expected.after);
  },
);

itRequires(
  ["libtorch", "torch"],
  "what the module draws in training differs from call to call and follows the seed",
  async () => {
    const { layers, ops, utils } = await kerasOn("torch");
    const draw = async (layer: keras.layers.Layer): Promise<number[]> => [
      ...(await (layer(ops.ones([64]), { training: true }) as keras.Tensor).data()).numbers(),
    ];
    utils.setRandomSeed(1);
    const layer = await layers.TorchModuleWrapper.load(path.join(folder, "noisy.pt"));
    const first = await draw(layer);
    expect(new Set(first)).toEqual(new Set([0, 2]));
    expect(await draw(layer)).not.toEqual(first);
    utils.setRandomSeed(1);
    expect(await draw(await layers.TorchModuleWrapper.load(path.join(folder, "noisy.pt")))).toEqual(first);
    expect([...(await (layer(ops.ones([4])) as keras.Tensor).data()).numbers()]).toEqual([1, 1, 1, 1]);
  },
);

itRequires(["torch"], "other engines say which one runs modules", async () => {
  const { layers } = await kerasOn("numpy");
  await expect(layers.TorchModuleWrapper.load(path.join(folder, "noisy.pt"))).rejects.toThrow(/KERAS_BACKEND=torch/);
});
