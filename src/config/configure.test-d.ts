import type { Lookup } from "./lookup.js";
import { Configurable } from "./configurable.js";
import { configure } from "./configure.js";
import {
  type Options,
  autoNamed,
  bool,
  float,
  ints,
  list,
  objectField,
  oneOf,
  optional,
  positiveInt,
} from "./fields.js";
import type { SnakeCase } from "../utils/naming.js";

class Zeros extends configure(Configurable, "Zeros", {}) {
  constructor() {
    super({});
  }
  values(): readonly number[] {
    return [];
  }
}
type Activation = (x: number) => number;
declare const initializers: Lookup<Zeros, "zeros" | "Zeros", null>;
declare const activations: Lookup<Activation, "relu" | "linear", Activation>;

const layerFields = { name: autoNamed(), trainable: bool(true) };
interface LayerOptions extends Options<typeof layerFields> {}

interface Layer {
  (x: number): number;
}

abstract class Layer extends configure(Configurable, "Layer", layerFields) {
  abstract call(x: number): number;
  protected override invoke(x: number): number {
    return this.call(x);
  }
}

const fields = {
  units: positiveInt(),
  kernelSize: ints(2),
  strides: ints(2, 1),
  padding: oneOf(["valid", "same"], "valid"),
  rate: float(0.5, { max: 1 }),
  seed: optional(positiveInt()),
  scales: list(float(), [1]),
  kernelInitializer: objectField(initializers, "zeros"),
  biasInitializer: objectField(() => initializers, null),
  activation: objectField(activations, null),
  recurrentActivation: objectField(activations, "relu"),
};
interface ConvOptions extends LayerOptions, Options<typeof fields> {}
class Conv extends configure(Layer, "Conv", fields) {
  constructor(units: number, kernelSize: number | readonly [number, number], options: ConvOptions = {}) {
    super({ units, kernelSize, ...options });
  }
  override call(x: number): number {
    return this.activation(x);
  }
}

const conv = new Conv(64, 3, {
  activation: (x) => x,
  strides: [2, 1],
  name: null,
  biasInitializer: Zeros,
  kernelInitializer: { class_name: "Zeros", config: {} },
  recurrentActivation: null,
  rate: undefined,
});
export const results: readonly number[] = [conv(1), conv.units, conv.kernelSize[1], conv.rate, conv.activation(2)];
export const seed: number | null = conv.seed;
export const bias: Zeros | null = conv.biasInitializer;
export const kernel: Zeros = conv.kernelInitializer;
export const padding: "valid" | "same" = conv.padding;
export const copy: Conv = Conv.fromConfig({});
export const className: string = Conv.className;
export const name: string = conv.name;

// @ts-expect-error units is a number
new Conv("64", 3);
// @ts-expect-error one or two integers
new Conv(64, [1, 2, 3]);
// @ts-expect-error unknown option
new Conv(64, 3, { use_bias: true });
// @ts-expect-error unknown activation
new Conv(64, 3, { activation: "reluu" });
// @ts-expect-error unknown choice
new Conv(64, 3, { padding: "full" });
// @ts-expect-error an initializer with a name as its fallback is never null
new Conv(64, 3, { kernelInitializer: null });
// @ts-expect-error a class of another kind
new Conv(64, 3, { kernelInitializer: Date });
// @ts-expect-error null where it does not belong
new Conv(64, 3, { trainable: null });
// @ts-expect-error required
new Conv();
// @ts-expect-error arguments are read-only once given
conv.units = 3;
// @ts-expect-error maybe null
export const certain: Zeros = conv.biasInitializer;
// @ts-expect-error no third dimension
void conv.kernelSize[2];
// @ts-expect-error no such property
void conv.nonsense;
// @ts-expect-error invoke is for the class only
conv.invoke(1);

class Wrong extends configure(Layer, "Wrong", { units: positiveInt() }) {
  constructor() {
    // @ts-expect-error super arguments are checked
    super({ units: "x" });
  }
  // @ts-expect-error abstract methods keep their types
  override call(x: string): number {
    return x.length;
  }
}
void Wrong;
// @ts-expect-error the fallback must fit
oneOf(["a", "b"], "c");
// @ts-expect-error the fallback must fit
float("1");

/** Every name that has to come out right as a type. */
export const snakeNames: readonly [
  SnakeCase<"Conv2DTranspose">,
  SnakeCase<"ReLU">,
  SnakeCase<"PReLU">,
  SnakeCase<"RMSprop">,
  SnakeCase<"MeanIoU">,
  SnakeCase<"F1Score">,
  SnakeCase<"STFTSpectrogram">,
  SnakeCase<"L1L2">,
  SnakeCase<"GlorotUniform">,
] = [
  "conv2d_transpose",
  "re_lu",
  "p_re_lu",
  "rm_sprop",
  "mean_io_u",
  "f1_score",
  "stft_spectrogram",
  "l1l2",
  "glorot_uniform",
];
// @ts-expect-error not the snake-case name
export const wrongName: SnakeCase<"AdamW"> = "adamw";
