/** Train steps as a user of jax-js writes them: its own layers' ops, its own `grad`, all of it in one `jit`. */
import type { Array as JaxArray } from "@jax-js/jax";
import { jit, lax, nn, numpy as np, valueAndGrad } from "@jax-js/jax";
import { BATCH, type Step, trainer as trainerOf } from "./jaxjs-training.js";

type Forward = (weights: JaxArray[], x: JaxArray) => JaxArray;
/** A convolution without margins of [batch, height, width, channels], which jax-js takes with the channels in front. */
const convolve = (x: JaxArray, kernel: JaxArray): JaxArray => {
  const y = lax.convGeneralDilated(np.transpose(x, [0, 3, 1, 2]), np.transpose(kernel, [3, 2, 0, 1]), [1, 1], "VALID");
  return np.transpose(y, [0, 2, 3, 1]);
};
const maxPool = (x: JaxArray): JaxArray => {
  const [batch, height, width, channels] = x.shape as [number, number, number, number];
  return np.max(np.max(x.reshape([batch, height / 2, 2, width / 2, 2, channels]), 4), 2);
};
const forwards: Readonly<Record<string, Forward>> = {
  cnn: ([k1, b1, k2, b2, w, b], x) => {
    const pooled = maxPool(nn.relu(convolve(x, k1!).add(b1!)));
    const features = np.mean(nn.relu(convolve(pooled, k2!).add(b2!)), [1, 2]);
    return np.matmul(features, w!).add(b!);
  },
  mlp: ([w1, b1, w2, b2, w3, b3], x) => {
    const hidden = nn.relu(np.matmul(x, w1!).add(b1!));
    return np.matmul(nn.relu(np.matmul(hidden, w2!).add(b2!)), w3!).add(b3!);
  },
};

/** Adam (Kingma & Ba, 2015) on weights, moments and the number of steps. */
function stepOf(forward: Forward): Step {
  const lossOf = (weights: JaxArray[], x: JaxArray, y: JaxArray): JaxArray =>
    nn
      .logSoftmax(forward(weights, x))
      .mul(nn.oneHot(y, 10))
      .sum()
      .mul(-1 / BATCH);
  const step = (state: JaxArray[], x: JaxArray, y: JaxArray): JaxArray[] => {
    const n = (state.length - 1) / 3;
    const [weights, m, v] = [state.slice(0, n), state.slice(n, 2 * n), state.slice(2 * n, 3 * n)];
    const [loss, gradients] = valueAndGrad(lossOf)(
      weights.map((w) => w.ref),
      x,
      y,
    );
    const count = state[3 * n]!.add(1);
    const rate = np
      .sqrt(np.subtract(1, np.power(0.999, count.ref)))
      .div(np.subtract(1, np.power(0.9, count.ref)))
      .mul(1e-3);
    const nextM = m.map((x, i) => x.mul(0.9).add(gradients[i]!.ref.mul(0.1)));
    const nextV = v.map((x, i) => x.mul(0.999).add(np.square(gradients[i]!).mul(0.001)));
    const next = weights.map((w, i) => w.sub(nextM[i]!.ref.mul(rate.ref).div(np.sqrt(nextV[i]!.ref).add(1e-7))));
    rate.dispose();
    return [loss, ...next, ...nextM, ...nextV, count];
  };
  const compiled = jit(step as never) as unknown as typeof step;
  return (state, x, y) => {
    const [loss, ...next] = compiled(state, x, y);
    return { loss: loss!, state: next };
  };
}

export function trainer(workload: string): ReturnType<typeof trainerOf> {
  const forward = forwards[workload];
  if (!forward) throw new Error(`No train step of jax-js for ${workload}.`);
  return trainerOf(workload, stepOf(forward), 15_000);
}
