import type { Kernel, TorchKernels } from "../torch.js";
import { compareKernels } from "./compare.js";
import { convolutionKernels } from "./convolution.js";
import { createKernels } from "./create.js";
import { dotKernels } from "./dot.js";
import { binaryKernels, unaryKernels } from "./elementwise.js";
import { foreignKernels } from "./foreign.js";
import { indexingKernels } from "./indexing.js";
import { linalgKernels } from "./linalg.js";
import { movementKernels } from "./movement.js";
import { poolingKernels } from "./pooling.js";
import { randomKernels } from "./random.js";
import { reduceKernels } from "./reduce.js";
import { scatterKernels } from "./scatter.js";
import { shiftKernels } from "./shifts.js";
import { sortKernels } from "./sort.js";

const kernels: TorchKernels = {
  ...unaryKernels,
  ...binaryKernels,
  ...shiftKernels,
  ...compareKernels,
  ...createKernels,
  ...reduceKernels,
  ...movementKernels,
  ...indexingKernels,
  ...scatterKernels,
  ...sortKernels,
  ...dotKernels,
  ...convolutionKernels,
  ...poolingKernels,
  ...linalgKernels,
  ...randomKernels,
  ...foreignKernels,
};

/** The kernel of a primitive in ATen ops; undefined where there is none. */
export const kernelOf = (primitive: string): Kernel | undefined =>
  (kernels as Readonly<Record<string, Kernel | undefined>>)[primitive];
