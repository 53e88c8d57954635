import { addon } from "./library.js";

/** Elements of a probe: enough for the loops that libtorch vectorizes, whose functions are others than those of single elements. */
const probed = 32;

/** What an op of one argument makes of a float32 of this value. */
function probe(op: string, value: number): number {
  const x = addon.fromHost(new Float32Array(probed).fill(value), [probed], 6, "cpu");
  const y = addon.call(addon.opId(`aten::${op}`, ""), x) as number;
  const [result] = new Float32Array(addon.toHost(y));
  addon.free(x);
  addon.free(y);
  return result!;
}

let overflows: boolean | undefined;
/** Whether log1p gives infinity for the largest floats, as builds with older vector functions do. Looked up once. */
export const log1pOverflows = (): boolean => (overflows ??= probe("log1p", 3e38) === Infinity);

let loses: boolean | undefined;
/** Whether tanh gives 0 for -0, as builds with older vector functions do. Looked up once. */
export const tanhLosesSign = (): boolean => (loses ??= !Object.is(probe("tanh", -0), -0));
