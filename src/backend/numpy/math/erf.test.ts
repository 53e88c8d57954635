import { describe, expect, it } from "vitest";
import { erf, erfc } from "./erf.js";
import { erfInv } from "./erf-inv.js";
import { worstRelativeError } from "./relative-error.testing.js";

// Arguments and values computed with mpmath at 40 digits.
const erfTable = [
  [1e-300, 1.1283791670955126e-300],
  [1e-10, 1.1283791670955126e-10],
  [0.01, 0.011283415555849617],
  [-0.3, -0.32862675945912742],
  [0.5, 0.52049987781304654],
  [0.99999, 0.84269664183322979],
  [1.0, 0.84270079294971487],
  [1.00001, 0.84270494398317849],
  [-1.5, -0.96610514647531073],
  [2.0, 0.99532226501895273],
  [2.7, 0.99986566726005948],
  [4.0, 0.9999999845827421],
  [5.5, 0.99999999999999264],
] as const;
const erfcTable = [
  [-5.0, 1.9999999999984625],
  [-1.2, 1.9103139782296354],
  [-1e-5, 1.0000112837916706],
  [0.2, 0.77729741078952153],
  [0.5, 0.47950012218695346],
  [0.9, 0.20309178757716786],
  [1.0, 0.15729920705028513],
  [1.1, 0.11979493042591827],
  [2.3892315569272906, 0.00072780797638941227],
  [3.3, 3.0577097964381652e-6],
  [6.0, 2.1519736712498913e-17],
  [10.1, 2.770896983131174e-46],
  [15.0, 7.2129941724512067e-100],
  [20.7, 2.2085481102488884e-188],
  [26.0, 5.6631924088561428e-296],
] as const;
const erfInvTable = [
  [1e-300, 8.8622692545275804e-301],
  [1e-12, 8.86226925452758e-13],
  [-1e-5, -8.8622692547595945e-6],
  [0.1, 0.088855990494257692],
  [0.3, 0.27246271472675435],
  [0.49, 0.46586860023505734],
  [0.5, 0.47693627620446987],
  [-0.75, -0.81341984759761854],
  [0.9, 1.1630871536766742],
  [0.99, 1.8213863677184495],
  [0.9999, 2.7510639057120797],
  [0.9999999, 3.7665625816384709],
  [0.9999999999990905, 5.05125408524939],
  [0.9999999999999999, 5.8635847487551679],
] as const;

describe("error functions", () => {
  it("agree with mpmath to the last digits", () => {
    expect(worstRelativeError(erf, erfTable)).toBeLessThan(5e-16);
    expect(worstRelativeError(erfc, erfcTable)).toBeLessThan(1e-15);
    expect(worstRelativeError(erfInv, erfInvTable)).toBeLessThan(1e-15);
  });

  it("have their limits", () => {
    expect([0, -0, Infinity, -Infinity, NaN].map(erf)).toEqual([0, -0, 1, -1, NaN]);
    expect([0, Infinity, -Infinity, NaN, 30].map(erfc)).toEqual([1, 0, 2, NaN, 0]);
    expect([0, -0, 1, -1, 1.5, NaN].map(erfInv)).toEqual([0, -0, Infinity, -Infinity, NaN, NaN]);
  });

  it("invert each other", () => {
    for (let x = -3; x <= 3; x += 0.37) expect(erfInv(erf(x))).toBeCloseTo(x, 10);
  });
});
