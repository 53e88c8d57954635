import { toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import { isRecording } from "../core/tape.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { vectorsFromTheFront } from "./indices.js";
import { constant } from "./support.js";
import { withGradient } from "./with-gradient.js";

/** How an update meets what is there; null replaces it. */
export type ScatterReduction = "add" | "max" | "min" | "mul";

/** Zeros of `shape` with `values` [..., rest] added at the positions [..., k] in its leading k axes; positions outside are dropped. */
export const scatter = defineOp(
  "core.Scatter",
  (indices: TensorLike, values: TensorLike, shape: readonly number[]): Tensor => {
    const updates = toTensor(values);
    const at = vectorsFromTheFront(toTensor(indices, "int32"), shape);
    return P.scatter(P.full(shape, 0, updates.dtype), at, updates, "add");
  },
  { static: ["shape"] },
);

/** The larger (smaller) of what is at the positions and their updates. Elements that attain it share the gradient. */
export function scatterExtreme(x: Tensor, at: Tensor, updates: Tensor, mode: "max" | "min"): Tensor {
  const body = ([a, u]: readonly Tensor[]): Tensor[] => [P.scatter(a!, at, u!, mode)];
  return withGradient(`scatter ${mode}`, [x, updates], body, ([g], { inputs: [a, u], outputs: [y] }) => {
    const won = P.cast(P.equal(u!, P.gather(y!, at, "zero")), u!.dtype);
    const stayed = P.cast(P.equal(a!, y!), a!.dtype);
    const share = P.divide(g!, P.maximum(P.scatter(stayed, at, won, "add"), constant(1, g!)));
    return [P.multiply(share, stayed), P.multiply(P.gather(share, at, "zero"), won)];
  })[0]!;
}

/** Of several updates of one position only the last is kept: the others get no gradient. */
function scatterSet(x: Tensor, at: Tensor, updates: Tensor): Tensor {
  if (!isRecording([updates])) return P.scatter(x, at, updates, "set");
  const depth = at.shape.at(-1)!;
  const lead = at.shape.slice(0, -1);
  const count = lead.reduce((n, d) => n * d, 1);
  const order = P.reshape(P.iota([count], 0, "int32"), lead);
  const winners = P.scatter(P.full(x.shape.slice(0, depth), -1, "int32"), at, order, "set");
  const kept = P.reshape(P.equal(P.gather(winners, at, "zero"), order), [
    ...lead,
    ...updates.shape.slice(lead.length).map(() => 1),
  ]);
  return P.scatter(x, at, P.select(kept, updates, P.stopGradient(updates)), "set");
}

/** `inputs` with `updates` [..., rest] written at (or added to, multiplied with...) the positions [..., k] in its leading k axes. */
export const scatterUpdate = defineOp(
  "core.ScatterUpdate",
  (
    inputs: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    { reduction = null }: { reduction?: ScatterReduction | null | undefined } = {},
  ): Tensor => {
    const x = toTensor(inputs);
    const at = vectorsFromTheFront(toTensor(indices, "int32"), x.shape);
    const target = [...at.shape.slice(0, -1), ...x.shape.slice(at.shape.at(-1))];
    const values = P.broadcastTo(toTensor(updates, x.dtype), target);
    switch (reduction) {
      case null:
        return scatterSet(x, at, values);
      case "add":
        return P.scatter(x, at, values, "add");
      case "mul":
        return P.scatter(x, at, values, "multiply");
      case "max":
      case "min":
        return scatterExtreme(x, at, values, reduction);
      default:
        throw new TypeError(
          `scatterUpdate: reduction must be null, "add", "max", "min" or "mul". Received: ${JSON.stringify(reduction)}.`,
        );
    }
  },
);
