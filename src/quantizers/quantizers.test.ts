import { describe, expect, it } from "vitest";
import "../backend/index.js";
import { serializeKerasObject } from "../config/serialize.js";
import { vectorJacobianProduct } from "../core/gradient.js";
import { NDArray } from "../core/ndarray.js";
import { tensor } from "../core/tensor.js";
import * as quantizers from "./index.js";

const values = (low: number, high: number, shape: readonly number[], dtype: "int8" | "uint8"): NDArray => {
  const size = shape.reduce((n, d) => n * d, 1);
  const data = Array.from({ length: size }, (_, i) => low + ((i * 7) % (high - low + 1)));
  return NDArray.from(data, dtype).reshape(shape);
};

describe("packing few bits into bytes", () => {
  const kinds = [
    ["4 bits, signed", quantizers.packInt4, quantizers.unpackInt4, -8, 7, "int8"],
    ["4 bits, unsigned", quantizers.packInt4, quantizers.unpackInt4, 0, 15, "uint8"],
    ["2 bits, signed", quantizers.packInt2, quantizers.unpackInt2, -2, 1, "int8"],
    ["2 bits, unsigned", quantizers.packInt2, quantizers.unpackInt2, 0, 3, "uint8"],
  ] as const;
  for (const [name, pack, unpack, low, high, dtype] of kinds)
    it(`gives back ${name}, along every axis and for lengths that fill no byte`, async () => {
      for (const [axis, shape] of [
        [0, [7, 3]],
        [1, [2, 5, 4]],
        [-1, [3, 9]],
      ] as const) {
        const array = values(low, high, shape, dtype);
        const [packed, packedShape, length] = pack(array, { axis, dtype });
        expect(packed.shape).toEqual(packedShape);
        expect(length).toBe(shape.at(axis));
        const back = unpack(packed, length, { axis, dtype });
        expect(back.dtype).toBe(dtype);
        expect(await back.array()).toEqual(array.toArray());
      }
    });
  it("gives back -1, 0 and 1, five to a byte", async () => {
    const array = values(-1, 1, [2, 12], "int8");
    const [packed, shape, length] = quantizers.packTernary(array, { axis: 1 });
    expect(shape).toEqual([2, 3]);
    expect(packed.dtype).toBe("uint8");
    expect(await quantizers.unpackTernary(packed, length, { axis: 1 }).array()).toEqual(array.toArray());
  });
  it("refuses other dtypes", () => {
    expect(() => quantizers.packInt4(tensor([1, 2], "int32"))).toThrow(/int8.*int32/);
    expect(() => quantizers.packInt4(tensor([1, 2], "int8"), { dtype: "int16" })).toThrow(/"int16"/);
  });
});

describe("scales and zero points", () => {
  it("come within half a step of the values", async () => {
    const data = Array.from({ length: 24 }, (_, i) => Math.sin(i) * 3);
    const x = NDArray.from(data, "float32").reshape([8, 3]);
    const [q, scale, zero] = quantizers.absMaxQuantizeGroupedWithZeroPoint(x, 4);
    expect([q.shape, scale.shape, zero.shape]).toEqual([
      [8, 3],
      [2, 3],
      [2, 3],
    ]);
    const [qs, ss, zs] = await Promise.all([q, scale, zero].map(async (t) => (await t.data()).numbers()));
    data.forEach((value, i) => {
      const block = Math.floor(i / 12) * 3 + (i % 3);
      const back = (qs![i]! - zs![block]!) * ss![block]!;
      expect(Math.abs(back - value)).toBeLessThanOrEqual(ss![block]! * 0.51);
    });
  });
  it("need a matrix and a block size", () => {
    expect(() => quantizers.absMaxQuantizeGroupedWithZeroPoint(tensor([1, 2]), 4)).toThrow(/matrix/);
    expect(() => quantizers.absMaxQuantizeGroupedWithZeroPoint(tensor([[1], [2]]), 0)).toThrow(/blockSize/);
  });
});

describe("fakeQuantWithMinMaxVars", () => {
  it("passes gradients inside the range and sums the others at its bounds", async () => {
    const [x, low, high] = [tensor([-2, -0.5, 0.25, 3, 4]), tensor(-1, "float32"), tensor(1, "float32")];
    const { gradients } = vectorJacobianProduct(
      () => [quantizers.fakeQuantWithMinMaxVars(x, low, high)],
      [x, low, high],
      () => [tensor([1, 10, 100, 1000, 10000], "float32")],
    );
    expect(await gradients[0]!.array()).toEqual([0, 10, 100, 0, 0]);
    expect(await gradients[1]!.item()).toBe(1);
    expect(await gradients[2]!.item()).toBe(11000);
  });
});

describe("quantizers and their configs", () => {
  it("are saved as Python saves them", () => {
    expect(new quantizers.AbsMaxQuantizer().getConfig()).toMatchObject({
      value_range: [-127, 127],
      output_dtype: "int8",
    });
    expect(Object.keys(new quantizers.AbsMaxQuantizer().getConfig())).not.toContain("axis");
    expect(new quantizers.AbsMaxQuantizer({ axis: 0 }).getConfig()["axis"]).toEqual([0]);
    const saved = serializeKerasObject(new quantizers.GPTQConfig(["text"], () => 0, { groupSize: 8 })) as {
      config: object;
    };
    expect(saved.config).toMatchObject({ dataset: null, tokenizer: null, group_size: 8, weight_bits: 4 });
  });
  it("refuse what does not fit", () => {
    expect(() => new quantizers.AbsMaxQuantizer({ valueRange: [-300, 300] })).toThrow(/\[-128, 127\]/);
    expect(() => new quantizers.Int4QuantizationConfig({ blockSize: 0 })).toThrow(/blockSize/);
    const weightQuantizer = new quantizers.AbsMaxQuantizer({ valueRange: [-8, 7] });
    expect(() => new quantizers.Int4QuantizationConfig({ weightQuantizer })).toThrow(/blocks/);
    expect(() => new quantizers.AWQConfig(null, null, { weightBits: 8 })).toThrow(/weightBits/);
  });
  it("are found by name", () => {
    expect(quantizers.get("abs_max_quantizer")).toBeInstanceOf(quantizers.AbsMaxQuantizer);
    expect(quantizers.get(null)).toBeNull();
    expect(() => quantizers.get("nope" as never)).toThrow(/no quantizer "nope"/);
  });
});
