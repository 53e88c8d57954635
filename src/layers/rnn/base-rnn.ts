import { configure } from "../../config/configure.js";
import type { Options } from "../../config/fields.js";
import { toTensor } from "../../core/convert.js";
import { inSpecMode } from "../../core/interpreter.js";
import type { SymbolicShape } from "../../core/keras-tensor.js";
import type { Tensor, TensorLike } from "../../core/tensor.js";
import { Variable } from "../../core/variable.js";
import { cast } from "../../ops/elementwise.js";
import * as P from "../../primitives/index.js";
import { flatten, mapStructure, packSequenceAs } from "../../tree/index.js";
import { inAutocastScope } from "../base/call.js";
import { openNameScope } from "../base/build.js";
import { showShape } from "../base/shapes.js";
import { isLayer } from "../base/state.js";
import { Layer, type LayerOptions } from "../layer.js";
import { type Cell, initialStateOf, outputSizeOf, type States, type StateSize } from "./cell.js";
import { drawMasks, resetMasks } from "./dropout-masks.js";
import { GatedCell } from "./gated-cell.js";
import { loop, type LoopResult } from "./loop.js";
import { ProjectingCell } from "./projecting-cell.js";
import { recurrence } from "./recurrence.js";
import { sequenceFields } from "./sequence-fields.js";
import { stepOf } from "./step.js";
import { lastOf, stepMask, stepsFirst } from "./time-axis.js";

/** How layers go along a sequence. */
export interface SequenceOptions extends LayerOptions, Options<typeof sequenceFields> {}
/** What calls of recurrent layers may be told. */
export interface SequenceCallOptions {
  /** Which steps count: [batch, steps]. */
  readonly mask?: Tensor | readonly Tensor[] | null;
  readonly training?: boolean | null;
}

type Result = Omit<LoopResult, "outputs"> & { readonly outputs: Tensor | null };
/** A run along a sequence, ready to begin. */
interface Run {
  /** [steps, batch, ...]. */
  readonly inputs: Tensor;
  readonly states: readonly States[];
  /** bool [steps, batch, 1]. */
  readonly mask: Tensor | null;
  readonly training: boolean;
}

/** Base of layers that run a cell along sequences [batch, steps, ...]. */
export abstract class BaseRNN extends configure(Layer, "BaseRNN", sequenceFields) {
  static override readonly callArguments: readonly string[] = ["sequences", "initialState"];
  static override readonly callOptions: readonly string[] = ["mask", "training"];
  /** Python's recurrent layers use masks, but hand none on. */
  override supportsMasking = false;
  /** What runs at each step. */
  abstract readonly cell: Cell;
  #states: readonly Variable[] | null = null;
  #stateStructure: readonly States[] = [];

  /** The sizes of the cell's states. */
  get stateSize(): readonly StateSize[] {
    return ([] as StateSize[]).concat(this.cell.stateSize);
  }
  /** The states that a stateful layer keeps between calls; null in others and before the layer is built. */
  get states(): readonly Variable[] | null {
    return this.#states;
  }
  /** Makes a stateful layer forget: its next call begins with zeros. */
  resetState(): void {
    for (const state of this.#states ?? []) state.assign(P.full(state.shape, 0, state.variableDType));
  }
  /** The states that calls begin with when they are given none: a list of tensors, or of lists of them. */
  getInitialState(batchSize: number): readonly States[] {
    const states = initialStateOf(this.cell, batchSize, this.#cellDType);
    return (Array.isArray(states) ? states : [states]) as readonly States[];
  }
  get #cellDType() {
    return isLayer(this.cell) ? this.cell.inputDtype : this.inputDtype;
  }

  override build(sequencesShape: SymbolicShape, _initialStateShape?: unknown): void {
    const { cell } = this;
    const [batch = null] = sequencesShape;
    if (isLayer(cell) && !cell.built) {
      cell.build([batch, ...sequencesShape.slice(2)]);
      cell.built = true;
    }
    if (!this.stateful) return;
    if (this.#states) return this.resetState();
    if (batch === null)
      throw new TypeError(
        `Layer "${this.name}" is stateful and needs a known batch size: give \`batchShape\` or \`batchSize\` to keras.Input(). Received shape: ${showShape(sequencesShape)}.`,
      );
    this.#makeStates(batch);
  }
  #makeStates(batch: number): void {
    using _scope = openNameScope(this);
    const specs = inSpecMode(() => this.getInitialState(batch));
    this.#stateStructure = specs;
    this.#states = (flatten(specs) as Tensor[]).map(
      ({ shape }, i) =>
        new Variable(() => flatten(this.getInitialState(batch))[i] as Tensor, {
          shape,
          dtype: this.variableDtype,
          trainable: false,
          name: "rnn_state",
        }),
    );
  }

