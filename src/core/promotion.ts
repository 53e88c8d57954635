import { type DType, shrink } from "./dtype.js";

/** A dtype, or the weak type of a plain JavaScript number. */
export type PromotionInput = DType | "int" | "float";
type Node = DType | "int" | "float" | "complex128";

// Direct edges of the promotion lattice (JAX type promotion semantics, "jax-types-lattice").
const edges: Record<Exclude<Node, "float8_e4m3fn" | "float8_e5m2">, readonly Node[]> = {
  bool: ["int"],
  int: ["uint8", "int8", "complex64"],
  uint8: ["int16", "uint16"],
  uint16: ["int32", "uint32"],
  uint32: ["int64", "uint64"],
  uint64: ["float"],
  int8: ["int16"],
  int16: ["int32"],
  int32: ["int64"],
  int64: ["float"],
  float: ["bfloat16", "float16"],
  bfloat16: ["float32"],
  float16: ["float32"],
  float32: ["float64", "complex64"],
  float64: ["complex128"],
  complex64: ["complex128"],
  complex128: [],
};

const above = new Map<Node, ReadonlySet<Node>>();
function upperBounds(node: Node): ReadonlySet<Node> {
  const known = above.get(node);
  if (known) return known;
  const bounds = new Set<Node>([node]);
  for (const next of edges[node as keyof typeof edges]) for (const bound of upperBounds(next)) bounds.add(bound);
  above.set(node, bounds);
  return bounds;
}

function leastUpperBound(nodes: readonly Node[]): Node {
  const common = [...upperBounds(nodes[0]!)].filter((n) => nodes.every((other) => upperBounds(other).has(n)));
  const least = common.find((n) => common.every((other) => upperBounds(n).has(other)));
  if (!least) throw new TypeError(`No dtype can hold all of: ${nodes.join(", ")}. Cast them explicitly.`);
  return least;
}

const strong: Record<"int" | "float", Node> = { int: "int32", float: "float32" };
const isWeak = (node: Node): node is "int" | "float" => node === "int" || node === "float";
/** Results by default float, then input by input. */
interface Known {
  result?: DType;
  readonly next: Map<PromotionInput, Known>;
}
const cache = new Map<DType, Known>();

/**
 * The dtype that holds values of all `inputs`, by JAX's promotion rules; 64-bit results shrink to 32 bits.
 * "int" and "float" stand for plain numbers, which adapt to the other operands; `floatx` decides when nothing else does.
 */
export function promote(inputs: readonly PromotionInput[], floatx: DType): DType {
  let known = entry(cache, floatx);
  for (const input of inputs) known = entry(known.next, input);
  return (known.result ??= computePromotion(inputs, floatx));
}
function entry<K>(map: Map<K, Known>, key: K): Known {
  let known = map.get(key);
  if (!known) map.set(key, (known = { next: new Map() }));
  return known;
}

function computePromotion(inputs: readonly PromotionInput[], floatx: DType): DType {
  if (inputs.length === 0) return floatx;
  const nodes: Node[] = [...new Set(inputs)];
  for (const node of nodes) {
    if (node.startsWith("float8") && nodes.length > 1) {
      throw new TypeError(`float8 values do not promote with other dtypes: ${nodes.join(", ")}. Cast them explicitly.`);
    }
  }
  if (nodes.length === 1 && !isWeak(nodes[0]!)) return shrink(nodes[0] as DType);
  if (nodes.every(isWeak)) {
    const bound = leastUpperBound(nodes.map((n) => strong[n]));
    return bound === "float32" ? (floatx === "float16" || floatx === "bfloat16" ? "float16" : "float32") : "int32";
  }
  const bound = leastUpperBound(nodes);
  if (bound === "complex128") return "complex64";
  return isWeak(bound) ? (bound === "int" ? "int32" : shrink(floatx)) : shrink(bound as DType);
}
