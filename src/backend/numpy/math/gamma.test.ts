import { describe, expect, it } from "vitest";
import { lgamma } from "./lgamma.js";
import { digamma, hurwitzZeta, polygamma, trigamma } from "./polygamma.js";
import { worstRelativeError } from "./relative-error.testing.js";

// Arguments and values computed with mpmath at 40 digits.
const lgammaTable = [
  [1e-300, 690.77552789821371],
  [1e-5, 11.512919692895826],
  [0.2, 1.5240638224307845],
  [0.5, 0.57236494292470009],
  [0.9999999, 5.7721574684441928e-8],
  [1.0000001, -5.7721558299185071e-8],
  [1.4, -0.11961291417237129],
  [1.9999, -4.2275208772153458e-5],
  [2.00001, 4.2278755976483596e-6],
  [2.5, 0.28468287047291916],
  [3.3, 0.9870985778947344],
  [7.99, 8.5050116060884811],
  [8.0, 8.5251613610654143],
  [11.7, 16.773454337766377],
  [100.0, 359.1342053695754],
  [10000000000.0, 220258509288.81058],
  [1e300, 6.8977552789821374e302],
  [-0.5, 1.2655121234846454],
  [-1e-8, 18.420680749724522],
  [-3.7, -1.3797399049658245],
  [-20.3, -41.887292480135242],
] as const;
const digammaTable = [
  [1e-300, -9.9999999999999997e299],
  [1e-5, -100000.57719921567],
  [0.2, -5.289039896592188],
  [0.5, -1.9635100260214235],
  [1.0, -0.57721566490153286],
  [1.3, -0.16919088886679961],
  [1.7, 0.20854787487349392],
  [2.0, 0.42278433509846714],
  [5.5, 1.6110931485817511],
  [9.99, 2.2507003728312011],
  [10.0, 2.2517525890667211],
  [123.0, 4.8081138065732548],
  [1e20, 46.051701859880914],
  [-0.3, 2.1133097796353989],
  [-1e-7, 9999999.4227841711],
  [-7.4, 3.0882938617110578],
  [-30.6, 2.4164855599378201],
] as const;
const trigammaTable = [
  [1e-100, 9.9999999999999996e199],
  [1e-5, 10000000001.644908],
  [0.2, 26.267377205423776],
  [1.0, 1.6449340668482264],
  [2.5, 0.49035775610023486],
  [11.9, 0.087663201190004184],
  [12.0, 0.086901872871768391],
  [1000.0, 0.0010005001666666333],
  [1e20, 1.0e-20],
  [-0.3, 13.945160267805722],
  [-7.4, 10.785152066579579],
] as const;
const higherTable = {
  2: [
    [1e-5, -2000000000000001.9],
    [0.5, -16.82879664423432],
    [3.0, -0.15411380631918857],
    [12.5, -0.0069324365857882408],
    [1000000.0, -1.0000010000005e-12],
  ],
  3: [
    [1e-5, 5.999999999999998e20],
    [0.5, 97.409091034002437],
    [3.0, 0.11893940226682915],
    [12.5, 0.0011534128049134051],
    [1000000.0, 2.000003000002e-18],
  ],
  10: [
    [1e-5, -3.6287999999999967e61],
    [0.5, -7431824508.858769],
    [3.0, -21.436606628712991],
    [12.5, -5.67985351456712e-6],
    [1000000.0, -3.628818144033264e-55],
  ],
} as const;
const zetaTable = [
  [1.001, 1000.5772884760116],
  [1.5, 2.6123753486854883],
  [2.0, 1.6449340668482264],
  [3.7, 1.1062882414646792],
  [20.0, 1.0000009539620339],
] as const;

describe("gamma functions", () => {
  it("agree with mpmath", () => {
    expect(worstRelativeError(lgamma, lgammaTable)).toBeLessThan(2e-15);
    expect(worstRelativeError(digamma, digammaTable)).toBeLessThan(1e-14);
    expect(worstRelativeError(trigamma, trigammaTable)).toBeLessThan(2e-15);
    expect(worstRelativeError((s) => hurwitzZeta(s, 1), zetaTable)).toBeLessThan(2e-15);
    for (const [order, table] of Object.entries(higherTable)) {
      expect(worstRelativeError((x) => polygamma(Number(order), x), table)).toBeLessThan(2e-15);
    }
    expect(polygamma(0, 2.5)).toBe(digamma(2.5));
    expect(polygamma(1, 2.5)).toBe(trigamma(2.5));
  });

  it("have the poles and limits of JAX's", () => {
    expect([0, -1, -Infinity, Infinity, 1, 2, NaN].map(lgamma)).toEqual([
      Infinity,
      Infinity,
      Infinity,
      Infinity,
      0,
      0,
      NaN,
    ]);
    expect([0, -1, -Infinity, Infinity, NaN].map(digamma)).toEqual([NaN, NaN, NaN, Infinity, NaN]);
    expect([0, -1, Infinity, NaN].map(trigamma)).toEqual([Infinity, Infinity, 0, NaN]);
    expect(polygamma(2, -0.5)).toBeNaN();
  });
});
