import type { Shape, TensorSpec } from "../../../core/dtype.js";
import type { PoolAttributes } from "../../../primitives/index.js";
import {
  type A,
  add,
  and,
  broadcastTo,
  count,
  equal,
  isNaN,
  less,
  like,
  maximum,
  not,
  or,
  padZeros,
  reshape,
  scalar,
  sizeOf,
  slice,
  stored,
  where,
  written,
} from "../ops.js";
import type { Lowerings } from "./lowering.js";
import { pad } from "./movement.js";
import { MOST_TAPS, placeTap, type Sliding, tapOf, tapsOf } from "./taps.js";

const sliding = ({ window, strides, padding }: PoolAttributes): Sliding => ({
  strides,
  padding,
  dilation: window.map(() => 1),
});
const padded = (x: A, { padding }: PoolAttributes, value: number): A =>
  padding.every(([low, high]) => low === 0 && high === 0)
    ? x
    : pad(x, {
        low: [0, ...padding.map(([low]) => low), 0],
        high: [0, ...padding.map(([, high]) => high), 0],
        interior: x.shape.map(() => 0),
        value,
      });
const pieces = (image: A, attributes: PoolAttributes, positions: Shape): A[] =>
  tapsOf(attributes.window).map((tap) => tapOf(image, tap, positions, sliding(attributes)));

const maxPool = (x: A, attributes: PoolAttributes, positions: Shape): A =>
  pieces(padded(x, attributes, -Infinity), attributes, positions).reduce(maximum);
const sumPool = (x: A, attributes: PoolAttributes, positions: Shape): A =>
  pieces(padded(x, attributes, 0), attributes, positions).reduce(add);

/** For each tap whether it is the first of its window with the largest element. */
function firstLargest(x: A, attributes: PoolAttributes, positions: Shape): A[] {
  const values = pieces(padded(x, attributes, -Infinity), attributes, positions);
  const best = stored(values.reduce(maximum));
  const attains = values.map((v) => or(equal(v, best), and(isNaN(v), isNaN(best))));
  let found: A = scalar(0, "bool");
  return attains.map((hit) => {
    const first = and(hit, not(found));
    found = or(found, hit);
    return first;
  });
}

/** Whether windows lie side by side from the edge on. */
const tiles = ({ window, strides, padding }: PoolAttributes): boolean =>
  window.every((size, i) => size === strides[i]) && padding.every(([low, high]) => low === 0 && high === 0);

/** Where windows lie side by side: `g` at each window's element whose number is in `chosen`, and zero elsewhere. */
function spreadTiles(g: A, chosen: A, { window }: PoolAttributes, shape: Shape): A {
  const [batch, ...rest] = g.shape as [number, ...number[]];
  const [positions, channels] = [rest.slice(0, -1), rest[rest.length - 1]!];
  const apart = [batch, ...positions.flatMap((n) => [n, 1]), channels];
  const together = [batch, ...positions.flatMap((n, i) => [n, window[i]!]), channels];
  const numbers = reshape(stored(count([sizeOf(window)], 0)), [1, ...window.flatMap((size) => [1, size]), 1]);
  const values = where(equal(reshape(chosen, apart), numbers), reshape(g, apart), like(g, 0));
  const image = reshape(broadcastTo(values, together), [batch, ...positions.map((n, i) => n * window[i]!), channels]);
  return padZeros(
    image,
    shape.map(() => 0),
    image.shape.map((n, i) => shape[i]! - n),
  );
}
/** For each window the number of its first largest element. */
function numberOfFirst(x: A, attributes: PoolAttributes, positions: Shape): A {
  const [first, ...others] = pieces(x, attributes, positions) as [A, ...A[]];
  let best = first;
  let chosen = broadcastTo(scalar(0, "int32"), best.shape);
  others.forEach((v, i) => {
    const larger = or(less(best, v), and(isNaN(v), equal(best, best)));
    chosen = where(larger, scalar(i + 1, "int32"), chosen);
    best = where(larger, v, best);
  });
  return written(chosen);
}

/** Sum of what each tap puts into the image, less the margins. */
function placed(values: readonly A[], attributes: PoolAttributes, shape: Shape): A {
  const { padding, window } = attributes;
  const image = shape.map((d, i) => (i === 0 || i > window.length ? d : d + padding[i - 1]![0] + padding[i - 1]![1]));
  const total = tapsOf(window)
    .map((tap, i) => placeTap(values[i]!, tap, image, sliding(attributes)))
    .reduce(add);
  const low = [0, ...padding.map(([n]) => n), 0];
  return slice(
    total,
    low,
    low.map((n, i) => n + shape[i]!),
  );
}
const spatialOf = ({ shape }: { readonly shape: Shape }): Shape => shape.slice(1, -1);

const small = ([x]: readonly TensorSpec[], { window }: PoolAttributes): boolean =>
  x!.dtype === "float32" && sizeOf(window) <= MOST_TAPS;

/** Pooling, pair by pair over shifted slices. */
export const poolingLowerings = {
  maxPool: { when: small, lower: ([x], a, [output]) => [maxPool(x!, a, spatialOf(output!))] },
  maxPoolGradient: {
    when: small,
    lower: ([x, g], a) => {
      if (tiles(a)) return [spreadTiles(g!, numberOfFirst(x!, a, spatialOf(g!)), a, x!.shape)];
      const hits = firstLargest(x!, a, spatialOf(g!));
      const zero = like(g!, 0);
      return [
        placed(
          hits.map((hit) => where(hit, g!, zero)),
          a,
          x!.shape,
        ),
      ];
    },
  },
  maxPoolSelect: {
    when: small,
    lower: ([x, t], a, [output]) => {
      const positions = spatialOf(output!);
      const candidates = pieces(padded(t!, a, 0), a, positions);
      const zero = like(t!, 0);
      return [
        firstLargest(x!, a, positions)
          .map((hit, i) => where(hit, candidates[i]!, zero))
          .reduce(add),
      ];
    },
  },
  sumPool: { when: small, lower: ([x], a, [output]) => [sumPool(x!, a, spatialOf(output!))] },
  sumPoolGradient: {
    when: small,
    lower: ([g], a, [output]) => [
      placed(
        tapsOf(a.window).map(() => g!),
        a,
        output!.shape,
      ),
    ],
  },
} satisfies Lowerings;
