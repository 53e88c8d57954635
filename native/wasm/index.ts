// Entry of the kernel module: what TypeScript may call.
export { runChain } from "./chain";
export { gemm, gemmBatched, gemmWorkspace } from "./gemm";
