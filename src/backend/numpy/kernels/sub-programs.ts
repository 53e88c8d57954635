import type { Executable } from "../../../core/engine.js";
import type { NDArray } from "../../../core/ndarray.js";
import type { Program } from "../../../core/program.js";

type Compiler = (program: Program) => Executable;

let compiler: Compiler | null = null;
const compiled = new WeakMap<Program, Executable>();

/** Sets how the Programs inside control flow are made ready to run. The engine does so when it is put together. */
export function useSubProgramCompiler(compile: Compiler): void {
  compiler = compile;
}

/** Runs a Program held by a control-flow instruction; it is compiled when it is met first. */
export function runSubProgram(program: Program, inputs: readonly NDArray[]): NDArray[] {
  let executable = compiled.get(program);
  if (!executable) {
    if (!compiler) throw new Error("Control flow needs a compiler for its bodies: none was set.");
    executable = compiler(program);
    compiled.set(program, executable);
  }
  return executable.run(inputs) as NDArray[];
}
