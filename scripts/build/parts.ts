import path from "node:path";
import { partPrefix } from "./node-copy.js";

/** What Node loads at its first use: folders and files of src/, without files that others build on as they are loaded or that the root exports. */
const parts: Readonly<Record<string, { readonly paths: readonly string[]; readonly without?: readonly string[] }>> = {
  layers: {
    paths: [
      "layers/activations",
      "layers/attention",
      "layers/convolutional",
      "layers/core",
      "layers/merging",
      "layers/normalization",
      "layers/pooling",
      "layers/preprocessing",
      "layers/regularization",
      "layers/reshaping",
      "layers/rnn",
      "layers/wrapping",
      "layers/index.ts",
    ],
    without: ["layers/core/input-layer.ts"],
  },
  metrics: {
    paths: ["metrics"],
    without: ["metrics/metric.ts", "metrics/mean.ts", "metrics/function-mean.ts", "metrics/mean-metric-wrapper.ts"],
  },
  losses: { paths: ["losses"], without: ["losses/loss.ts", "losses/reduce.ts", "losses/aligned.ts"] },
  optimizers: {
    paths: ["optimizers"],
    without: ["optimizers/optimizer.ts", "optimizers/learning-rate.ts", "optimizers/clipping.ts", "optimizers/slot.ts"],
  },
  callbacks: { paths: ["callbacks"] },
  quantizers: { paths: ["quantizers"], without: ["quantizers/quantizer.ts"] },
  image: { paths: ["ops/image", "ops/index.ts"] },
  more_ops: {
    paths: [
      "ops/ctc-beam-search.ts",
      "ops/ctc-decode.ts",
      "ops/ctc-loss.ts",
      "ops/determinants.ts",
      "ops/distances.ts",
      "ops/factorizations.ts",
      "ops/fourier.ts",
      "ops/incomplete-gamma.ts",
      "ops/jvp.ts",
      "ops/multi-hot.ts",
      "ops/nan-reductions.ts",
      "ops/patches.ts",
      "ops/psnr.ts",
      "ops/quantiles.ts",
      "ops/rearrange.ts",
      "ops/segments.ts",
      "ops/short-time-fourier.ts",
      "ops/solvers.ts",
      "ops/statistics.ts",
      "ops/unique.ts",
      "ops/window-functions.ts",
      "random/binomial.ts",
      "random/gamma.ts",
    ],
  },
  training: {
    paths: [
      "trainers/compile",
      "trainers/data",
      "trainers/loops",
      "trainers/epoch-iterator.ts",
      "trainers/steps.ts",
      "trainers/symbolic-build.ts",
    ],
  },
  generators: { paths: ["utils/random", "utils/farmhash.ts"] },
  models: {
    paths: [
      "models/clone-model.ts",
      "models/functional-config-read.ts",
      "models/functional-config-write.ts",
      "models/index.ts",
      "models/summary.ts",
      "models/text-table.ts",
    ],
  },
  data_utils: { paths: ["data-utils"] },
};

/** The part that a module of src/ belongs to; undefined for what Node needs at once. */
export function partFor(src: string, id: string): string | undefined {
  const file = path.relative(src, id).replaceAll("\\", "/");
  for (const [name, { paths, without = [] }] of Object.entries(parts)) {
    const has = (place: string): boolean => file === place || file.startsWith(`${place}/`);
    if (paths.some(has) && !without.includes(file)) return partPrefix + name;
  }
  return undefined;
}
