import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect } from "vitest";
import * as keras from "../../src/index.js";
import type { NDArray } from "../../src/core/ndarray.js";
import { readNpy } from "../../src/formats/npy.js";
import type { Layer } from "../../src/layers/layer.js";
import { itRequires, runPython } from "../support/require.js";

const { layers, Input, Sequential, Model, ops, saving } = keras;

/** Modules of PyTorch as state dicts and safetensors, with inputs and outputs in channels-last order; and files of other kinds. */
const makeFiles = `
import sys, numpy as np, torch
from torch import nn
from safetensors.torch import save_file
out = sys.argv[1]
torch.manual_seed(0)
def keep(name, x):
    np.save(f"{out}/{name}.npy", (x.movedim(1, -1) if x.ndim > 3 or name.startswith("conv1d") else x).detach().numpy())
def write(name, module, x):
    for p in list(module.parameters()) + [b for b in module.buffers() if b.dtype.is_floating_point]:
        p.data = torch.rand_like(p) * 0.5 + 0.1
    module.eval()
    torch.save(module.state_dict(), f"{out}/{name}.pt")
    save_file({k: v.contiguous() for k, v in module.state_dict().items()}, f"{out}/{name}.safetensors")
    keep(f"{name}.x", x)
    keep(f"{name}.y", module(x))
class Cross(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = nn.MultiheadAttention(8, 2, batch_first=True)
    def forward(self, x):
        return self.attend(x, x[:, 1:4], x[:, 1:4])[0]
write("cnn", nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.PReLU(8), nn.Conv2d(8, 16, 3, groups=8),
    nn.ConvTranspose2d(16, 4, 2, stride=2), nn.GroupNorm(2, 4), nn.Flatten(), nn.Linear(4 * 12 * 12, 5)), torch.rand(2, 3, 8, 8))
write("conv1d", nn.Sequential(nn.Conv1d(3, 6, 3, dilation=2), nn.Conv1d(6, 4, 1, groups=2)), torch.rand(2, 3, 9))
write("conv3d", nn.Sequential(nn.Conv3d(2, 3, 2), nn.BatchNorm3d(3), nn.ConvTranspose3d(3, 2, 2)), torch.rand(2, 2, 4, 5, 6))
write("dense", nn.Linear(4, 3), torch.rand(2, 4))
write("norm", nn.Sequential(nn.LayerNorm(6, eps=1e-3), nn.Linear(6, 6, bias=False), nn.RMSNorm(6, eps=1e-6)), torch.rand(3, 6))
write("attention", Cross(), torch.rand(2, 5, 8))
base = torch.arange(24.0).reshape(4, 6)
torch.save({"epoch": 3, "state_dict": {"turned": base.T, "view": base[1:3, 2:], "half": base.half(), "brain": base.bfloat16(), "long": base.long(),
    "flag": base > 3, "empty": torch.zeros(0, 4), "scalar": torch.tensor(2.5), "complex": torch.complex(base, -base),
    "u16": base.to(torch.uint16), "f8": base.to(torch.float8_e4m3fn)}, "steps": [torch.tensor([1, 2])], "args": np.float64(1.5)}, f"{out}/checkpoint.pt")
torch.save(nn.Linear(2, 2), f"{out}/module.pt")
torch.save(nn.Linear(2, 2).state_dict(), f"{out}/old.pt", _use_new_zipfile_serialization=False)
torch.jit.script(nn.Linear(2, 2)).save(f"{out}/script.pt")
`;

let made: Promise<string> | null = null;
/** The folder of the files, which are made once. */
function files(): Promise<string> {
  return (made ??= (async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), "keras-torch-weights-"));
    await runPython(makeFiles, { args: [folder] });
    return folder;
  })());
}
afterAll(async () => {
  if (made) await fs.rm(await made, { recursive: true, force: true });
});

const cnn = (): Layer =>
  new Sequential([
    Input([8, 8, 3]),
    new layers.Conv2D(8, 3, { padding: "same" }),
    new layers.BatchNormalization({ epsilon: 1e-5 }),
    new layers.PReLU({ sharedAxes: [1, 2] }),
    new layers.DepthwiseConv2D(3, { depthMultiplier: 2 }),
    new layers.Conv2DTranspose(4, 2, { strides: 2 }),
    new layers.GroupNormalization({ groups: 2, epsilon: 1e-5 }),
    new layers.Flatten(),
    new layers.Dense(5, { name: "head" }),
  ]);
function attention(): Layer {
  const x = Input([5, 8]);
  const kv = ops.slice(x, [0, 1, 0], [2, 3, 8]);
  return new Model({ inputs: x, outputs: new layers.MultiHeadAttention(2, 4, { name: "attend" })(x, kv) });
}
function dense(): Layer {
  const layer = new layers.Dense(3);
  layer.build([null, 4]);
  return layer;
}

