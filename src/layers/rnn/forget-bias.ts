import type { InitializerFunction } from "../../initializers/lookup.js";
import { ones } from "../../ops/creation.js";
import { concatenate } from "../../ops/shape.js";

/** A bias of four gates whose second quarter, for forgetting, is 1; the others begin as `initializer` says. */
export const forgetBias =
  (initializer: InitializerFunction): InitializerFunction =>
  ([width], options = {}) => {
    const units = width! / 4;
    return concatenate([initializer([units], options), ones([units], options), initializer([2 * units], options)], {
      axis: 0,
    });
  };
