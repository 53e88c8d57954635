import { describe, expect, it } from "vitest";
import { besselI0e, besselI1e } from "./bessel.js";
import { worstRelativeError } from "./relative-error.testing.js";

// Arguments and values computed with mpmath at 40 digits.
const i0e = [
  [-30.0, 0.073145946482237294],
  [-8.1, 0.14251180948829528],
  [-5.8, 0.16965840616909006],
  [-0.001, 0.99900074958351556],
  [1e-30, 1.0],
  [0.4, 0.69740217055953318],
  [2.0, 0.30850832255367104],
  [7.99, 0.14352476537933485],
  [8.0, 0.14343178185685031],
  [8.01, 0.14333897941113851],
  [22.2, 0.085160223172627673],
  [500.0, 0.017845706500153167],
  [100000000.0, 3.9894228090011053e-5],
] as const;
const i1e = [
  [-30.0, -0.071916330598647555],
  [-8.1, -0.13340068832583663],
  [-5.8, -0.15424236409128372],
  [-0.001, -0.00049950031235422135],
  [1e-30, 5.0000000000000004e-31],
  [0.4, 0.13676322429582918],
  [2.0, 0.21526928924893766],
  [7.99, 0.13421733957828099],
  [8.0, 0.13414249329269818],
  [8.01, 0.13406776900984483],
  [22.2, 0.083219552061907742],
  [500.0, 0.017827851852898056],
  [100000000.0, 3.9894227890539912e-5],
] as const;
describe("modified Bessel functions", () => {
  it("agree with mpmath", () => {
    expect(worstRelativeError(besselI0e, i0e)).toBeLessThan(2e-15);
    expect(worstRelativeError(besselI1e, i1e)).toBeLessThan(2e-15);
  });

  it("have their limits", () => {
    expect([0, Infinity, -Infinity, NaN].map(besselI0e)).toEqual([1, 0, 0, NaN]);
    expect([0, Infinity, -Infinity, NaN].map(besselI1e)).toEqual([0, 0, -0, NaN]);
  });
});
