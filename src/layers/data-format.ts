import { derived, optional, string } from "../config/fields.js";
import { type ImageDataFormat, standardizeDataFormat } from "../core/settings.js";

/** A constructor argument that says where images keep their channels; the default format when null or left out. */
/* @__NO_SIDE_EFFECTS__ */
export const dataFormat = () => derived(optional(string()), (value): ImageDataFormat => standardizeDataFormat(value));

/** The axes of a tensor of `rank` spatial axes besides batch and channels. */
export const spatialAxes = (format: ImageDataFormat, rank: number): number[] =>
  Array.from({ length: rank }, (_, i) => i + (format === "channels_last" ? 1 : 2));
/** The axis of channels. */
export const channelAxis = (format: ImageDataFormat): number => (format === "channels_last" ? -1 : 1);
