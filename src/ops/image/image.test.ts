import "../../backend/index.js";
import { describe, expect, it } from "vitest";
import type { OpOperation } from "../../core/op.js";
import { KerasTensor } from "../../core/keras-tensor.js";
import { NDArray } from "../../core/ndarray.js";
import { type Tensor, tensor } from "../../core/tensor.js";
import { add, multiply } from "../arithmetic.js";
import { expectGradients, wave } from "../difference-quotient.testing.js";
import * as image from "./index.js";

const symbolic = (shape: readonly (number | null)[], dtype: "float32" | "uint8" = "float32"): KerasTensor =>
  new KerasTensor(shape, dtype);
const shapeOf = (y: Tensor): unknown => (y as unknown as KerasTensor).shape;
const range = (shape: readonly number[]): Tensor => {
  const size = shape.reduce((n, d) => n * d, 1);
  return tensor(
    new NDArray(
      Float32Array.from({ length: size }, (_, i) => i),
      shape,
      "float32",
    ),
  );
};

describe("gradients are difference quotients", () => {
  it.each(["bilinear", "bicubic", "lanczos3", "lanczos5"])("resize, %s", async (interpolation) => {
    const options = { interpolation, antialias: true };
    await expectGradients((x) => image.resize(x, [7, 3], options), [wave([2, 5, 6, 2])]);
    await expectGradients((x) => image.resize(x, [4, 9], { interpolation: "nearest" }), [wave([5, 6, 2])]);
  });
  it("resize within an aspect ratio", async () => {
    await expectGradients((x) => image.resize(x, [6, 6], { padToAspectRatio: true, fillValue: 1 }), [wave([4, 9, 2])]);
    await expectGradients((x) => image.resize(x, [6, 6], { cropToAspectRatio: true }), [wave([4, 9, 2])]);
  });
  it.each(["constant", "nearest", "wrap", "mirror", "reflect"])("affineTransform, %s", async (fillMode) => {
    const matrix = tensor([1.11, 0.13, -0.37, -0.21, 0.93, 0.71, 0, 0], "float32");
    await expectGradients((x) => image.affineTransform(x, matrix, { fillMode }), [wave([2, 5, 6, 2])]);
  });
  it("affineTransform in the transformation, where images are smooth", async () => {
    // On a plane, linear interpolation has no bends.
    const plane = add(range([1, 6, 1]), multiply(range([6, 1, 1]), 2));
    const matrix = tensor([0.51, 0.1, 0.52, 0.07, 0.43, 0.61, 0, 0], "float32");
    await expectGradients((m) => image.affineTransform(plane, m, { fillMode: "nearest" }), [matrix]);
  });
  it("mapCoordinates in values and places", async () => {
    const places = add(multiply(wave([2, 9], 2), 0.2), tensor([[1.5], [2.5]], "float32"));
    await expectGradients((x, at) => image.mapCoordinates(x, at, 1), [wave([4, 5]), places]);
  });
  it("perspectiveTransform, blur, edges and colors", async () => {
    const corners = tensor(
      [
        [0, 0],
        [0, 4],
        [5, 0],
        [5, 4],
      ],
      "float32",
    );
    const moved = add(corners, multiply(wave([4, 2]), 0.3));
    await expectGradients((x) => image.perspectiveTransform(x, corners, moved), [wave([5, 6, 2])]);
    const blurred = { kernelSize: [3, 5], sigma: [1, 2], dataFormat: "channels_last" };
    await expectGradients((x) => image.gaussianBlur(x, blurred), [wave([2, 5, 6, 2])]);
    await expectGradients((x) => image.sobelEdges(x), [wave([2, 5, 6, 2])]);
    // Away from where two channels are equal and from pure red, where hue jumps.
    const colors = tensor(
      [
        [
          [0.9, 0.3, 0.1],
          [0.2, 0.7, 0.4],
          [0.1, 0.4, 0.8],
        ],
      ],
      "float32",
    );
    await expectGradients((x) => image.rgbToHsv(x), [colors]);
    await expectGradients((x) => image.hsvToRgb(x), [colors]);
  });
  it("scaleAndTranslate in images, scale and translation", async () => {
    await expectGradients(
      (x, scale, shift) => image.scaleAndTranslate(x, [5, 9, 1], scale, shift, [0, 1], "cubic"),
      [wave([6, 7, 1]), tensor([0.83, 1.37], "float32"), tensor([0.31, -0.42], "float32")],
    );
  });
  it("ssim and patches", async () => {
    const options = { filterSize: 3 };
    await expectGradients((a, b) => image.ssim(a, b, options), [wave([2, 5, 6, 2]), wave([2, 5, 6, 2], 0.3)]);
    await expectGradients(
      (x) => image.extractPatches(x, [2, 3], { strides: [1, 2], padding: "same" }),
      [wave([1, 5, 6, 2])],
    );
    await expectGradients((x) => image.reconstructPatches(x, 2, [4, 6]), [wave([1, 2, 3, 8])]);
  });
});

