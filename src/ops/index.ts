export * from "./activation.js";
export * from "./arithmetic.js";
export * from "./attention.js";
export * from "./convolution.js";
export * from "./crossentropy.js";
export * from "./elementwise.js";
export * from "./logic.js";
export * from "./matmul.js";
export * from "./multi-hot.js";
export { batchNormalization, layerNormalization, moments, normalize, rmsNormalization } from "./normalization.js";
export * from "./patches.js";
export * from "./pooling.js";
export * from "./psnr.js";
export * from "./rectifiers.js";
export { all, any, argmax, argmin, max, mean, min, prod, std, sum, variance as var } from "./reductions.js";
export * from "./shape.js";
export * from "./smooth-activations.js";
export * from "./bitwise.js";
export * from "./complex.js";
export * from "./cumulative.js";
export * from "./nan-reductions.js";
export * from "./predicates.js";
export { median, nanmedian, nanpercentile, nanquantile, percentile, quantile } from "./quantiles.js";
export * from "./statistics.js";
export * from "./transcendental.js";
export {
  arange,
  array,
  copy,
  empty,
  emptyLike,
  eye,
  full,
  fullLike,
  geomspace,
  identity,
  linspace,
  logspace,
  meshgrid,
  ones,
  onesLike,
  tri,
  zeros,
  zerosLike,
} from "./creation.js";
export { einsum } from "./einsum.js";
export {
  append,
  arraySplit,
  columnStack,
  dsplit,
  dstack,
  hsplit,
  hstack,
  repeat,
  split,
  tile,
  vsplit,
  vstack,
} from "./joining.js";
export * from "./products.js";
export * from "./rearrange.js";
export * from "./rearranging.js";
export * from "./selecting.js";
export * from "./unique.js";
export * from "./window-functions.js";
export * from "./structure.js";
export * from "./branches.js";
export * from "./conversions.js";
export { ctcDecode } from "./ctc-decode.js";
export { ctcLoss } from "./ctc-loss.js";
export * from "./custom-gradient.js";
export * from "./determinants.js";
export * from "./distances.js";
export * from "./erfc.js";
export * from "./factorizations.js";
export { type ComplexPair, fft, fft2, ifft2, irfft, rfft } from "./fourier.js";
export * from "./get-item.js";
export * from "./incomplete-gamma.js";
export * from "./jvp.js";
export { foriLoop, whileLoop } from "./loops-of-trees.js";
export * from "./norm.js";
export * from "./scans.js";
export { scatter, type ScatterReduction, scatterUpdate } from "./scatter.js";
export * from "./segments.js";
export { extractSequences, istft, stft, type Window } from "./short-time-fourier.js";
export * from "./slices.js";
export { inv, lstsq, matrixPower, matrixRank, pinv, solve, solveTriangular } from "./solvers.js";
export * from "./top-k.js";
export * as image from "./image/index.js";
export * from "./view.js";
