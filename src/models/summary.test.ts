import "../backend/index.js";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clearSession } from "../core/settings.js";
import { type Tensor, tensor } from "../core/tensor.js";
import { Dense } from "../layers/core/dense.js";
import { Input } from "../layers/core/input-layer.js";
import { add, multiply } from "../ops/arithmetic.js";
import { Model, Sequential, type SummaryOptions } from "./index.js";

beforeEach(() => {
  clearSession();
  vi.stubEnv("COLUMNS", "80");
});

function summary(model: Model, options: SummaryOptions = {}): string {
  let text = "";
  model.summary({ ...options, printFn: (all) => (text += all) });
  return text;
}

function branched(): Model {
  const [a, b] = [Input([4], { name: "a" }), Input([4], { name: "b" })];
  const shared = new Dense(3, { name: "dense_3" });
  const [x, y] = [shared(a), shared(b)];
  const z = add(multiply(x, 2), y);
  const inner = new Sequential([Input([3]), new Dense(5, { name: "dense_4" }), new Dense(2, { name: "dense_5" })], {
    name: "inner",
  });
  const outputs = [inner(z), new Dense(1, { name: "dense_6" })(z)];
  return new Model({ inputs: [a, b], outputs, name: "functional_2" });
}

// The tables are those of Python Keras for the same models.
describe("a summary", () => {
  it("of a stack has three columns", () => {
    const model = new Sequential([Input([4]), new Dense(300, { activation: "relu" }), new Dense(1)]);
    expect(summary(model)).toBe(`Model: "sequential"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ dense (Dense)                   │ (None, 300)            │         1,500 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ dense_1 (Dense)                 │ (None, 1)              │           301 │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 1,801 (7.04 KB)
 Trainable params: 1,801 (7.04 KB)
 Non-trainable params: 0 (0.00 B)
`);
  });

  it("cuts long names and marks layers without weights yet", () => {
    const long = new Dense(1, { name: "a_very_long_layer_name_that_will_not_fit_in" });
    expect(summary(new Sequential([new Dense(3, { name: "dense_2" }), long], { name: "sequential_1" })))
      .toBe(`Model: "sequential_1"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ dense_2 (Dense)                 │ ?                      │   0 (unbuilt) │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ a_very_long_layer_name_that_wi… │ ?                      │   0 (unbuilt) │
│ (Dense)                         │                        │               │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 0 (0.00 B)
 Trainable params: 0 (0.00 B)
 Non-trainable params: 0 (0.00 B)
`);
  });

  it("of a graph says what is connected to what", () => {
    expect(summary(branched())).toBe(`Model: "functional_2"
┏━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┓
┃ Layer (type)        ┃ Output Shape      ┃    Param # ┃ Connected to      ┃
┡━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━┩
│ a (InputLayer)      │ (None, 4)         │          0 │ -                 │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ dense_3 (Dense)     │ (None, 3)         │         15 │ a[0][0], b[0][0]  │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ b (InputLayer)      │ (None, 4)         │          0 │ -                 │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ multiply (Multiply) │ (None, 3)         │          0 │ dense_3[0][0]     │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ add (Add)           │ (None, 3)         │          0 │ multiply[0][0],   │
│                     │                   │            │ dense_3[1][0]     │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ inner (Sequential)  │ (None, 2)         │         32 │ add[0][0]         │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ dense_6 (Dense)     │ (None, 1)         │          4 │ add[0][0]         │
└─────────────────────┴───────────────────┴────────────┴───────────────────┘
 Total params: 51 (204.00 B)
 Trainable params: 51 (204.00 B)
 Non-trainable params: 0 (0.00 B)
`);
  });

  it("can list inner layers and tell which are trained", () => {
    expect(summary(branched(), { expandNested: true, showTrainable: true })).toBe(`Model: "functional_2"
┏━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━┳━━━━━━━━━━━━━━━━┳━━━━━━━┓
┃ Layer (type)      ┃ Output Shape    ┃   Param # ┃ Connected to   ┃ Trai… ┃
┡━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━╇━━━━━━━━━━━━━━━━╇━━━━━━━┩
│ a (InputLayer)    │ (None, 4)       │         0 │ -              │   -   │
├───────────────────┼─────────────────┼───────────┼────────────────┼───────┤
│ dense_3 (Dense)   │ (None, 3)       │        15 │ a[0][0],       │   Y   │
│                   │                 │           │ b[0][0]        │       │
├───────────────────┼─────────────────┼───────────┼────────────────┼───────┤
│ b (InputLayer)    │ (None, 4)       │         0 │ -              │   -   │
├───────────────────┼─────────────────┼───────────┼────────────────┼───────┤
│ multiply          │ (None, 3)       │         0 │ dense_3[0][0]  │   -   │
│ (Multiply)        │                 │           │                │       │
├───────────────────┼─────────────────┼───────────┼────────────────┼───────┤
│ add (Add)         │ (None, 3)       │         0 │ multiply[0][0… │   -   │
│                   │                 │           │ dense_3[1][0]  │       │
├───────────────────┼─────────────────┼───────────┼────────────────┼───────┤
│ inner             │ (None, 2)       │        32 │ add[0][0]      │   Y   │
│ (Sequential)      │                 │           │                │       │
├───────────────────┼─────────────────┼───────────┼────────────────┼───────┤
│    └ dense_4      │ (None, 5)       │        20 │ -              │   Y   │
│ (Dense)           │                 │           │                │       │
├───────────────────┼─────────────────┼───────────┼────────────────┼───────┤
│    └ dense_5      │ (None, 2)       │        12 │ -              │   Y   │
│ (Dense)           │                 │           │                │       │
├───────────────────┼─────────────────┼───────────┼────────────────┼───────┤
│ dense_6 (Dense)   │ (None, 1)       │         4 │ add[0][0]      │   Y   │
└───────────────────┴─────────────────┴───────────┴────────────────┴───────┘
 Total params: 51 (204.00 B)
 Trainable params: 51 (204.00 B)
 Non-trainable params: 0 (0.00 B)
`);
  });

  it("can be a range of layers, by patterns", () => {
    expect(summary(branched(), { layerRange: ["dense.*", "inner"] })).toBe(`Model: "functional_2"
┏━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┓
┃ Layer (type)        ┃ Output Shape      ┃    Param # ┃ Connected to      ┃
┡━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━┩
│ dense_3 (Dense)     │ (None, 3)         │         15 │ a[0][0], b[0][0]  │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ b (InputLayer)      │ (None, 4)         │          0 │ -                 │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ multiply (Multiply) │ (None, 3)         │          0 │ dense_3[0][0]     │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ add (Add)           │ (None, 3)         │          0 │ multiply[0][0],   │
│                     │                   │            │ dense_3[1][0]     │
├─────────────────────┼───────────────────┼────────────┼───────────────────┤
│ inner (Sequential)  │ (None, 2)         │         32 │ add[0][0]         │
└─────────────────────┴───────────────────┴────────────┴───────────────────┘
 Total params: 51 (204.00 B)
 Trainable params: 51 (204.00 B)
 Non-trainable params: 0 (0.00 B)
`);
    expect(() => summary(branched(), { layerRange: ["nothing", "inner"] })).toThrow("must name layers of the model");
  });

  it("of a subclassed model knows shapes once it is built", () => {
    class M extends Model {
      readonly d = new Dense(3, { name: "dense_8" });
      readonly e = new Dense(2, { name: "dense_9" });
      override call(x: Tensor): Tensor {
        return this.e(this.d(x));
      }
    }
    const model = new M();
    model(tensor([[1, 1, 1, 1]]));
    expect(summary(model)).toBe(`Model: "m"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ dense_8 (Dense)                 │ (1, 3)                 │            15 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ dense_9 (Dense)                 │ (1, 2)                 │             8 │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 23 (92.00 B)
 Trainable params: 23 (92.00 B)
 Non-trainable params: 0 (0.00 B)
`);
  });

  it("without layers is an empty table", () => {
    expect(summary(new Sequential(null, { name: "sequential_2" }))).toBe(`Model: "sequential_2"
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 0 (0.00 B)
 Trainable params: 0 (0.00 B)
 Non-trainable params: 0 (0.00 B)
`);
  });
});
