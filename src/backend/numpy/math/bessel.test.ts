import { describe, expect, it } from "vitest";
import { besselI0, besselI0e, besselI1, besselI1e } from "./bessel.js";
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
const i0 = [
  [-8.1, 469.50060671012147],
  [-1.0, 1.2660658777520083],
  [1e-30, 1.0],
  [7.9, 389.406283282158],
  [22.2, 372884464.01122024],
  [300.0, 4.4758473679350521e128],
  [713.0, 6.7051282636709967e307],
] as const;
const i1 = [
  [-8.1, -439.48430891035846],
  [-1.0, -0.56515910399248503],
  [1e-30, 5.0000000000000004e-31],
  [7.9, 363.85394408450839],
  [22.2, 364386997.94098739],
  [300.0, 4.4683813850369544e128],
  [713.0, 6.7004245591864025e307],
] as const;

describe("modified Bessel functions", () => {
  it("agree with mpmath", () => {
    expect(worstRelativeError(besselI0e, i0e)).toBeLessThan(2e-15);
    expect(worstRelativeError(besselI1e, i1e)).toBeLessThan(2e-15);
    expect(worstRelativeError(besselI0, i0)).toBeLessThan(2e-15);
    expect(worstRelativeError(besselI1, i1)).toBeLessThan(2e-15);
  });

  it("have their limits", () => {
    expect([0, Infinity, -Infinity, NaN].map(besselI0)).toEqual([1, Infinity, Infinity, NaN]);
    expect([0, Infinity, -Infinity, NaN].map(besselI1)).toEqual([0, Infinity, -Infinity, NaN]);
    expect([0, Infinity, -Infinity, NaN].map(besselI0e)).toEqual([1, 0, 0, NaN]);
    expect([0, Infinity, -Infinity, NaN].map(besselI1e)).toEqual([0, 0, -0, NaN]);
  });
});
