import "../../backend/index.js";
import { describe, expect, it } from "vitest";
import { vectorJacobianProduct } from "../../core/gradient.js";
import { tensor } from "../../core/tensor.js";
import { type Band, interpolations, matrixOf, resizingBand, transposed } from "./band.js";
import { resizeAxis } from "./resample.js";

const sizes = [
  [1, 5],
  [5, 1],
  [7, 7],
  [40, 17],
  [17, 40],
  [96, 131],
  [131, 40],
] as const;
const all = Object.values(interpolations).flatMap((name) =>
  [false, true].flatMap((antialias) => sizes.map(([from, to]) => ({ name, antialias, from, to }))),
);
const columnsOf = (band: Band): number[][] => {
  const rows = matrixOf(band).toArray() as number[][];
  return rows[0]!.map((_, j) => rows.map((row) => row[j]!));
};

describe.each(all)("$name, antialias $antialias, from $from to $to", ({ name, antialias, from, to }) => {
  const band = resizingBand(from, to, name, antialias);

  it("is a matrix whose columns add up to 1 and lie inside", () => {
    for (const column of columnsOf(band)) expect(column.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 5);
    expect(Math.min(...band.first)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...band.first) + band.count).toBeLessThanOrEqual(from);
  });
  it("has a transpose", () => {
    expect(columnsOf(transposed(band))).toEqual(matrixOf(band).toArray());
  });
  it("resizes as the matrix does, and so does its gradient", async () => {
    const values = Array.from({ length: from }, (_, i) => [Math.sin(7 * i), Math.cos(3 * i), i / from]);
    const x = tensor([values], "float32");
    const { outputs, gradients } = vectorJacobianProduct(
      () => [resizeAxis(x, 1, to, name, antialias)],
      [x],
      (ys) => ys,
    );
    const columns = columnsOf(band);
    const wanted = columns.map((column) => [0, 1, 2].map((c) => column.reduce((s, w, i) => s + w * values[i]![c]!, 0)));
    const [result] = (await outputs[0]!.array()) as number[][][];
    result!.forEach((row, j) => row.forEach((v, c) => expect(v).toBeCloseTo(wanted[j]![c]!, 5)));
    const [gradient] = (await gradients[0]!.array()) as number[][][];
    gradient!.forEach((row, i) =>
      row.forEach((v, c) =>
        expect(v).toBeCloseTo(
          columns.reduce((s, column, j) => s + column[i]! * wanted[j]![c]!, 0),
          4,
        ),
      ),
    );
  });
});
