/** `keras.datasets`: small data sets to try things with. */
export * as mnist from "./mnist.js";
