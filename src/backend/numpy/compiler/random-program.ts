import type { DType, TensorSpec } from "../../../core/dtype.js";
import { NDArray, sizeOf } from "../../../core/ndarray.js";
import type { Tensor } from "../../../core/tensor.js";
import * as p from "../../../primitives/index.js";
import { random, randomArray, spec } from "./testing.js";

/** Whole numbers, so that sums and products come out equal in whatever order they are taken. */
const whole = (array: NDArray): NDArray =>
  array.dtype === "float32"
    ? NDArray.from(Array.from(array.numbers(), Math.round), "float32").reshape(array.shape)
    : array;

/** Writes random programs on values of a few shapes and dtypes. */
class Author {
  constructor(
    private readonly next: () => number,
    private readonly pool: Tensor[],
  ) {}
  private below(n: number): number {
    return Math.floor(this.next() * n);
  }
  private pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
  private any(accept: (x: Tensor) => boolean = () => true): Tensor | null {
    const found = this.pool.filter(accept);
    // Recent values more often, so that chains grow.
    return found.length ? found[Math.max(this.below(found.length), this.below(found.length))]! : null;
  }
  private partner(x: Tensor): Tensor {
    const fits = (y: Tensor): boolean =>
      y.dtype === x.dtype &&
      y.shape.length <= x.shape.length &&
      y.shape.every((d, i) => d === 1 || d === x.shape[i + x.shape.length - y.shape.length]);
    return this.next() < 0.2 ? p.full([], this.below(5) - 1, x.dtype) : this.any(fits)!;
  }
  private clamp(x: Tensor): Tensor {
    if (x.dtype === "bool") return x;
    return p.minimum(p.maximum(x, p.full([], x.dtype === "uint32" ? 0 : -50, x.dtype)), p.full([], 50, x.dtype));
  }