describe("values", () => {
  it("integer images are rounded and stay in range", async () => {
    const x = tensor(new NDArray(Uint8Array.of(0, 255, 255, 0), [2, 2, 1], "uint8"));
    const y = await image.resize(x, [4, 4], { interpolation: "bicubic" }).data();
    expect(y.dtype).toBe("uint8");
    expect([...y.numbers()].every((v) => Number.isInteger(v) && v >= 0 && v <= 255)).toBe(true);
    // Halves of places, away from zero: JAX's rule.
    const between = image.mapCoordinates(tensor([1, 2, 3], "int32"), [[0.5, 1.5]], 1);
    expect(await between.array()).toEqual([2, 3]);
  });
  it("a shift moves pixels, and what comes from outside follows the fill mode", async () => {
    const row = tensor([[[1], [2], [3]]], "float32");
    const shifted = (fillMode: string): Promise<unknown> =>
      image.affineTransform(row, [1, 0, -2, 0, 1, 0, 0, 0], { fillMode, fillValue: 9 }).array();
    expect(await shifted("constant")).toEqual([[[9], [9], [1]]]);
    expect(await shifted("nearest")).toEqual([[[1], [1], [1]]]);
    expect(await shifted("wrap")).toEqual([[[2], [3], [1]]]);
    expect(await shifted("mirror")).toEqual([[[3], [2], [1]]]);
    expect(await shifted("reflect")).toEqual([[[2], [1], [1]]]);
  });
  it("patches put together give the image", async () => {
    const x = wave([2, 6, 8, 3]);
    const y = image.reconstructPatches(image.extractPatches(x, [3, 4]), [3, 4], [6, 8]);
    expect(await y.array()).toEqual(await x.array());
    const same = image.extractPatches(x, 4, { padding: "same" });
    expect(await image.reconstructPatches(same, 4, [6, 8], { padding: "same" }).array()).toEqual(await x.array());
  });
  it("colors turn round and back", async () => {
    const rgb = multiply(add(wave([4, 5, 3]), 1), 0.5);
    const back = await image.hsvToRgb(image.rgbToHsv(rgb)).data();
    const original = (await rgb.data()).numbers();
    back.numbers().forEach((v, i) => expect(v).toBeCloseTo(original[i]!, 5));
  });
  it("channels first means the same", async () => {
    const x = wave([2, 5, 6, 3]);
    const first = tensor((await x.data()).contiguous());
    const turned = new NDArray(Float32Array.from({ length: x.size }), [2, 3, 5, 6], "float32");
    const values = (await first.data()).numbers();
    turned.data.forEach((_, i) => {
      const [n, c, h, w] = [Math.floor(i / 90), Math.floor(i / 30) % 3, Math.floor(i / 6) % 5, i % 6];
      turned.data[i] = values[((n * 5 + h) * 6 + w) * 3 + c]!;
    });
    const sum = async (y: Tensor): Promise<number> => (await y.data()).numbers().reduce((s, v) => s + v * v, 0);
    const dataFormat = "channels_first";
    for (const [last, other] of [
      [image.resize(x, [7, 4]), image.resize(turned, [7, 4], { dataFormat })],
      [image.ssim(x, x, { filterSize: 3 }), image.ssim(turned, turned, { filterSize: 3, dataFormat })],
      [image.elasticTransform(x, { seed: 1 }), image.elasticTransform(turned, { seed: 1, dataFormat })],
    ] as const)
      expect(await sum(other)).toBeCloseTo(await sum(last), 3);
  });
  it("equal images have structural similarity 1", async () => {
    expect(await image.ssim(wave([12, 12, 1]), wave([12, 12, 1])).item()).toBeCloseTo(1, 5);
  });
});

