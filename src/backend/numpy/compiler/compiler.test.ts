import { describe, expect, it } from "vitest";
import { NDArray } from "../../../core/ndarray.js";
import type { Tensor } from "../../../core/tensor.js";
import { trace } from "../../../core/trace.js";
import { valueAndGradients } from "../../../core/gradient.js";
import * as p from "../../../primitives/index.js";
import { HeapArray, releaseArray } from "../heap-array.js";
import backend from "../index.js";
import { compileForHeap } from "./index.js";
import { compare, random, randomArray, spec, wasm } from "./testing.js";

const f = (value: number): Tensor => p.full([], value, "float32");

describe("compiled programs", () => {
  it("compute broadcast elementwise chains", () => {
    const shapes = [[3, 4], [4], [3, 1], [], [1, 4], [2, 3, 4], [1, 1, 1]];
    for (const a of shapes)
      for (const b of shapes) {
        const next = random(a.length * 10 + b.length);
        const { worst } = compare(
          (x, y) => {
            const z = p.add(p.multiply(x!, y!), f(1));
            return [z, p.exp(p.subtract(z, x!)), p.select(p.greater(x!, y!), x!, z)];
          },
          [spec(a), spec(b)],
          [randomArray(spec(a), next), randomArray(spec(b), next)],
        );
        expect(worst, `${a} with ${b}`).toBeLessThan(1e-6);
      }
  });

  it("read transposed, reversed, sliced and broadcast operands", () => {
    const next = random(1);
    const { worst } = compare(
      (x, y) => {
        const t = p.transpose(x!, [2, 0, 1]);
        const s = p.slice(p.reverse(x!, [1]), [0, 1, 0], [5, 4, 6], [2, 2, 3]);
        const r = p.reshape(t, [6, 20]);
        return [p.add(t, p.broadcastTo(y!, [6, 5, 4])), s, r, p.negative(p.transpose(r, [1, 0])), p.reshape(s, [3, 4])];
      },
      [spec([5, 4, 6]), spec([5, 1])],
      [randomArray(spec([5, 4, 6]), next), randomArray(spec([5, 1]), next)],
    );
    expect(worst).toBe(0);
  });

  it("return inputs, constants, splats, repeated and reshaped results as owned values", () => {
    const constant = backend.fromHost(NDArray.from([1, 2, 3])) as NDArray;
    const program = trace(
      (x) => {
        const y = p.multiply(x!, f(2));
        return [x!, y, y, p.reshape(y, [3, 2]), p.reshape(x!, [6]), p.full([2, 2], 3, "int32"), p.transpose(y, [1, 0])];
      },
      [spec([2, 3])],
    );
    expect(constant.shape).toEqual([3]);
    const executable = compileForHeap(program, backend.kernels, wasm);
    const x = HeapArray.allocate(wasm.heap, [2, 3], "float32");
    x.view().set([1, 2, 3, 4, 5, 6] as never);
    const results = executable.run([x]) as NDArray[];
    x.release();
    const arrays = results.map((r) => r.toArray());
    expect(arrays).toEqual([
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      [
        [2, 4, 6],
        [8, 10, 12],
      ],
      [
        [2, 4, 6],
        [8, 10, 12],
      ],
      [
        [2, 4],
        [6, 8],
        [10, 12],
      ],
      [1, 2, 3, 4, 5, 6],
      [
        [3, 3],
        [3, 3],
      ],
      [
        [2, 8],
        [4, 10],
        [6, 12],
      ],
    ]);
    releaseArray(results[1]!);
    expect(results[2]!.toArray()).toEqual([
      [2, 4, 6],
      [8, 10, 12],
    ]);
    results.forEach(releaseArray);
    executable.dispose();
  });

  it("leave the heap as it was, however often they run", () => {
    const program = trace(
      (x, w) => {
        const { value, gradients } = valueAndGradients(() => {
          const y = p.tanh(p.dot(x!, w!, { contract: [[1], [0]], batch: [[], []] }));
          return p.sum(p.multiply(y, y), [0, 1]);
        }, [w!]);
        return [value, p.subtract(w!, p.multiply(gradients[0]!, f(0.01)))];
      },
      [spec([8, 5]), spec([5, 7])],
    );
    const next = random(3);
    const x = randomArray(spec([8, 5]), next);
    const executable = compileForHeap(program, backend.kernels, wasm);
    let w: NDArray = randomArray(spec([5, 7]), next);
    let inUse = 0;
    for (let i = 0; i < 1000; i++) {
      const [loss, updated] = executable.run([x, w]) as [NDArray, NDArray];
      releaseArray(loss);
      releaseArray(w);
      w = updated;
      if (i === 10) inUse = wasm.heap.bytesInUse;
    }
    expect(wasm.heap.bytesInUse).toBe(inUse);
    expect(w.numbers().every(Number.isFinite)).toBe(true);
    releaseArray(w);
    executable.dispose();
  });

  it("fold what is known while compiling", () => {
    const { worst } = compare(
      (x) => {
        const rows = p.iota([4, 4], 0, "int32");
        const columns = p.iota([4, 4], 1, "int32");
        const mask = p.greaterEqual(rows, columns);
        const scale = p.divide(p.full([4, 4], 6, "float32"), p.full([], 3, "float32"));
        return [p.select(mask, p.multiply(x!, scale), f(-Infinity)), p.cast(p.iota([3, 5], 1, "float32"), "int32")];
      },
      [spec([4, 4])],
      [randomArray(spec([4, 4]), random(5))],
    );
    expect(worst).toBe(0);
  });
});
