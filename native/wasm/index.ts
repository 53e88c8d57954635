// Entry of the kernel module: what TypeScript may call.
export { runChain } from "./chain";
export { convForward, convInputGradient, convKernelGradient, convWorkspace } from "./conv";
export { copyStrided } from "./copy";
export { gemm, gemmBatched, gemmWorkspace } from "./gemm";
export { maxPoolGradient, pool, sumPoolGradient } from "./pool";
export { argExtreme, reduce } from "./reduce";
export { scatterAddRows, takeRows } from "./rows";
export { threefry } from "./threefry";
