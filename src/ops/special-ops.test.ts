import { describe, expect, it } from "vitest";
import "../backend/index.js";
import { valueAndGradients } from "../core/gradient.js";
import { jit } from "../core/jit.js";
import { KerasTensor } from "../core/keras-tensor.js";
import { NDArray } from "../core/ndarray.js";
import { tensor, type Tensor } from "../core/tensor.js";
import { multiply } from "./arithmetic.js";
import { imag, real } from "./complex.js";
import { convertToNumpy, convertToTensor, dtype, isTensor, saturateCast, shape } from "./conversions.js";
import { ctcDecode } from "./ctc-decode.js";
import { ctcLoss } from "./ctc-loss.js";
import { expectGradients, sample } from "./differences.testing.js";
import { cdist } from "./distances.js";
import { erfc } from "./erfc.js";
import { fft2, irfft, rfft } from "./fourier.js";
import { gammainc } from "./incomplete-gamma.js";
import { sum } from "./reductions.js";
import { scatterUpdate } from "./scatter.js";
import { segmentMax, segmentMin, segmentProd, segmentSum } from "./segments.js";
import { extractSequences, istft, stft } from "./short-time-fourier.js";
import { slice, sliceUpdate } from "./slices.js";
import { corrcoef } from "./statistics.js";
import { inTopK, topK } from "./top-k.js";
import { i0, round } from "./transcendental.js";

const float = (value: number | number[] | number[][]): Tensor => tensor(value, "float32");
const square = (x: Tensor): Tensor => multiply(x, x);
const close = async (actual: Tensor, expected: readonly number[], relative: number): Promise<void> => {
  const values = (await actual.data()).numbers();
  expected.forEach((e, i) => expect(Math.abs(values[i]! - e)).toBeLessThanOrEqual(relative * Math.abs(e)));
};

describe("special functions", () => {
  it("erfc keeps its precision where erf is nearly 1", async () =>
    close(
      erfc(float([-2, 0.5, 3, 6, 9])),
      [1.9953222650189528, 0.4795001221869535, 2.209049699858544e-5, 2.1519736712498913e-17, 4.13703174651381e-37],
      1e-6,
    ));
  it("gammainc is precise for small and large arguments and in both tails", async () => {
    // Values of scipy.special.gammainc.
    await close(
      gammainc(float([0.5, 3, 20, 20, 1e4, 1e6, 1e-3]), float([0.1, 10, 5, 40, 10100, 999000, 1e-5])),
      [
        0.3452791563869805, 0.9972306042844884, 3.452135820914455e-7, 0.9998236971022614, 0.8413487504471796,
        0.15865521357430365, 0.9891230441569487,
      ],
      1e-5,
    );
    expect(await gammainc(float([0, 2, 2, -1]), float([1, 0, Infinity, 1])).array()).toEqual([1, 0, 1, NaN]);
  });
  it("gammainc has gradients in both arguments", async () => {
    await expectGradients((a, x) => gammainc(a, x), [float([0.7, 3, 12]), float([0.9, 5, 9])], { order: 1 });
    await expectGradients((x) => gammainc(float([0.7, 3, 12]), x), [float([0.9, 5, 9])]);
  });
  it("i0 is flat at 0", () => {
    const x = float([-1, 0, 1]);
    const { gradients } = valueAndGradients(() => sum(i0(x)), [x]);
    return close(gradients[0]!, [-0.5651591, 0, 0.5651591], 1e-5);
  });
  it("correlation of one row is a scalar, and complex numbers are rounded by parts", async () => {
    expect(corrcoef(float([[1.5, -2]])).shape).toEqual([]);
    const given = tensor(new NDArray(Float32Array.of(1.25, -2.5, 0.5, 3.6), [2], "complex64"));
    const rounded = round(given);
    const parts = [await real(rounded).array(), await imag(rounded).array()];
    expect(parts).toEqual([
      [1, 0],
      [-2, 4],
    ]);
  });
  it("cdist has gradients", async () => expectGradients(cdist, [sample([3, 2]), sample([4, 2], 2)]));
});

