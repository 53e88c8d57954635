/**
 * Our half of bench/ops.ts: ops of the public API on tensors that lie in the engine, and the same ops compiled.
 *
 * Reads "MODE OP" lines (mode: eager or jit) and answers each with a JSON line {"cpu": [...], "wall": [...]}, milliseconds a call. On start it
 * says {"version", "work"}: the floating-point operations of each op that is a product, else 0.
 */
import "../src/backend/index.js";
import { engine } from "../src/core/engine.js";
import { jit, type Jitted } from "../src/core/jit.js";
import { NDArray } from "../src/core/ndarray.js";
import { fromHost, type Tensor, TensorScope } from "../src/core/tensor.js";
import * as ops from "../src/ops/index.js";
import { serve } from "./protocol.js";

type Inputs = readonly Tensor[];
interface Case {
  readonly inputs: Inputs;
  readonly run: (...inputs: Tensor[]) => unknown;
  readonly work: number;
}

const SAMPLES = 5;
/** A sample lasts at least so long, in ms of CPU time, or is one call. */
const SAMPLE = 4;
/** Before the first sample, in ms: V8 compiles what runs often a second time. */
const WARM_UP = 40;

let seed = 1;
/** Uniform in [0, 1): a linear congruential generator (Knuth's MMIX constants, cut to 32 bits). */
const uniform = (): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const floats = (...shape: number[]): Tensor => {
  const data = Float32Array.from({ length: shape.reduce((n, d) => n * d, 1) }, () => 2 * uniform() - 1);
  return fromHost(new NDArray(data, shape, "float32"));
};
const integers = (below: number, ...shape: number[]): Tensor => {
  const data = Int32Array.from({ length: shape.reduce((n, d) => n * d, 1) }, () => Math.floor(uniform() * below));
  return fromHost(new NDArray(data, shape, "int32"));
};

const vector = floats(1 << 20);
const [x, y] = [floats(1024, 1024), floats(1024, 1024)];
const cube = floats(64, 128, 128);
const [row, column] = [floats(1024), floats(1024, 1)];
const [a, b] = [floats(512, 512), floats(512, 512)];
const [heads, keys] = [floats(8, 8, 128, 64), floats(8, 8, 128, 64)];
const [images, kernel] = [floats(8, 32, 32, 64), floats(3, 3, 64, 64)];
const picture = floats(1, 256, 256, 4);
const [tiny, small] = [floats(4, 4), floats(4, 4)];
const places = integers(1024, 1024);
const everywhere = integers(1 << 20, 1 << 20);
const along = integers(1024, 1024, 1024);
const condition = ops.greater(x, 0);
const none = ops.greater(x, 2);

