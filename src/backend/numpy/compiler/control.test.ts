import { describe, expect, it } from "vitest";
import { valueAndGradients } from "../../../core/gradient.js";
import type { Tensor } from "../../../core/tensor.js";
import { traceClosure } from "../../../core/trace.js";
import * as p from "../../../primitives/index.js";
import { spec, worst } from "./testing.js";

const f = (value: number): Tensor => p.full([], value, "float32");

describe("compiled control flow", () => {
  it("branch, loop and scan, forwards and backwards", () => {
    const value = worst(
      (xs, h, w) => {
        const dot = (a: Tensor, b: Tensor): Tensor => p.dot(a, b, { contract: [[1], [0]], batch: [[], []] });
        const { gradients } = valueAndGradients(() => {
          const { program, captured } = traceClosure(
            ([carry, x]) => {
              const next = p.tanh(p.add(dot(carry!, w!), x!));
              return [next, p.multiply(next, next), carry!];
            },
            [h!, spec([3, 4])],
          );
          const [last, squares, carries] = p.scan([h!, xs!, ...captured], {
            body: program,
            carries: 1,
            sequences: 1,
            length: 5,
            reverse: false,
            keepCarries: true,
          });
          return p.sum(p.add(p.add(last!, p.sum(squares!, [0])), p.sum(carries!, [0])), [0, 1]);
        }, [xs!, h!, w!]);
        const reversed = p.scan([h!, xs!], {
          body: traceClosure(([c, x]) => [p.add(p.multiply(c!, f(0.5)), x!), c!], [h!, spec([3, 4])]).program,
          carries: 1,
          sequences: 1,
          length: 5,
          reverse: true,
          keepCarries: false,
        });
        const total = p.sum(h!, [0, 1]);
        const branches = p.cond(p.greater(total, f(0)), [h!, w!], {
          whenTrue: traceClosure(([a]) => [p.exp(a!), a!], [h!, w!]).program,
          whenFalse: traceClosure(([a, b]) => [dot(a!, b!), p.full([3, 4], 2, "float32")], [h!, w!]).program,
        });
        const counter = p.full([], 0, "int32");
        const loop = p.whileLoop([counter, h!], {
          condition: traceClosure(([n]) => [p.less(n!, p.full([], 4, "int32"))], [counter, h!]).program,
          body: traceClosure(([n, a]) => [p.add(n!, p.full([], 1, "int32")), p.tanh(a!)], [counter, h!]).program,
          carries: 2,
          conditionCaptures: 0,
        });
        const swap = p.scan([h!, p.negative(h!)], {
          body: traceClosure(([a, b]) => [b!, a!], [h!, h!]).program,
          carries: 2,
          sequences: 0,
          length: 3,
          reverse: false,
          keepCarries: false,
        });
        return [...gradients, ...reversed, ...branches, ...loop, ...swap];
      },
      spec([5, 3, 4]),
      spec([3, 4]),
      spec([4, 4]),
    );
    expect(value).toBeLessThan(1e-5);
  });
});
