/** What the train steps of bench/jaxjs-grad.ts and bench/jaxjs-calls.ts share: data, weights and the loop. */
import type { Array as JaxArray } from "@jax-js/jax";
import { numpy } from "@jax-js/jax";

export const BATCH = 128;
/** A network by the shape of its data and of its weights. */
export interface Weights {
  readonly shape: readonly number[];
  readonly weights: readonly (readonly number[])[];
}
export const networks: Readonly<Record<string, Weights>> = {
  cnn: { shape: [28, 28, 1], weights: [[3, 3, 1, 32], [32], [3, 3, 32, 64], [64], [64, 10], [10]] },
  mlp: { shape: [784], weights: [[784, 512], [512], [512, 512], [512], [512, 10], [10]] },
};

/** One step: the state, an image and a label batch go in and are used up; the loss and the new state come out. */
export type Step = (
  state: JaxArray[],
  x: JaxArray,
  y: JaxArray,
) => { readonly loss: JaxArray; readonly state: JaxArray[] };

const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);
const uniform = (shape: readonly number[], limit: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: sizeOf(shape) }, () => limit * (2 * Math.random() - 1));
const array = (values: Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>, shape: readonly number[]): JaxArray =>
  numpy.array(values, { shape: [...shape] });

/** Weights (Glorot & Bengio, 2010), their two moments and the number of steps taken. */
function initialState({ weights }: Weights): JaxArray[] {
  const glorot = (shape: readonly number[]): number =>
    shape.length === 1 ? 0 : Math.sqrt(6 / ((sizeOf(shape) / shape.at(-1)!) * 2));
  const zeros = weights.map((shape) => array(new Float32Array(sizeOf(shape)), shape));
  return [
    ...weights.map((shape) => array(uniform(shape, glorot(shape)), shape)),
    ...zeros,
    ...weights.map((shape) => array(new Float32Array(sizeOf(shape)), shape)),
    array(new Float32Array(1), []),
  ];
}

/** A function that takes steps on new batches and tells the ms of each, from handing over the batch to reading the loss; it stops after `limit` ms. */
export function trainer(name: string, step: Step, limit: number): (steps: number) => { loss: number; ms: number }[] {
  const network = networks[name]!;
  let state = initialState(network);
  return (steps) => {
    const taken: { loss: number; ms: number }[] = [];
    const begin = performance.now();
    while (taken.length < steps && (taken.length === 0 || performance.now() - begin < limit)) {
      const x = uniform([BATCH, ...network.shape], 1);
      const y = Int32Array.from({ length: BATCH }, () => Math.floor(10 * Math.random()));
      const start = performance.now();
      const next = step(state, array(x, [BATCH, ...network.shape]), array(y, [BATCH]));
      const loss = next.loss.dataSync()[0]!;
      state = next.state;
      taken.push({ loss, ms: performance.now() - start });
    }
    return taken;
  };
}
