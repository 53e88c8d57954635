import { Configurable, initialValues } from "../config/configurable.js";
import { configure } from "../config/configure.js";
import type { Config } from "../config/field.js";
import { accessor, autoNamed, bool, type Options } from "../config/fields.js";
import { registerBuiltins } from "../config/registry.js";
import { serializeValue } from "../config/serialize.js";
import { type DType, shrink } from "../core/dtype.js";
import type { Node, Operation } from "../core/graph.js";
import { KerasTensor, type SymbolicShape } from "../core/keras-tensor.js";
import type { ArrayLikeData, NDArray } from "../core/ndarray.js";
import { computeOutputSpec } from "../core/symbolic.js";
import type { Tensor } from "../core/tensor.js";
import type { Variable } from "../core/variable.js";
import { dtypePolicy } from "../dtype-policies/field.js";
import { get as getPolicy, type Policy, type PolicyIdentifier } from "../dtype-policies/index.js";
import { regularizer } from "../regularizers/index.js";
import { mapShapeStructure } from "../tree/index.js";
import { findTracked, flattenLayers, type Tracked, type TrackedMetric } from "./base/attributes.js";
import { buildFromSaved, buildSublayers, readBuildConfig, wrapBuild } from "./base/build.js";
import { callLayer } from "./base/call.js";
import type { LayerCall } from "./base/call-types.js";
import { collectLosses, keepLoss } from "./base/losses.js";
import { isPlainObject, shapesOf } from "./base/shapes.js";
import { type LayerState, makeState, type ShapeStructure, STATE } from "./base/state.js";
import { onlyTensor } from "./base/graph-ends.js";
import { statelessCall, type StatelessOptions, type StatelessResult } from "./base/stateless.js";
import { addWeight, assignWeights, collectVariables, ownVariables, type WeightOptions } from "./base/weights.js";
import type { InputSpecs } from "./input-spec.js";

const fields = {
  /** Unique names come from the class name when none is given. */
  name: autoNamed(),
  trainable: accessor(bool(true)),
  /** A dtype, a policy such as "mixed_bfloat16", or a policy object; the global policy when left out. */
  dtype: accessor(dtypePolicy()),
  activityRegularizer: { ...regularizer(), saved: "whenSet" as const },
  /** Whether float inputs are cast to the compute dtype. */
  autocast: bool(true, { saved: false }),
};

/** The options that every layer takes. */
export interface LayerOptions extends Options<typeof fields> {
  /** Shape of one sample: lets a Sequential build itself at once. */
  inputShape?: SymbolicShape | null | undefined;
}

export interface Layer extends LayerCall {}

/**
 * Base of all layers: state (variables, sublayers) and a function of tensors.
 *
 * Subclasses implement `call(inputs, options)` and, where they have weights, `build(inputShape)`. `call` gets its tensors in order and
 * one options object last, with `training` and `mask` when they are known and whatever else the caller passed. Sublayers and variables
 * are found among the properties, in the order of definition; those in private `#fields` must be reported with `track`.
 *
 * Called as `layer(x, { training: true })`; layers of several tensors name them in `callArguments`.
 *
 * @example
 * class Scale extends keras.layers.Layer {
 *   build(inputShape) {
 *     this.factor = this.addWeight({ name: "factor", shape: [inputShape.at(-1)], initializer: "ones" });
 *   }
 *   call(inputs) {
 *     return keras.ops.multiply(inputs, this.factor);
 *   }
 * }
 * const y = new Scale()([[1, 2, 3]]);
 */
export abstract class Layer extends configure(Configurable, "Layer", fields) implements Operation {
  static override readonly module: string = "keras.layers";
  /** Names of the positional arguments of `call`; options of these names are put in their place. */
  static readonly callArguments: readonly string[] = ["inputs"];
  /** Options that `call` knows and Python's has too. When declared, others but `training` and `mask` are refused. */
  static readonly callOptions: readonly string[] | null = null;
  /** Python's names of properties where snake case does not give them; weight files are laid out by them. */
  static readonly attributeNames: Readonly<Record<string, string>> = {};

  /** @internal */
  readonly [STATE]!: LayerState;
  /** Whether the weights exist. */
  built = false;
  /** Whether masks pass through; by default whether `computeMask` is overridden. */
  supportsMasking: boolean = this.computesMask;
  /** Whether compiled code may contain the layer; models with one of which that is false run eagerly. */
  readonly supportsJit: boolean = true;
  /** What inputs must look like. */
  inputSpec: InputSpecs = null;

  constructor(options: LayerOptions = {}) {
    // No field: models have a property of that name.
    const { inputShape = null, ...args } = options;
    super(args);
    const { trainable, dtype } = initialValues(this, fields);
    const state = makeState(dtype, trainable);
    state.sampleShape = inputShape;
    Object.defineProperty(this, STATE, { value: state });
    wrapBuild(this);
  }

  protected override invoke(...args: never[]): unknown {
    return callLayer(this, args);
  }