describe("Fourier transforms", () => {
  it("have gradients", async () => {
    await expectGradients((re, im) => fft2([square(re), im]), [sample([3, 4]), sample([3, 4], 2)]);
    await expectGradients((x) => rfft(square(x), { fftLength: 7 }), [sample([2, 5])]);
    await expectGradients((re, im) => irfft([square(re), im], { fftLength: 6 }), [sample([2, 5]), sample([2, 5], 2)]);
    await expectGradients((x) => stft(square(x), 4, 2, 6), [sample([12])]);
  });
  it.each(["hann", "hamming", null] as const)("of short times go back and forth with window %s", async (window) => {
    const signal = sample([2, 64]);
    const back = istft(stft(signal, 16, 4, 16, { window }), 16, 4, 16, { window, length: 64 });
    const scale = window ? 1 : 4;
    await close(
      back,
      [...(await signal.data()).numbers()].map((v) => v * scale),
      1e-3,
    );
  });
  it("cut sequences, with gradients", async () => {
    expect(await extractSequences(tensor([1, 2, 3, 4, 5, 6]), 3, 2).array()).toEqual([
      [1, 2, 3],
      [3, 4, 5],
    ]);
    await expectGradients((x) => extractSequences(square(x), 3, 2), [sample([2, 7])]);
  });
});

describe("segments and scatters", () => {
  const ids = tensor([0, 2, 2, 0, 7, -1]);
  const options = { numSegments: 4 };
  it("give empty segments the neutral element and drop ids outside", async () => {
    const data = tensor([1, 5, 3, 2, 9, 9]);
    expect(await segmentSum(data, ids, options).array()).toEqual([3, 0, 8, 0]);
    expect(await segmentProd(data, ids, options).array()).toEqual([2, 1, 15, 1]);
    expect(await segmentMax(data, ids, options).array()).toEqual([2, -(2 ** 31), 5, -(2 ** 31)]);
    expect(await segmentMin(float([1, 5, 3, 2, 9, 9]), ids, options).array()).toEqual([1, Infinity, 3, Infinity]);
  });
  it("need the number of segments, except while shapes are inferred", () => {
    for (const segment of [segmentSum, segmentMax, segmentMin, segmentProd]) {
      expect(() => segment(float([1, 2, 3]), tensor([0, 0, 3]))).toThrow("numSegments");
      expect(() => jit((i: Tensor) => segment(float([1, 2]), i))(tensor([0, 1]))).toThrow("numSegments");
      const spec = segment(
        new KerasTensor([3, 2]) as unknown as Tensor,
        new KerasTensor([3], "int32") as unknown as Tensor,
      );
      expect(spec.shape).toEqual([null, 2]);
    }
  });
  it("have gradients", async () => {
    const x = sample([6, 2]);
    await expectGradients((d) => segmentSum(square(d), ids, options), [x]);
    await expectGradients((d) => segmentProd(d, ids, options), [x]);
    const kept = (y: Tensor): Tensor => slice(y, [0, 0], [1, 2]);
    await expectGradients((d) => kept(segmentMax(square(d), ids, options)), [x]);
    await expectGradients((d) => kept(segmentMin(square(d), ids, options)), [x]);
  });
  it("share gradients of equal extremes, and of products with zeros", async () => {
    const d = float([2, 2, 0, 3]);
    const ids = tensor([0, 0, 1, 1]);
    const gradient = (fn: (x: Tensor) => Tensor): Promise<unknown> =>
      valueAndGradients(() => sum(fn(d)), [d]).gradients[0]!.array();
    expect(await gradient((x) => segmentMax(x, ids, { numSegments: 2 }))).toEqual([0.5, 0.5, 0, 1]);
    expect(await gradient((x) => segmentProd(x, ids, { numSegments: 2 }))).toEqual([2, 2, 3, 0]);
    expect(await gradient((x) => scatterUpdate(float([9, 9]), [[0], [1], [0], [1]], x))).toEqual([0, 0, 1, 1]);
    expect(await gradient((x) => scatterUpdate(x, [[0]], [2], { reduction: "max" }))).toEqual([0.5, 1, 1, 1]);
  });
});

describe("windows of tensors", () => {
  const x = tensor([
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
  ]);
  it("are read and written at numbers and at tensors, moved inside", async () => {
    expect(await slice(x, [1, 1], [-1, 1]).array()).toEqual([[4], [7]]);
    expect(await slice(x, tensor([2, -1]), [2, 1]).array()).toEqual([[5], [8]]);
    expect(await slice(x, [tensor(1), 0], [1, -1]).array()).toEqual([[3, 4, 5]]);
    expect(await sliceUpdate(x, [2, 2], [[9, 9]]).array()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [6, 9, 9],
    ]);
    expect(() => slice(x, [0, 0], [4, 1])).toThrow("does not fit");
  });
  it("have gradients", async () =>
    expectGradients(
      (t, u) => sliceUpdate(square(t), tensor([1, 0]), slice(square(u), [0, 1], [1, 2])),
      [sample([3, 3]), sample([2, 3], 2)],
    ));
});