const of = (inputs: Inputs, run: (...inputs: Tensor[]) => unknown, work = 0): Case => ({ inputs, run, work });
const cases: Record<string, Case> = {
  add: of([x, y], (p, q) => ops.add(p!, q!)),
  multiply: of([x, y], (p, q) => ops.multiply(p!, q!)),
  divide: of([x, y], (p, q) => ops.divide(p!, q!)),
  maximum: of([x, y], (p, q) => ops.maximum(p!, q!)),
  greater: of([x, y], (p, q) => ops.greater(p!, q!)),
  where: of([condition, x, y], (c, p, q) => ops.where(c!, p, q)),
  "sqrt |x|": of([x], (p) => ops.sqrt(ops.abs(p!))),
  exp: of([x], (p) => ops.exp(p!)),
  "log |x|": of([x], (p) => ops.log(ops.abs(p!))),
  tanh: of([x], (p) => ops.tanh(p!)),
  sin: of([x], (p) => ops.sin(p!)),
  "cast int32": of([x], (p) => ops.cast(p!, "int32")),
  "add row": of([x, row], (p, q) => ops.add(p!, q!)),
  "add column": of([x, column], (p, q) => ops.add(p!, q!)),
  "add number": of([x], (p) => ops.add(p!, 1.5)),
  "broadcast row": of([row], (p) => ops.broadcastTo(p!, [1024, 1024])),
  "broadcast column": of([column], (p) => ops.broadcastTo(p!, [1024, 1024])),
  "sum all": of([x], (p) => ops.sum(p!)),
  "sum 2-D axis 0": of([x], (p) => ops.sum(p!, { axis: 0 })),
  "sum 2-D axis 1": of([x], (p) => ops.sum(p!, { axis: 1 })),
  "sum 3-D axis 0": of([cube], (p) => ops.sum(p!, { axis: 0 })),
  "sum 3-D axis 1": of([cube], (p) => ops.sum(p!, { axis: 1 })),
  "sum 3-D axis 2": of([cube], (p) => ops.sum(p!, { axis: 2 })),
  "max all": of([x], (p) => ops.max(p!)),
  "max 2-D axis 0": of([x], (p) => ops.max(p!, { axis: 0 })),
  "max 2-D axis 1": of([x], (p) => ops.max(p!, { axis: 1 })),
  "max 3-D axis 0": of([cube], (p) => ops.max(p!, { axis: 0 })),
  "max 3-D axis 1": of([cube], (p) => ops.max(p!, { axis: 1 })),
  "max 3-D axis 2": of([cube], (p) => ops.max(p!, { axis: 2 })),
  any: of([none], (p) => ops.any(p!)),
  "mean axis 1": of([x], (p) => ops.mean(p!, { axis: 1 })),
  "var axis 1": of([x], (p) => ops.var(p!, { axis: 1 })),
  "argmax all": of([x], (p) => ops.argmax(p!)),
  "argmax axis 0": of([x], (p) => ops.argmax(p!, { axis: 0 })),
  "argmax axis 1": of([x], (p) => ops.argmax(p!, { axis: 1 })),
  "transpose 2-D": of([x], (p) => ops.transpose(p!)),
  "transpose 3-D 0,2,1": of([cube], (p) => ops.transpose(p!, { axes: [0, 2, 1] })),
  "transpose 3-D 1,0,2": of([cube], (p) => ops.transpose(p!, { axes: [1, 0, 2] })),
  "transpose 3-D 2,0,1": of([cube], (p) => ops.transpose(p!, { axes: [2, 0, 1] })),
  "transpose 3-D 2,1,0": of([cube], (p) => ops.transpose(p!, { axes: [2, 1, 0] })),
  concatenate: of([x, y], (p, q) => ops.concatenate([p!, q!], { axis: 1 })),
  flip: of([x], (p) => ops.flip(p!, { axis: 1 })),
  pad: of([x], (p) =>
    ops.pad(p!, [
      [1, 1],
      [1, 1],
    ]),
  ),
  tile: of([a], (p) => ops.tile(p!, [2, 2])),
  repeat: of([a], (p) => ops.repeat(p!, 4, { axis: 0 })),
  "take rows": of([x, places], (p, i) => ops.take(p!, i!, { axis: 0 })),
  "take columns": of([x, places], (p, i) => ops.take(p!, i!, { axis: 1 })),
  "take elements": of([vector, everywhere], (p, i) => ops.take(p!, i!)),
  "take along axis": of([x, along], (p, i) => ops.takeAlongAxis(p!, i!, { axis: 1 })),
  "sort all": of([vector], (p) => ops.sort(p!)),
  "sort axis 0": of([x], (p) => ops.sort(p!, { axis: 0 })),
  "sort axis 1": of([x], (p) => ops.sort(p!, { axis: 1 })),
  "argsort all": of([vector], (p) => ops.argsort(p!)),
  "argsort axis 0": of([x], (p) => ops.argsort(p!, { axis: 0 })),
  "argsort axis 1": of([x], (p) => ops.argsort(p!, { axis: 1 })),
  "top 8": of([x], (p) => ops.topK(p!, 8)),
  "cumsum all": of([vector], (p) => ops.cumsum(p!)),
  "cumsum axis 0": of([x], (p) => ops.cumsum(p!, { axis: 0 })),
  "cumsum axis 1": of([x], (p) => ops.cumsum(p!, { axis: 1 })),
  "cumprod axis 1": of([x], (p) => ops.cumprod(p!, { axis: 1 })),
  "softmax axis 1": of([x], (p) => ops.softmax(p!)),
  "softmax axis 0": of([x], (p) => ops.softmax(p!, { axis: 0 })),
  "layer norm": of([x, row, row], (p, g, s) => ops.layerNormalization(p!, { gamma: g, beta: s })),
  "matmul 512": of([a, b], (p, q) => ops.matmul(p!, q!), 2 * 512 ** 3),
  "matmul 1024": of([x, y], (p, q) => ops.matmul(p!, q!), 2 * 1024 ** 3),
  "matmul 512 transposed": of([a, b], (p, q) => ops.matmul(p!, ops.transpose(q!)), 2 * 512 ** 3),
  "matmul batched 64x128": of([cube, cube], (p, q) => ops.matmul(p!, q!), 2 * 64 * 128 ** 3),
  "matmul vector 1024": of([x, row], (p, q) => ops.matmul(p!, q!), 2 * 1024 ** 2),
  "einsum bij,bjk->bik": of([cube, cube], (p, q) => ops.einsum("bij,bjk->bik", p!, q!), 2 * 64 * 128 ** 3),
  "einsum bhqd,bhkd->bhqk": of([heads, keys], (p, q) => ops.einsum("bhqd,bhkd->bhqk", p!, q!), 2 * 64 * 128 * 128 * 64),
  "conv 3x3 (torch)": of(
    [images, kernel],
    (p, q) => ops.conv(p!, q!, { padding: "same" }),
    2 * 8 * 32 * 32 * 9 * 64 * 64,
  ),
  "resize bilinear": of([picture], (p) => ops.image.resize(p!, [512, 512])),
  "resize nearest": of([picture], (p) => ops.image.resize(p!, [512, 512], { interpolation: "nearest" })),
  "add 4x4": of([tiny, small], (p, q) => ops.add(p!, q!)),
  "exp 4x4": of([tiny], (p) => ops.exp(p!)),
  "matmul 4x4": of([tiny, small], (p, q) => ops.matmul(p!, q!)),
};

