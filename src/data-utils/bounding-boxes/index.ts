/** `keras.utils.boundingBoxes`: boxes [..., 4] in images. */
export { type AffineOptions, affineTransform } from "./affine.js";
export { type BoxFormatOption, type ClipOptions, clipToImageSize, crop, pad } from "./clip.js";
export { decodeDeltasToBoxes, type DecodeOptions, encodeBoxToDeltas, type EncodeOptions } from "./deltas.js";
export {
  type BoundingBoxFormat,
  convertFormat,
  type ConvertFormatOptions,
  type ImageSize,
  type LabeledBoxes,
} from "./formats.js";
export { computeCiou, computeIou, type IouOptions } from "./iou.js";
