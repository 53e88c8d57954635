export { categorical, dropout, normal, randint, shuffle, truncatedNormal, uniform } from "./random.js";
export { SeedGenerator } from "./seed-generator.js";
