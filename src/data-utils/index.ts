/** Functions on labels, sequences and boxes, as data is prepared with them. */
export * as boundingBoxes from "./bounding-boxes/index.js";
export { normalize, type NormalizeOptions } from "./normalize.js";
export { padSequences, type PadSequencesOptions, type Sequences } from "./pad-sequences.js";
export { toCategorical, type ToCategoricalOptions } from "./to-categorical.js";