  /**
   * Makes the weights for inputs of these shapes: one (structure of shapes) for each positional tensor of `call`. Without an override,
   * `call` runs on stand-ins of these shapes, which builds the sublayers.
   */
  build(...shapes: ShapeStructure[]): void {
    buildSublayers(this, shapes);
  }
  /** Computes the outputs. */
  call(..._args: unknown[]): unknown {
    throw new Error(`\`${(this.constructor as typeof Layer).className}\` has no \`call\` method.`);
  }
  /** Shapes of the outputs. Without an override they come from running `call` on stand-ins. */
  computeOutputShape(...shapes: ShapeStructure[]): unknown {
    const inputs = shapes.map((one) =>
      mapShapeStructure((dims) => new KerasTensor(dims, this.policy.tensorDtype), one),
    );
    return shapesOf(this.computeOutputSpec(...inputs));
  }
  /** Symbolic outputs for symbolic arguments, as `call` takes them. */
  computeOutputSpec(...args: unknown[]): unknown {
    if (!this.overrides("computeOutputShape")) return computeOutputSpec((...all: unknown[]) => this.call(...all), args);
    const positional = args.length > 1 && isPlainObject(args.at(-1)) ? args.slice(0, -1) : args;
    const shapes = positional.map(shapesOf);
    while (shapes.length > 1 && shapes.at(-1) === undefined) shapes.pop();
    const result = this.computeOutputShape(...shapes);
    return mapShapeStructure((dims) => new KerasTensor(dims, this.policy.tensorDtype), result);
  }
  /** The mask of the outputs; by default that of the inputs. */
  computeMask(_inputs: unknown, previousMask: unknown): unknown {
    return previousMask;
  }

  /** Makes a weight; only in the constructor and in `build`. */
  addWeight(options: WeightOptions = {}): Variable {
    return addWeight(this, options);
  }
  /** Reports layers or variables kept where the search cannot see them, as in private fields. Returns what it is given. */
  track<T>(value: T): T {
    this[STATE].tracked.push(value);
    return value;
  }
  /** Adds a scalar to what `fit` minimizes; holds until the next outermost call. */
  addLoss(loss: Tensor | readonly Tensor[]): void {
    for (const one of Array.isArray(loss) ? (loss as Tensor[]) : [loss as Tensor]) keepLoss(this, one);
  }
  /** Losses of the last call, and the penalties of regularized weights. */
  get losses(): Tensor[] {
    return collectLosses(this);
  }

  /** The sublayers, in the order of the properties that hold them. */
  get sublayers(): readonly Layer[] {
    return findTracked(this).layers;
  }
  /** Everything found among the properties. */
  get tracked(): Tracked {
    return findTracked(this);
  }
  /** Metrics of this layer and all below it. */
  get metrics(): TrackedMetric[] {
    return flattenLayers(this).flatMap((layer) => findTracked(layer).metrics);
  }
  /** Own variables as they are saved: trainable ones, then others, in the order of creation. */
  get ownVariables(): Variable[] {
    return ownVariables(this);
  }
  /** Weights of the layer and its sublayers, without the states of seed generators. */
  get weights(): Variable[] {
    return [...collectVariables(this, false)];
  }
  get trainableWeights(): Variable[] {
    return this.trainable ? this.weights.filter(({ trainable }) => trainable) : [];
  }
  get nonTrainableWeights(): Variable[] {
    return this.trainable ? this.weights.filter(({ trainable }) => !trainable) : this.weights;
  }
  /** All state of the layer and its sublayers, but for metrics. */
  get variables(): Variable[] {
    return [...collectVariables(this, true)];
  }
  get trainableVariables(): Variable[] {
    return this.trainable ? this.variables.filter(({ trainable }) => trainable) : [];
  }
  get nonTrainableVariables(): Variable[] {
    return this.trainable ? this.variables.filter(({ trainable }) => !trainable) : this.variables;
  }
  /** Values of `weights`. */
  async getWeights(): Promise<NDArray[]> {
    return Promise.all(this.weights.map((weight) => weight.numpy()));
  }
  /** Assigns `weights` in order; throws unless number and shapes agree. */
  setWeights(values: readonly (NDArray | Tensor | ArrayLikeData)[]): void {
    assignWeights(this, this.weights, values);
  }
  /** Number of scalars in all weights; throws before the layer is built. */
  countParams(): number {
    if (!this.built)
      throw new Error(`Layer "${this.name}" is not built: call it on data or call build() before countParams().`);
    return this.weights.reduce((sum, weight) => sum + weight.shape.reduce((n, dim) => n * dim, 1), 0);
  }
  /** Own variables by their index, as weight files hold them. */
  async saveOwnVariables(store: Map<string, NDArray>): Promise<void> {
    const arrays = await Promise.all(this.ownVariables.map((variable) => variable.numpy()));
    arrays.forEach((array, i) => store.set(String(i), array));
  }
  /** Assigns what `saveOwnVariables` stored; throws when the number differs. */
  loadOwnVariables(store: ReadonlyMap<string, NDArray>): void {
    const own = this.ownVariables;
    if (store.size !== own.length) {
      const hint = own.length === 0 && !this.built ? " The layer is not built yet." : "";
      throw new RangeError(
        `Layer "${this.name}" expected ${own.length} variables, but received ${store.size} in the file.${hint}`,
      );
    }
    own.forEach((variable, i) => variable.assign(store.get(String(i))!));
  }