  step(): void {
    const x = this.any()!;
    const made = this.pick([
      this.unary,
      this.binary,
      this.binary,
      this.compareOrSelect,
      this.cast,
      this.move,
      this.reduce,
      this.product,
      this.join,
    ]).call(this, x);
    if (made && sizeOf(made.shape) <= 4096) this.pool.push(made);
  }
  private unary(x: Tensor): Tensor {
    if (x.dtype === "bool") return p.logicalNot(x);
    if (x.dtype === "float32") return this.pick([p.negative, p.abs, p.floor, p.sign, p.round])(x);
    if (x.dtype === "float16") return this.pick([p.negative, p.abs, p.floor])(x);
    return x.dtype === "uint32" ? p.bitwiseNot(p.bitwiseNot(x)) : this.pick([p.negative, p.abs, p.bitwiseNot])(x);
  }
  private binary(x: Tensor): Tensor {
    const y = this.partner(x);
    const [a, b] = this.next() < 0.5 ? [x, y] : [y, x];
    if (x.dtype === "bool") return this.pick([p.logicalAnd, p.logicalOr, p.logicalXor])(a, b);
    return this.clamp(this.pick([p.add, p.subtract, p.multiply, p.maximum, p.minimum])(a, b));
  }
  private compareOrSelect(x: Tensor): Tensor {
    const y = this.partner(x);
    if (this.next() < 0.4 && x.dtype !== "bool") return this.pick([p.equal, p.less, p.greaterEqual, p.notEqual])(x, y);
    const mask = this.any((m) => m.dtype === "bool" && m.shape.join() === x.shape.join());
    return mask ? p.select(mask, x, y) : p.equal(x, y);
  }
  private cast(x: Tensor): Tensor {
    return p.cast(
      x,
      this.pick<DType>(
        ["float32", "int32", "bool", "uint8", "float16", "int8"].filter((d) => d !== x.dtype) as DType[],
      ),
    ) as Tensor;
  }
  private move(x: Tensor): Tensor {
    const { shape } = x;
    const axes = [...shape.keys()];
    switch (this.below(7)) {
      case 0:
        return p.transpose(
          x,
          axes.sort(() => this.next() - 0.5),
        );
      case 1:
        return p.reshape(
          x,
          this.pick([
            [sizeOf(shape)],
            [...shape, 1],
            [1, ...shape],
            shape.length > 1 ? [shape[0]! * shape[1]!, ...shape.slice(2)] : shape,
          ]),
        );
      case 2:
        return p.reverse(
          x,
          axes.filter(() => this.next() < 0.5),
        );
      case 3:
        return p.broadcastTo(x, this.next() < 0.5 ? [2, ...shape] : shape.map((d) => (d === 1 ? 3 : d)));
      case 4: {
        const start = shape.map((d) => this.below(Math.min(2, d)));
        return p.slice(
          x,
          start,
          shape,
          shape.map(() => 1 + this.below(2)),
        );
      }
      case 5: {
        const amount = (): number[] => shape.map(() => this.below(3) - (this.next() < 0.2 ? 1 : 0));
        return p.pad(x, {
          low: amount(),
          high: amount(),
          interior: shape.map(() => this.below(2)),
          value: this.below(3),
        });
      }
      default:
        return p.bitcast(p.bitcast(x, x.dtype), x.dtype);
    }
  }
  private reduce(x: Tensor): Tensor {
    const axes = [...x.shape.keys()].filter(() => this.next() < 0.5);
    if (x.dtype === "bool") return this.pick([p.any, p.all])(x, axes, this.next() < 0.5);
    if (x.shape.includes(0)) return x;
    return this.clamp(this.pick([p.sum, p.max, p.min])(x, axes, this.next() < 0.5));
  }
  private product(x: Tensor): Tensor | null {
    const rank = x.shape.length;
    if (rank === 0) return null;
    const axis = this.below(rank);
    const y = this.any((t) => t.dtype === x.dtype && t.shape.includes(x.shape[axis]!) && t.dtype !== "bool");
    if (!y || x.dtype === "bool") return null;
    return this.clamp(p.dot(x, y, { contract: [[axis], [y.shape.indexOf(x.shape[axis]!)]], batch: [[], []] }));
  }
  private join(x: Tensor): Tensor | null {
    if (x.shape.length === 0) return null;
    const axis = this.below(x.shape.length);
    const y = this.any(
      (t) =>
        t.dtype === x.dtype &&
        t.shape.length === x.shape.length &&
        t.shape.every((d, i) => i === axis || d === x.shape[i]),
    );
    return y ? p.concatenate([x, y, x], axis) : null;
  }
}

export interface RandomProgram {
  readonly specs: readonly TensorSpec[];
  readonly arrays: readonly NDArray[];
  readonly fn: (...xs: Tensor[]) => readonly Tensor[];
}

/** A program of 5 to 45 ops on eight inputs; `everything` returns all values, for finding where two engines part. */
export function randomProgram(seed: number, everything = false): RandomProgram {
  const next = random(seed + 1);
  const dims = (): number[] =>
    Array.from({ length: Math.floor(next() * 4) }, () => [1, 2, 3, 5, 17][Math.floor(next() * 5)]!);
  const shape = dims();
  const specs: TensorSpec[] = [
    spec(shape),
    spec(shape.map((d) => (next() < 0.5 ? 1 : d))),
    spec(shape.slice(1)),
    spec(dims()),
    spec(shape, "bool"),
    spec(shape, "int32"),
    spec(dims(), "uint8"),
    spec(shape, "uint32"),
  ];
  const arrays = specs.map((s) => whole(randomArray(s, next)));
  const fn = (...xs: Tensor[]): readonly Tensor[] => {
    const pool = [...xs];
    const author = new Author(next, pool);
    const length = 5 + Math.floor(next() * 40);
    for (let i = 0; i < length; i++) author.step();
    const outputs = pool.filter(() => next() < 0.25 || everything);
    return [...outputs, pool.at(-1)!, pool[0]!];
  };
  return { specs, arrays, fn };
}
