export {
  beta,
  binomial,
  categorical,
  dropout,
  gamma,
  normal,
  randint,
  shuffle,
  truncatedNormal,
  uniform,
} from "./random.js";
export { SeedGenerator } from "./seed-generator.js";
