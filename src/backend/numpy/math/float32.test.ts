import { describe, expect, it } from "vitest";
import { erfInv } from "./erf-inv.js";
import { erfInvFloat32 } from "./erf-inv-float32.js";
import { log1pFloat32, logFloat32 } from "./log-float32.js";

// Float32 arguments and what compiled JAX returns for them on a CPU with fused multiply-add.
const erfInvX = Float32Array.from([
  1e-30, 1e-5, 0.01, 0.1, -0.3, 0.5, 0.6, -0.65, 0.75, 0.9, 0.99, 0.999, 0.9999999, 0.99999994,
]);
const erfInvY = Float32Array.from([
  8.862268e-31, 8.862268e-6, 0.008862501, 0.08885599, -0.27246276, 0.47693628, 0.5951161, -0.6608543, 0.8134198,
  1.163087, 1.8213867, 2.3267577, 3.7439213, 3.8325067,
]);
const logX = Float32Array.from([1.2e-38, 1e-20, 0.3, 0.5, 0.7, 0.71, 0.99, 1.0, 1.01, 2.5, 100000.0, 3e38]);
const logY = Float32Array.from([
  -87.31591, -46.0517, -1.2039728, -0.6931472, -0.35667497, -0.34249035, -0.010050327, 0.0, 0.009950321, 0.91629076,
  11.512925, 88.59685,
]);
const log1pX = Float32Array.from([-0.999, -0.5, -0.42, -0.41, -0.1, -1e-6, 1e-20, 0.2, 0.41, 0.42, 3.0, 1e10]);
const log1pY = Float32Array.from([
  -6.9077682, -0.6931472, -0.5447271, -0.5276327, -0.105360515, -1.0000005e-6, 1e-20, 0.18232156, 0.3435897, 0.35065684,
  1.3862944, 23.02585,
]);

describe("float32 functions of JAX", () => {
  it("equal JAX to the last bit", () => {
    expect(erfInvX.map(erfInvFloat32)).toEqual(erfInvY);
    expect(logX.map(logFloat32)).toEqual(logY);
    expect(log1pX.map(log1pFloat32)).toEqual(log1pY);
  });

  it("stay within a few float32 units of the true functions", () => {
    for (let i = -999; i < 1000; i++) {
      const x = Math.fround(i / 1000);
      expect(Math.abs(erfInvFloat32(x) - erfInv(x))).toBeLessThanOrEqual(1e-6 * Math.abs(erfInv(x)));
      expect(Math.abs(log1pFloat32(x) - Math.log1p(x))).toBeLessThanOrEqual(2e-7 * Math.abs(Math.log1p(x)));
    }
  });

  it("have the same limits", () => {
    expect([0, -0, 1, -1, 1.5, NaN].map(erfInvFloat32)).toEqual([0, -0, Infinity, -Infinity, NaN, NaN]);
    expect([0, 1e-40, -1, Infinity, NaN].map(logFloat32)).toEqual([-Infinity, -Infinity, NaN, Infinity, NaN]);
    expect([0, -1, -2, Infinity].map(log1pFloat32)).toEqual([0, -Infinity, NaN, Infinity]);
  });
});