  override call(
    sequences: Tensor,
    initialState?: unknown,
    { mask = null, training = null }: SequenceCallOptions = {},
  ): unknown {
    const run: Run = {
      inputs: stepsFirst(sequences),
      states: this.#statesFor(sequences, initialState),
      mask: stepMask((flatten(mask) as (Tensor | null)[])[0] ?? null),
      training: training ?? false,
    };
    drawMasks(this.cell, run.inputs, run.states);
    const { last, outputs, states } = this.#run(run);
    resetMasks(this.cell);
    const result = mapStructure((x: Tensor) => cast(x, this.inputDtype), states as unknown) as readonly States[];
    if (this.#states) (flatten(result) as Tensor[]).forEach((state, i) => this.#states![i]!.assign(state));
    const output = cast(this.returnSequences ? stepsFirst(outputs!) : last, this.inputDtype);
    return this.returnState ? [output, ...result] : output;
  }
  #statesFor(sequences: Tensor, given: unknown): readonly States[] {
    const [batch] = sequences.shape;
    const [first] = this.#states ?? [];
    if (first && batch !== first.shape[0] && !Number.isNaN(batch))
      throw new RangeError(
        `Layer "${this.name}" is stateful: it keeps states of ${first.shape[0]} samples and takes batches of as many. Received a batch of ${batch}.`,
      );
    if ((given ?? null) === null) {
      if (!this.#states) return this.#cast(this.getInitialState(batch!));
      return this.#cast(packSequenceAs(this.#stateStructure, this.#states) as readonly unknown[]);
    }
    const states = (Array.isArray(given) ? given : [given]) as readonly unknown[];
    const expected = this.stateSize.length;
    if (states.length !== expected)
      throw new RangeError(
        `Layer "${this.name}" has ${expected} state(s), but \`initialState\` holds ${states.length}. Give one tensor [batch, size] for each.`,
      );
    return this.#cast(states);
  }
  #cast(states: readonly unknown[]): readonly States[] {
    const dtype = this.#cellDType;
    return mapStructure((x: unknown) => toTensor(x as TensorLike, dtype), states) as readonly States[];
  }

  #run(run: Run): Result {
    const { cell } = this;
    if (!(cell instanceof ProjectingCell) || cell.call !== ProjectingCell.prototype.call)
      return this.#loop(run, run.inputs, (x, states) => stepOf(cell, x, states, run.training));
    return inAutocastScope(cell, () => this.#runProjected(cell, run));
  }
  /** Projects the inputs of all steps at once. */
  #runProjected(cell: ProjectingCell, run: Run): Result {
    const { training } = run;
    const inputs = cell.project(cast(run.inputs, cell.inputDtype), training);
    if (cell instanceof GatedCell && !this.unroll && cell.isPlain(training)) return this.#recur(cell, inputs, run);
    return this.#loop(run, inputs, (x, before) => {
      const list = before as readonly Tensor[];
      const next = cell.advance(x, cell.recur(list[0]!, training), list, training);
      return [next[0]!, next];
    });
  }
  #recur(cell: GatedCell, inputs: Tensor, { mask, states, training }: Run): Result {
    const { goBackwards, zeroOutputForMask } = this;
    // The last output is the last first state, unless masked outputs are zero.
    const blanks = mask !== null && zeroOutputForMask;
    const result = recurrence({
      advance: (x, recurrent, before) => cell.advance(x, recurrent, before, training),
      inputs,
      kernel: cell.stateKernel,
      bias: cell.stateBias,
      states: states as readonly Tensor[],
      mask,
      goBackwards,
      zeroOutputForMask,
      returnSequences: this.returnSequences || blanks,
    });
    const outputs = result.outputs && goBackwards ? P.reverse(result.outputs, [0]) : result.outputs;
    return { last: blanks ? lastOf(outputs!) : result.states[0]!, outputs, states: result.states };
  }
  #loop({ states, mask }: Run, inputs: Tensor, step: Parameters<typeof loop>[0]["step"]): LoopResult {
    const { goBackwards, unroll, zeroOutputForMask } = this;
    if (unroll && Number.isNaN(inputs.shape[0]))
      throw new TypeError(
        `Layer "${this.name}" cannot unroll a sequence of unknown length. Give the number of steps to keras.Input(), or leave \`unroll\` out.`,
      );
    return loop({ step, inputs, states, mask, goBackwards, unroll, zeroOutputForMask });
  }

  override computeOutputShape(sequencesShape: SymbolicShape, _initialStateShape?: unknown): unknown {
    const [batch = null, steps = null] = sequencesShape;
    const size = outputSizeOf(this.cell);
    const output = this.returnSequences ? [batch, steps, size] : [batch, size];
    const withBatch = (state: StateSize): unknown =>
      typeof state === "number" ? [batch, state] : state.map(withBatch);
    return this.returnState ? [output, ...this.stateSize.map(withBatch)] : output;
  }
  override computeMask(_sequences: unknown, mask: unknown): unknown {
    const [steps = null] = flatten(mask);
    const output = this.returnSequences ? steps : null;
    return this.returnState ? [output, ...this.stateSize.map(() => null)] : output;
  }
}
