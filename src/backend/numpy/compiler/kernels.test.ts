import { describe, expect, it } from "vitest";
import { valueAndGradients, vectorJacobianProduct } from "../../../core/gradient.js";
import { NDArray } from "../../../core/ndarray.js";
import type { Tensor } from "../../../core/tensor.js";
import * as p from "../../../primitives/index.js";
import { compare, random, randomArray, spec, worst } from "./testing.js";

const f = (value: number): Tensor => p.full([], value, "float32");
const whole = (x: Tensor): Tensor => p.round(x);

describe("compiled kernels", () => {
  it("convolve with bias and relu, forwards and backwards", () => {
    const cases = [
      {
        x: [2, 9, 8, 3],
        k: [3, 3, 3, 8],
        strides: [1, 1],
        padding: [
          [1, 1],
          [0, 2],
        ],
        dilation: [1, 1],
        groups: 1,
      },
      {
        x: [1, 9, 8, 8],
        k: [3, 2, 8, 6],
        strides: [2, 1],
        padding: [
          [0, 0],
          [0, 0],
        ],
        dilation: [1, 2],
        groups: 1,
      },
      {
        x: [2, 8, 8, 6],
        k: [3, 3, 2, 9],
        strides: [1, 2],
        padding: [
          [1, 1],
          [1, 1],
        ],
        dilation: [1, 1],
        groups: 3,
      },
      {
        x: [2, 6, 7, 8],
        k: [3, 3, 1, 8],
        strides: [1, 1],
        padding: [
          [1, 1],
          [1, 1],
        ],
        dilation: [1, 1],
        groups: 8,
      },
      {
        x: [2, 5, 5, 8],
        k: [1, 1, 8, 12],
        strides: [1, 1],
        padding: [
          [0, 0],
          [0, 0],
        ],
        dilation: [1, 1],
        groups: 1,
      },
      {
        x: [2, 7, 7, 4],
        k: [2, 2, 4, 4],
        strides: [1, 1],
        padding: [
          [-1, 1],
          [2, -2],
        ],
        dilation: [1, 1],
        groups: 1,
      },
      { x: [3, 20, 5], k: [4, 5, 7], strides: [2], padding: [[3, 0]], dilation: [1], groups: 1 },
      {
        x: [1, 4, 5, 4, 2],
        k: [2, 2, 2, 2, 3],
        strides: [1, 1, 1],
        padding: [
          [0, 0],
          [1, 0],
          [0, 0],
        ],
        dilation: [1, 1, 1],
        groups: 1,
      },
    ] as const;
    for (const { x, k, ...attributes } of cases) {
      const value = worst(
        (image, kernel, bias) => {
          const y = p.maximum(p.add(p.convolution(image!, kernel!, attributes as never), bias!), f(0));
          const { gradients, value: loss } = valueAndGradients(
            () =>
              p.sum(
                p.multiply(p.convolution(image!, kernel!, attributes as never), p.stopGradient(y)),
                y.shape.map((_, i) => i),
              ),
            [image!, kernel!],
          );
          return [y, loss, ...gradients];
        },
        spec(x),
        spec(k),
        spec([k[k.length - 1]!]),
      );
      expect(value, JSON.stringify(k)).toBeLessThan(1e-4);
    }
  });

  it("keep a convolution's own result where something else reads it", () => {
    const attributes = { strides: [1], padding: [[0, 0]], dilation: [1], groups: 1 } as const;
    const value = worst(
      (x, k, b) => {
        const y = p.convolution(x!, k!, attributes);
        const z = p.add(y, b!);
        return [p.maximum(z, f(0)), z, p.sum(y, [0, 1])];
      },
      spec([2, 9, 3]),
      spec([2, 3, 4]),
      spec([4]),
    );
    expect(value).toBeLessThan(1e-5);
  });

  it("pool, forwards and backwards to second order", () => {
    const attributes = {
      window: [3, 2],
      strides: [2, 2],
      padding: [
        [1, 1],
        [0, 1],
      ],
    } as const;
    const value = worst(
      (x, g) => {
        const rounded = whole(x!);
        const [mx, sm] = [p.maxPool(rounded, attributes), p.sumPool(x!, attributes)];
        const { gradients } = vectorJacobianProduct(
          () => [p.maxPool(rounded, attributes), p.sumPool(rounded, attributes)],
          [rounded],
          ([a]) => [a!, a!],
        );
        return [mx, sm, gradients[0]!, p.maxPoolSelect(rounded, g!, attributes)];
      },
      spec([2, 7, 8, 5]),
      spec([2, 7, 8, 5]),
    );
    expect(value).toBeLessThan(1e-6);
  });

  it("reduce over any axes of any layout", () => {
    for (const axes of [[], [0], [1], [2], [3], [0, 1], [1, 2], [0, 2], [1, 3], [0, 1, 3], [0, 1, 2, 3]]) {
      const value = worst(
        (x) => {
          const t = p.transpose(x!, [2, 0, 3, 1]);
          return [x!, t, p.slice(x!, [0, 1, 0, 0], [3, 4, 1, 5]), p.broadcastTo(x!, [3, 4, 2, 5])].flatMap((y) => [
            p.sum(y, axes),
            p.max(y, axes, true),
            p.min(y, axes),
            p.product(y, axes, true),
            p.argMax(y, axes[0] ?? 0),
            p.argMin(y, axes[0] ?? 0),
          ]);
        },
        spec([3, 4, 1, 5]),
      );
      expect(value, String(axes)).toBeLessThan(1e-5);
    }
  });

  it("multiply stacks of matrices in any layout", () => {
    const value = worst(
      (q, k, v) => {
        const scores = p.dot(q!, k!, {
          contract: [[3], [3]],
          batch: [
            [0, 2],
            [0, 2],
          ],
        });
        const mixed = p.dot(scores, v!, {
          contract: [[3], [1]],
          batch: [
            [0, 1],
            [0, 2],
          ],
        });
        return [
          scores,
          mixed,
          p.transpose(mixed, [0, 2, 1, 3]),
          p.dot(q!, k!, {
            contract: [
              [0, 2],
              [0, 2],
            ],
            batch: [[], []],
          }),
        ];
      },
      spec([2, 5, 3, 4]),
      spec([2, 6, 3, 4]),
      spec([2, 6, 3, 7]),
    );
    expect(value).toBeLessThan(1e-5);
  });

  it("add bias and relu to products only where the bias runs along the columns", () => {
    for (const [a, b, bias] of [
      [[4, 3], [3, 5], [5]],
      [
        [4, 3],
        [3, 5],
        [4, 1],
      ],
      [
        [4, 3],
        [3, 5],
        [1, 1],
      ],
      [[4, 3], [3, 1], [1]],
      [[1, 3], [3, 5], [5]],
      [
        [5, 3],
        [3, 5],
        [1, 5],
      ],
    ] as const) {
      const value = worst(
        (x, y, z) => {
          const d = p.dot(x!, y!, { contract: [[1], [0]], batch: [[], []] });
          return [
            p.maximum(p.add(d, z!), f(0)),
            p.maximum(
              f(0),
              p.add(z!, p.dot(y!, x!, { contract: [[0], [1]], batch: [[], []] }).shape[1] === z!.shape.at(-1) ? d : d),
            ),
          ];
        },
        spec(a),
        spec(b),
        spec(bias),
      );
      expect(value, `${a} ${b} ${bias}`).toBeLessThan(1e-5);
    }
  });

  it("join and pad strided operands of all widths", () => {
    for (const dtype of ["float32", "int32", "bool", "uint8", "float16"] as const) {
      const value = worst(
        (x, y) => {
          const t = p.transpose(y!, [1, 0]);
          return [
            p.concatenate([x!, t, p.reverse(x!, [0, 1])], 0),
            p.concatenate([p.transpose(x!, [1, 0]), y!], 1),
            p.pad(t, { low: [1, 2], high: [0, 1], interior: [1, 0], value: 1 }),
            p.pad(x!, { low: [-1, 1], high: [2, -2], interior: [0, 0], value: 0 }),
            p.pad(x!, { low: [-1, 1], high: [2, -2], interior: [1, 2], value: 0 }),
            p.pad(p.full([2, 2], 1, dtype), { low: [1, 1], high: [1, 1], interior: [0, 0], value: 0 }),
          ];
        },
        spec([3, 4], dtype),
        spec([4, 5], dtype),
      );
      expect(value, dtype).toBe(0);
    }
  });

  it("pick rows and add to them, indices outside included", () => {
    const next = random(9);
    for (const mode of ["clip", "fill", "zero"] as const) {
      const specs = [spec([6, 5]), spec([3, 4], "int32"), spec([3, 4, 5])];
      const indices = NDArray.from([0, 5, 2, -1, 9, 6, 1, 1, 3, -7, 4, 0], "int32").reshape([3, 4]);
      const { worst: value } = compare(
        (x, i, u) => {
          const at = p.reshape(i!, [3, 4, 1]);
          return [
            p.take(x!, i!, 0, mode),
            p.take(x!, i!, 1, mode),
            p.gather(x!, at, mode),
            p.take(p.cast(whole(x!), "int32"), i!, 0, mode),
            p.take(p.greater(x!, f(0)), i!, 0, mode),
            p.scatter(x!, at, u!, "add"),
            p.scatter(p.full([6, 5], 0, "float32"), at, u!, "add"),
            p.scatter(p.multiply(x!, f(2)), at, u!, "add"),
            p.scatter(x!, at, u!, "max"),
          ];
        },
        specs,
        [randomArray(specs[0]!, next), indices, randomArray(specs[2]!, next)],
      );
      expect(value, mode).toBeLessThan(1e-6);
    }
  });

  it("read and replace windows that begin at a computed place", () => {
    const starts = NDArray.from([-3, 2, 0], "int32");
    for (const shift of [0, 1, 5]) {
      const next = random(shift + 1);
      const specs = [spec([4, 5, 6]), spec([3], "int32"), spec([2, 3, 1])];
      const { worst: value } = compare(
        (x, at, u) => {
          const start = p.add(at!, p.full([3], shift, "int32"));
          const t = p.transpose(x!, [2, 0, 1]);
          return [
            p.dynamicSlice(x!, start, [2, 3, 4]),
            p.dynamicSlice(t, start, [2, 1, 5]),
            p.dynamicUpdateSlice(x!, u!, start),
            p.dynamicUpdateSlice(p.multiply(x!, f(2)), u!, start),
            p.dynamicUpdateSlice(t, p.transpose(u!, [2, 0, 1]), start),
          ];
        },
        specs,
        [randomArray(specs[0]!, next), starts, randomArray(specs[2]!, next)],
      );
      expect(value).toBe(0);
    }
  });

  it("compute 16-bit floats as float32 and round the results", () => {
    for (const dtype of ["float16", "bfloat16"] as const) {
      const value = worst(
        (x, y, k) => {
          const d = p.dot(x!, y!, { contract: [[1], [0]], batch: [[], []] });
          const attributes = { strides: [1], padding: [[1, 1]], dilation: [1], groups: 1 } as const;
          const c = p.convolution(p.reshape(x!, [2, 4, 3]), k!, attributes);
          return [d, p.sum(d, [0]), p.max(d, [1]), p.argMax(d, 1), c, p.sigmoid(p.add(d, p.full([], 1, dtype)))];
        },
        spec([8, 3], dtype),
        spec([3, 5], dtype),
        spec([3, 3, 4], dtype),
      );
      expect(value, dtype).toBeLessThan(dtype === "float16" ? 1e-3 : 1e-2);
    }
  });

  it("draw the same random bits", () => {
    const value = worst((key) => [p.randomBits(key!, [3, 7]), ...p.threefry(key!, [5])], spec([2], "uint32"));
    expect(value).toBe(0);
    expect(worst((key) => [p.randomBits(key!, [70])], spec([4, 2], "uint32"))).toBe(0);
  });
});
