// Entry of the kernel module: what TypeScript may call.
export { fillBytes } from "./bytes";
export { runChain } from "./chain";
export { convForward, convInputGradient, convKernelGradient, convWorkspace } from "./conv";
export { copyStrided } from "./copy";
export { gemm, gemmBatched, gemmWorkspace } from "./gemm";
export { maxPoolGradient, pool, sumPoolGradient } from "./pool";
export { argExtreme } from "./extreme";
export { reduceBools } from "./logical";
export { reduce } from "./reduce";
export { scatterAddRows, takeAlong, takeRows } from "./rows";
export { argSortRows, sortRows, sortWorkspace, topRows } from "./sort";
export { threefry } from "./threefry";