const compiled = new Map<string, Jitted<Tensor[], unknown>>();
function callOf(mode: string, name: string): () => void {
  const wanted = cases[name];
  if (!wanted) throw new Error(`No op ${name}. There are: ${Object.keys(cases).join(", ")}.`);
  const { inputs, run } = wanted;
  let call = run;
  if (mode === "jit") {
    let known = compiled.get(name);
    if (!known) compiled.set(name, (known = jit(run)));
    call = known;
  }
  return () => {
    using _ = new TensorScope();
    call(...inputs);
  };
}

/** Calls often enough for clocks to be right; CPU and wall milliseconds of one call. */
function measure(call: () => void): { cpu: number[]; wall: number[] } {
  let repeat = 1;
  for (let spent = 0; ;) {
    const taken = sample(call, repeat).cpu * repeat;
    spent += taken;
    if (taken >= SAMPLE && spent >= WARM_UP) break;
    if (taken < SAMPLE) repeat = Math.ceil(repeat * Math.min(20, (1.3 * SAMPLE) / Math.max(taken, 1e-3)));
  }
  const samples = Array.from({ length: SAMPLES }, () => sample(call, repeat));
  return { cpu: samples.map((s) => s.cpu), wall: samples.map((s) => s.wall) };
}
function sample(call: () => void, repeat: number): { cpu: number; wall: number } {
  const [before, start] = [process.cpuUsage(), performance.now()];
  for (let i = 0; i < repeat; i++) call();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1e3 / repeat, wall: wall / repeat };
}

const work = Object.fromEntries(Object.entries(cases).map(([name, { work: flop }]) => [name, flop]));
await serve({ version: `${engine().name} on Node ${process.version}`, work }, (command) => {
  const [mode = "", ...name] = command.split(" ");
  return measure(callOf(mode, name.join(" ")));
});