describe("symbolic images", () => {
  it("may be of unknown size", () => {
    const x = symbolic([null, null, null, 3]);
    expect(shapeOf(image.resize(x, [4, 5]))).toEqual([null, 4, 5, 3]);
    expect(shapeOf(image.resize(x, [4, 5], { cropToAspectRatio: true, antialias: true }))).toEqual([null, 4, 5, 3]);
    expect(shapeOf(image.affineTransform(x, symbolic([null, 8])))).toEqual([null, null, null, 3]);
    expect(shapeOf(image.elasticTransform(x))).toEqual([null, null, null, 3]);
    expect(shapeOf(image.padImages(x, { topPadding: 1, leftPadding: 1, targetHeight: 9, rightPadding: 2 }))).toEqual([
      null,
      9,
      null,
      3,
    ]);
    expect(shapeOf(image.extractPatches(x, 3))).toEqual([null, null, null, 27]);
    expect(shapeOf(image.ssim(x, x))).toEqual([null]);
    expect(shapeOf(image.sobelEdges(x))).toEqual([null, null, null, 3, 2]);
  });
  it("record nodes under Python's class names", () => {
    const saved = (y: Tensor): unknown => {
      const { operation } = (y as unknown as KerasTensor).history!;
      const { op } = operation as OpOperation;
      return [op.opName, (operation as OpOperation).configOf(operation.inboundNodes[0]!.args)];
    };
    const x = symbolic([null, 8, 8, 3]);
    expect(saved(image.resize(x, [4, 5], { antialias: true }))).toEqual([
      "image.Resize",
      { name: expect.stringMatching(/^resize/), size: [4, 5], antialias: true },
    ]);
    expect(saved(image.extractPatches3d(symbolic([null, 8, 8, 8, 1]), 2))).toEqual([
      "image.ExtractPatches",
      { name: expect.stringMatching(/^extract_patches/), size: [2, 2, 2] },
    ]);
    expect(saved(image.scaleAndTranslate(x, [1, 4, 4, 3], [0.5, 0.5], [0, 0], [1, 2], "linear"))).toEqual([
      "image.ScaleAndTranslate",
      { name: expect.stringMatching(/^scale_and/), spatial_dims: [1, 2], method: "linear", antialias: true },
    ]);
  });
});

describe("refusals", () => {
  const x = range([4, 4, 3]);
  it.each<readonly [string, () => unknown, RegExp]>([
    ["a size of 0", () => image.resize(x, [0, 3]), /two positive integers.*\[0,3\]/],
    ["an unknown interpolation", () => image.resize(x, [3, 3], { interpolation: "area" }), /"nearest", "bilinear"/],
    [
      "both ways to keep the ratio",
      () => image.resize(x, [3, 3], { cropToAspectRatio: true, padToAspectRatio: true }),
      /only one/,
    ],
    ["a matrix for an image", () => image.rgbToHsv(range([4, 3])), /rank 3/],
    ["integers as colors", () => image.rgbToHsv(tensor([[[1, 2, 3]]], "int32")), /must be floats/],
    ["two channels", () => image.rgbToGrayscale(range([4, 4, 2])), /1 or 3 channels/],
    [
      "too many paddings",
      () => image.padImages(x, { topPadding: 1, bottomPadding: 1, targetHeight: 9 }),
      /exactly two of topPadding/,
    ],
    [
      "a crop beyond the image",
      () => image.cropImages(x, { topCropping: 3, bottomCropping: 3, leftCropping: 0, rightCropping: 0 }),
      />= 0/,
    ],
    ["splines of order 3", () => image.mapCoordinates(range([4]), [[1]], 3), /order must be 0 or 1/],
    [
      "overlapping patches",
      () => image.reconstructPatches(range([2, 2, 4]), 2, [4, 4], { strides: 1 }),
      /strides must equal/,
    ],
  ])("%s", (_, call, message) => {
    expect(call).toThrow(message);
  });
});