const modules: Readonly<Record<string, { make: () => Layer; options?: keras.saving.LoadTorchWeightsOptions }>> = {
  cnn: { make: cnn, options: { flattened: { head: [4, 12, 12] } } },
  conv1d: {
    make: () =>
      new Sequential([
        Input([9, 3]),
        new layers.Conv1D(6, 3, { dilationRate: 2 }),
        new layers.Conv1D(4, 1, { groups: 2 }),
      ]),
  },
  conv3d: {
    make: () =>
      new Sequential([
        Input([4, 5, 6, 2]),
        new layers.Conv3D(3, 2),
        new layers.BatchNormalization({ epsilon: 1e-5 }),
        new layers.Conv3DTranspose(2, 2),
      ]),
  },
  dense: { make: dense },
  norm: {
    make: () =>
      new Sequential([
        Input([6]),
        new layers.LayerNormalization({ epsilon: 1e-3 }),
        new layers.Dense(6, { useBias: false }),
        new layers.RMSNormalization(),
      ]),
  },
  attention: { make: attention },
};

for (const [name, { make, options }] of Object.entries(modules)) {
  for (const kind of ["pt", "safetensors"]) {
    itRequires(["python", "torch", "safetensors"], `${name}.${kind}: a module's weights give its outputs`, async () => {
      const folder = await files();
      const array = async (end: string): Promise<NDArray> =>
        readNpy(new Uint8Array(await fs.readFile(path.join(folder, `${name}.${end}.npy`))));
      const layer = make();
      await saving.loadTorchWeights(layer, path.join(folder, `${name}.${kind}`), options);
      const y = (await (layer(await array("x")) as keras.Tensor).data()).numbers();
      const expected = (await array("y")).numbers();
      expect(y.length).toBe(expected.length);
      y.forEach((value, i) => expect(Math.abs(value - expected[i]!)).toBeLessThan(2e-5 * (1 + Math.abs(expected[i]!))));
    });
  }
}

itRequires(["python", "torch", "safetensors"], "a checkpoint gives its tensors, whatever else it holds", async () => {
  const state = await saving.readTorchWeights(path.join(await files(), "checkpoint.pt"));
  const get = (name: string): NDArray => state[`state_dict.${name}`]!;
  expect(Object.keys(state)).toContain("steps.0");
  expect(get("turned").toArray()).toEqual([0, 1, 2, 3, 4, 5].map((i) => [i, i + 6, i + 12, i + 18]));
  expect(get("view").toArray()).toEqual([
    [8, 9, 10, 11],
    [14, 15, 16, 17],
  ]);
  for (const [name, dtype] of Object.entries({
    half: "float16",
    brain: "bfloat16",
    u16: "uint16",
    long: "int64",
  } as const)) {
    expect(get(name).dtype).toBe(dtype);
    expect([...get(name).numbers()]).toEqual([...Array(24).keys()]);
  }
  expect(get("f8").dtype).toBe("float8_e4m3fn");
  expect(get("flag").at(0, 3)).toBe(0);
  expect(get("flag").at(0, 4)).toBe(1);
  expect(get("empty").shape).toEqual([0, 4]);
  expect(get("scalar").at()).toBe(2.5);
  expect(get("complex").dtype).toBe("complex64");
});

itRequires(
  ["python", "torch", "safetensors"],
  "files that are no state dict are refused by name, and nothing changes",
  async () => {
    const folder = await files();
    const read = (name: string): Promise<unknown> => saving.readTorchWeights(path.join(folder, name));
    await expect(read("module.pt")).rejects.toThrow(/module\.pt: holds a pickled torch\.nn\.modules\.linear\.Linear/);
    await expect(read("old.pt")).rejects.toThrow(/old\.pt: is no zip archive/);
    await expect(read("script.pt")).rejects.toThrow(/script\.pt: is a TorchScript archive/);

    const layer = dense();
    const before = (await layer.weights[0]!.numpy()).toArray();
    await expect(saving.loadTorchWeights(layer, path.join(folder, "norm.pt"))).rejects.toThrow(
      /do not fit the layers.*Modules \(3\): 0, 1, 2/,
    );
    await expect(saving.loadTorchWeights(layer, path.join(folder, "cnn.pt"), { prefix: "7." })).rejects.toThrow(
      /"weight" has shape \[5, 576\], which does not fit kernel of shape \[4, 3\]/,
    );
    expect((await layer.weights[0]!.numpy()).toArray()).toEqual(before);
    await saving.loadTorchWeights(layer, path.join(folder, "dense.pt"));
    expect((await layer.weights[0]!.numpy()).toArray()).not.toEqual(before);
  },
);
