import { dtypeBytes } from "../../../core/dtype.js";
import { chainAccess, ChainBuilder, type ChainRef, type Kernels as WasmKernels } from "../wasm/index.js";
import { afterLoad, beforeStore, immediateOf, storageOf } from "./elementwise.js";
import { type Addresses, type Elementwise, isSplat, type Operand, type Run } from "./graph.js";
import type { Root, View } from "./view.js";

/** A pointer of a chain: which word of its code, and what it points to. */
interface Binding {
  readonly word: number;
  readonly root: number;
  readonly offset: number;
}

/** Writes the elementwise items of a unit as one chain. `stored` results go to memory, the others live in registers. */
export function prepareChain(
  items: readonly Elementwise[],
  stored: ReadonlySet<Root>,
  wasm: WasmKernels,
  heapWords: () => Int32Array,
  { of }: Addresses,
): { run: Run; code: number | null } {
  const { size } = items[0]!.output;
  if (size === 0) return { run: () => {}, code: null };
  const builder = new ChainBuilder();
  const values = new Map<Root, ChainRef>();
  const loads = new Map<string, ChainRef>();
  const pointers: View[] = [];

  const load = (view: View, shape: readonly number[]): ChainRef => {
    const access = chainAccess(shape, view.strides);
    const key = `${view.root.id} ${view.dtype} ${view.offset} ${JSON.stringify(access)}`;
    let ref = loads.get(key);
    if (ref === undefined) {
      pointers.push(view);
      ref = afterLoad(builder, builder.operand(access, storageOf(view.dtype)), view.dtype);
      loads.set(key, ref);
    }
    return ref;
  };
  const read = (x: Operand, shape: readonly number[]): ChainRef =>
    isSplat(x) ? immediateOf(builder, x.splat, x.dtype) : (values.get(x.root) ?? load(x, shape));

  const stores: Root[] = [];
  for (const item of items)
    values.set(
      item.output,
      item.emit(
        builder,
        item.operands.map((x) => read(x, item.shape)),
      ),
    );
  for (const { output } of items) {
    if (!stored.has(output)) continue;
    builder.store(beforeStore(builder, values.get(output)!, output.dtype), storageOf(output.dtype));
    stores.push(output);
  }

  const chain = builder.build();
  const code = wasm.uploadChain(chain);
  const bindings: Binding[] = [
    ...pointers.map(({ root, offset, dtype }, i) => ({
      word: code / 4 + chain.operandPointers[i]!,
      root: root.id,
      offset: offset * dtypeBytes(dtype),
    })),
    ...stores.map((root, i) => ({ word: code / 4 + chain.outputPointers[i]!, root: root.id, offset: 0 })),
  ];
  const run = (): void => {
    const words = heapWords();
    for (const { word, root, offset } of bindings) words[word] = of[root]! + offset;
    wasm.runChain(code, chain, 0, size);
  };
  return { run, code };
}