  /** Whether the weights are trained; setting it reaches all weights and sublayers. */
  get trainable(): boolean {
    return this[STATE].trainable;
  }
  set trainable(value: boolean) {
    if (typeof value !== "boolean") throw new TypeError(`\`${this.name}.trainable\` must be true or false.`);
    this[STATE].trainable = value;
    void this.ownVariables;
    for (const variable of this[STATE].trainableVariables) variable.trainable = value;
    for (const layer of this.sublayers) layer.trainable = value;
  }
  /** The policy as it applies to this layer. */
  private get policy(): Policy {
    const { policy, path } = this[STATE];
    return path === null ? policy : policy.at(path);
  }
  get dtypePolicy(): Policy {
    return this[STATE].policy;
  }
  set dtypePolicy(policy: PolicyIdentifier) {
    this[STATE].policy = getPolicy(policy);
  }
  get computeDtype(): DType {
    return this.policy.computeDtype;
  }
  get variableDtype(): DType {
    return this.policy.variableDtype;
  }
  /** The dtype of the variables. */
  get dtype(): DType {
    return this.variableDtype;
  }
  /** The dtype float inputs are cast to. */
  get inputDtype(): DType {
    return shrink(this.computeDtype);
  }
  get quantizationMode(): string | null {
    return this.policy.quantizationMode;
  }
  /** The name with the scopes it was built in; the name alone before that. */
  get path(): string {
    return this[STATE].path ?? this.name;
  }
  /** The shape of inputs the constructor was told, with the batch axis; null when it was not. */
  get batchInputShape(): SymbolicShape | null {
    const { sampleShape } = this[STATE];
    return sampleShape ? [null, ...sampleShape] : null;
  }

  /** One node for each call on symbolic tensors. */
  get inboundNodes(): Node[] {
    return this[STATE].inboundNodes;
  }
  get outboundNodes(): Node[] {
    return this[STATE].outboundNodes;
  }
  /** Symbolic input of the first call; several come in an array. */
  get input(): KerasTensor | KerasTensor[] {
    return onlyTensor(this, "inputs");
  }
  /** Symbolic output of the first call; several come in an array. */
  get output(): KerasTensor | KerasTensor[] {
    return onlyTensor(this, "outputs");
  }

  /** Runs `call` with the given values of the variables; returns the outputs and the new non-trainable values. */
  statelessCall(
    trainableVariables: readonly Tensor[],
    nonTrainableVariables: readonly Tensor[],
    args: unknown,
    options: StatelessOptions = {},
  ): StatelessResult {
    return statelessCall(this, trainableVariables, nonTrainableVariables, args, options);
  }

  override getConfig(): Config {
    return { ...super.getConfig(), dtype: serializeValue(this[STATE].policy) };
  }
  /** The shapes the layer was built with; null before that. */
  getBuildConfig(): Config | null {
    return readBuildConfig(this);
  }
  /** Builds the layer as `getBuildConfig` tells. */
  buildFromConfig(config: Config): void {
    buildFromSaved(this, config);
  }

  /** Refuses further weights from now on. */
  lock(): void {
    this[STATE].locked = true;
  }
  /** Marks a layer without weights as built, from the constructor; layers with a `build` of their own stay as they are. */
  protected buildAtInit(): void {
    if (this.overrides("build")) return;
    this.built = true;
    this.lock();
  }
  /** Makes further call options travel to the calls inside, as `training` does. */
  protected registerCallContextArguments(...names: readonly string[]): void {
    for (const name of names) this[STATE].contextArguments.add(name);
  }
  /** Whether the class has its own version of a method. */
  overrides(method: "build" | "call" | "computeOutputShape" | "computeMask" | "getConfig"): boolean {
    return (Object.getPrototypeOf(this) as Layer)[method] !== Layer.prototype[method];
  }
  /** @internal */
  get computesMask(): boolean {
    return this.overrides("computeMask");
  }
  /** Whether arguments become tensors of the compute dtype before `call`. */
  get convertsInputs(): boolean {
    return true;
  }
  /** Whether positional arguments may be other things than tensors. */
  get takesAnyArguments(): boolean {
    return this.takesHostData;
  }
  /** Whether arguments come to `call` as they are given, host data included: strings have no tensors. */
  get takesHostData(): boolean {
    return false;
  }
}

registerBuiltins("keras", { Layer });
registerBuiltins("keras.layers", { Layer });
