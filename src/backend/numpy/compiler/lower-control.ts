import { dtypeBytes, type TensorSpec } from "../../../core/dtype.js";
import { sizeOf } from "../../../core/ndarray.js";
import type { CondAttributes, ScanAttributes, WhileLoopAttributes } from "../../../primitives/index.js";
import type { NestedPlan } from "./graph.js";
import type { Lower } from "./lower.js";
import type { Lowering } from "./lowering.js";
import type { Root, View } from "./view.js";

const bytesOf = ({ shape, dtype }: TensorSpec): number => sizeOf(shape) * dtypeBytes(dtype);
/** Memory for the temporaries of nested programs. */
const arenaFor = (lowering: Lowering, ...plans: readonly NestedPlan[]): Root =>
  lowering.root("float32", Math.max(...plans.map((plan) => plan.arenaBytes)) / 4);
const contiguousInputs = (lowering: Lowering, ids: readonly number[]): View[] =>
  ids.map((id) => lowering.contiguous(lowering.view(id)));
const addressOf = (of: Float64Array, { root, offset, dtype }: View): number =>
  of[root.id]! + offset * dtypeBytes(dtype);

/** Runs one of two programs on the same memory. */
const lowerCond: Lower = (lowering, { inputs, outputs, attributes }) => {
  const { whenTrue, whenFalse } = attributes as CondAttributes;
  const plans = [lowering.nested(whenFalse), lowering.nested(whenTrue)] as const;
  const [predicate, ...operands] = contiguousInputs(lowering, inputs);
  const writes = lowering.results(outputs);
  const arena = arenaFor(lowering, ...plans);
  const step = {
    name: "cond",
    reads: [predicate!, ...operands],
    writes,
    scratch: [arena],
    prepare: ({ of }: { of: Float64Array }) => {
      return () => {
        const holds = lowering.bytes()[addressOf(of, predicate!)] !== 0;
        plans[holds ? 1 : 0].executeInto(
          of[arena.id]!,
          operands.map((x) => addressOf(of, x)),
          writes.map(({ id }) => of[id]!),
        );
      };
    },
  };
  lowering.step(step, outputs);
  return true;
};

/** Repeats a program; carries move between two buffers, because a step must not write what it reads. */
const lowerWhile: Lower = (lowering, { inputs, outputs, attributes }) => {
  const { condition, body, carries, conditionCaptures } = attributes as WhileLoopAttributes;
  const [test, next] = [lowering.nested(condition), lowering.nested(body)];
  const operands = contiguousInputs(lowering, inputs);
  const writes = lowering.results(outputs);
  const spare = lowering.results(outputs);
  const proceed = lowering.root("bool", 1);
  const arena = arenaFor(lowering, test, next);
  const sizes = outputs.map((id) => bytesOf(lowering.spec(id)));
  const step = {
    name: "whileLoop",
    reads: operands,
    writes,
    scratch: [...spare, proceed, arena],
    prepare: ({ of }: { of: Float64Array }) => {
      return () => {
        const all = operands.map((x) => addressOf(of, x));
        const forTest = all.slice(carries, carries + conditionCaptures);
        const forBody = all.slice(carries + conditionCaptures);
        const [there, here] = [writes, spare].map((roots) => roots.map(({ id }) => of[id]!)) as [number[], number[]];
        let state = all.slice(0, carries);
        for (let target = there; ; target = target === there ? here : there) {
          test.executeInto(of[arena.id]!, [...state, ...forTest], [of[proceed.id]!]);
          if (lowering.bytes()[of[proceed.id]!] === 0) break;
          next.executeInto(of[arena.id]!, [...state, ...forBody], target);
          state = target;
        }
        if (state !== there) state.forEach((from, i) => lowering.move(from, there[i]!, sizes[i]!));
      };
    },
  };
  lowering.step(step, outputs);
  return true;
};

/** Runs a program along leading axes: slices are addresses, results are written straight into their stacks. */
const lowerScan: Lower = (lowering, { inputs, outputs, attributes }) => {
  const { body, carries, sequences, length, reverse, keepCarries } = attributes as ScanAttributes;
  const plan = lowering.nested(body);
  const operands = contiguousInputs(lowering, inputs);
  const writes = lowering.results(outputs);
  const results = body.outputs.length - carries;
  const carrySpecs = inputs.slice(0, carries).map((id) => lowering.spec(id));
  const carryBytes = carrySpecs.map(bytesOf);
  const stepBytes = (id: number): number => bytesOf(lowering.spec(id)) / Math.max(1, length);
  const xBytes = inputs.slice(carries, carries + sequences).map(stepBytes);
  const yBytes = outputs.slice(carries, carries + results).map(stepBytes);
  const buffers = keepCarries
    ? []
    : [0, 1].map(() => carrySpecs.map(({ shape, dtype }) => lowering.root(dtype, sizeOf(shape))));
  const arena = arenaFor(lowering, plan);
  const step = {
    name: "scan",
    reads: operands,
    writes,
    scratch: [...buffers.flat(), arena],
    prepare: ({ of }: { of: Float64Array }) => {
      return () => {
        const all = operands.map((x) => addressOf(of, x));
        const targets = writes.map(({ id }) => of[id]!);
        const kept = targets.slice(carries + results);
        const spare = buffers.map((roots) => roots.map(({ id }) => of[id]!));
        const position = (n: number): number => (reverse ? length - 1 - n : n);
        const finals = targets.slice(0, carries);
        let state = all.slice(0, carries);
        if (length === 0) state.forEach((from, c) => lowering.move(from, finals[c]!, carryBytes[c]!));
        if (keepCarries && length > 0) {
          const first = kept.map((at, c) => at + position(0) * carryBytes[c]!);
          state.forEach((from, c) => lowering.move(from, first[c]!, carryBytes[c]!));
        }
        const arguments_ = [...all];
        const places = new Array<number>(carries + results);
        for (let n = 0; n < length; n++) {
          const i = position(n);
          for (let c = 0; c < carries; c++) {
            arguments_[c] = state[c]!;
            if (n === length - 1) places[c] = finals[c]!;
            else places[c] = keepCarries ? kept[c]! + position(n + 1) * carryBytes[c]! : spare[n & 1]![c]!;
          }
          for (let s = 0; s < sequences; s++) arguments_[carries + s] = all[carries + s]! + i * xBytes[s]!;
          for (let r = 0; r < results; r++) places[carries + r] = targets[carries + r]! + i * yBytes[r]!;
          plan.executeInto(of[arena.id]!, arguments_, places);
          state = places.slice(0, carries);
        }
      };
    },
  };
  lowering.step(step, outputs);
  return true;
};

/** Control flow: bodies are plans of their own, with their temporaries inside this program's arena. */
export const lowerControl: Readonly<Record<string, Lower>> = {
  cond: lowerCond,
  whileLoop: lowerWhile,
  scan: lowerScan,
};