describe("topK", () => {
  it("sorts, and prefers the first of equals", async () => {
    const [values, indices] = topK(float([1, 3, 3, 2]), 3);
    expect([await values.array(), await indices.array()]).toEqual([
      [3, 3, 2],
      [1, 2, 3],
    ]);
    expect(() => topK(float([1]), 2)).toThrow("up to the size");
    expect(
      await inTopK(
        tensor([0, 1, 5]),
        float([
          [0.9, 0.1],
          [0.9, 0.1],
          [0.9, 0.1],
        ]),
        1,
      ).array(),
    ).toEqual([true, false, false]);
  });
});

describe("conversions", () => {
  it("go to and from the host", async () => {
    const x = convertToTensor([float(1), 2]);
    expect(await x.array()).toEqual([1, 2]);
    expect((await convertToNumpy(x)) instanceof NDArray).toBe(true);
    expect([dtype(x), isTensor(x), isTensor([1]), shape([[1, 2]])]).toEqual(["float32", true, false, [1, 2]]);
  });
  it("saturate", async () => {
    expect(await saturateCast(float([-3, 0.5, 300]), "uint8").array()).toEqual([0, 0, 255]);
    expect(await saturateCast(float([-3e9, 3e9, 7]), "int32").array()).toEqual([-(2 ** 31), 2 ** 31 - 1, 7]);
    expect(await saturateCast(tensor([-3, 300]), "int8").array()).toEqual([-3, 127]);
    expect(await saturateCast(float([-3, 0.5]), "bool").array()).toEqual([false, true]);
  });
});

describe("connectionist temporal classification", () => {
  const logits = sample([2, 6, 4]);
  it("has gradients of two orders", async () => {
    const targets = tensor([
      [1, 1, 2],
      [3, 2, 1],
    ]);
    await expectGradients((x) => ctcLoss(targets, x, tensor([3, 2]), tensor([6, 5])), [logits]);
  });
  it("gives unreachable targets a large finite loss", async () => {
    const loss = await ctcLoss(tensor([[1, 1, 2]]), sample([1, 2, 3]), tensor([3]), tensor([2])).item();
    expect(loss).toBeGreaterThan(9e4);
    expect(loss).toBeLessThan(1e6);
  });
  it("decodes the same by a wide search as by adding up all alignments", async () => {
    const [frames, classes] = [4, 3];
    const x = sample([1, frames, classes], 5);
    const rows = (await x.array()) as number[][][];
    const logProbability = rows[0]!.map((row) => {
      const total = Math.log(row.reduce((s, v) => s + Math.exp(v), 0));
      return row.map((v) => v - total);
    });
    const totals = new Map<string, number>();
    for (let code = 0; code < classes ** frames; code++) {
      const path = Array.from({ length: frames }, (_, t) => Math.floor(code / classes ** t) % classes);
      const labels = path.filter((c, t) => c !== 0 && c !== path[t - 1]).join();
      const p = Math.exp(path.reduce((s, c, t) => s + logProbability[t]![c]!, 0));
      totals.set(labels, (totals.get(labels) ?? 0) + p);
    }
    const best = [...totals].sort((a, b) => b[1] - a[1]).slice(0, 5);
    const [paths, scores] = ctcDecode(x, tensor([frames]), { strategy: "beam_search", beamWidth: 60, topPaths: 5 });
    const found = ((await paths.array()) as number[][][]).map(([path]) => path!.filter((c) => c !== -1).join());
    expect(found).toEqual(best.map(([labels]) => labels));
    await close(
      scores,
      best.map(([, p]) => Math.log(p)),
      1e-4,
    );
  });
  it("decodes in compiled code as in eager code", async () => {
    const options = { strategy: "beam_search", beamWidth: 5, topPaths: 2 } as const;
    const lengths = tensor([6, 3]);
    const eager = ctcDecode(logits, lengths, options);
    const compiled = jit((x: Tensor, n: Tensor) => ctcDecode(x, n, options))(logits, lengths);
    expect(await compiled[0].array()).toEqual(await eager[0].array());
  });
});
