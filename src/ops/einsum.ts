import { promoted, promotionInput } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { diagonal } from "./rearranging.js";

/** A tensor with a letter for each axis. */
interface Term {
  readonly tensor: Tensor;
  readonly labels: readonly string[];
}
// Axes behind an ellipsis get labels no subscript can spell.
const hidden = (i: number): string => `.${i}`;

function parse(subscripts: string, tensors: readonly Tensor[]): { terms: Term[]; output: string[] } {
  const clean = subscripts.replaceAll(/\s/g, "");
  if (!/^[A-Za-z.,]*(->[A-Za-z.]*)?$/.test(clean))
    throw new TypeError(
      `einsum: cannot read the subscripts ${JSON.stringify(subscripts)}. Use letters, ",", "..." and "->".`,
    );
  const [left, right] = clean.split("->") as [string, string | undefined];
  const parts = left.split(",");
  if (parts.length !== tensors.length)
    throw new RangeError(
      `einsum: ${JSON.stringify(subscripts)} names ${parts.length} operands. Received: ${tensors.length}.`,
    );
  let widest = 0;
  const ellipsis = parts.map((part, i) => {
    const letters = part.replace("...", "").length;
    const extra = tensors[i]!.ndim - letters;
    if (part.includes("...") ? extra < 0 : extra !== 0)
      throw new RangeError(`einsum: the subscripts "${part}" do not fit an operand of shape [${tensors[i]!.shape}].`);
    if (part.includes("...")) widest = Math.max(widest, extra);
    return extra;
  });
  const expand = (part: string, extra: number): string[] => {
    const [before, after] = part.split("...") as [string, string | undefined];
    return after === undefined
      ? [...before]
      : [...before, ...Array.from({ length: extra }, (_, i) => hidden(widest - extra + i)), ...after];
  };
  const terms = parts.map((part, i) => ({ tensor: tensors[i]!, labels: expand(part, ellipsis[i]!) }));
  const all = terms.flatMap(({ labels }) => labels);
  const spread = Array.from({ length: widest }, (_, i) => hidden(i));
  const once = [...new Set(all)].filter((l) => !l.startsWith(".") && all.filter((o) => o === l).length === 1).sort();
  const output = right === undefined ? [...spread, ...once] : expand(right, widest);
  for (const label of output)
    if (!all.includes(label)) throw new TypeError(`einsum: the output names "${label}", which no operand has.`);
  return { terms, output };
}

/** Takes the diagonal where a letter repeats, and sums letters that nobody else needs. */
function simplified({ tensor, labels }: Term, needed: ReadonlySet<string>): Term {
  let [t, names] = [tensor, [...labels]];
  for (let i = 0; i < names.length; i++) {
    const twin = names.indexOf(names[i]!, i + 1);
    if (twin < 0) continue;
    t = diagonal(t, { axis1: i, axis2: twin });
    names = [...names.filter((_, k) => k !== i && k !== twin), names[i]!];
    i = -1;
  }
  const gone = names.flatMap((name, i) => (needed.has(name) ? [] : [i]));
  return gone.length === 0
    ? { tensor: t, labels: names }
    : { tensor: P.sum(t, gone), labels: names.filter((n) => needed.has(n)) };
}

/** Contracts two terms over the letters that neither the output nor other terms need. */
function contract(a: Term, b: Term, needed: ReadonlySet<string>): Term {
  const shared = a.labels.filter((l) => b.labels.includes(l));
  const size = (term: Term, label: string): number => term.tensor.shape[term.labels.indexOf(label)]!;
  // A letter of size 1 on one side only broadcasts: it leaves that side.
  const squeeze = (term: Term, other: Term): Term => {
    const ones = shared.filter((l) => size(term, l) === 1 && size(other, l) !== 1);
    if (ones.length === 0) return term;
    return {
      tensor: P.reshape(
        term.tensor,
        term.tensor.shape.filter((_, i) => !ones.includes(term.labels[i]!)),
      ),
      labels: term.labels.filter((l) => !ones.includes(l)),
    };
  };
  const needs = (term: Term, other: Term): ReadonlySet<string> =>
    new Set([...needed, ...other.labels.filter((l) => term.labels.includes(l))]);
  const [x0, y0] = [squeeze(a, b), squeeze(b, a)];
  const [x, y] = [simplified(x0, needs(x0, y0)), simplified(y0, needs(y0, x0))];
  const both = x.labels.filter((l) => y.labels.includes(l));
  const batch = both.filter((l) => needed.has(l));
  const summed = both.filter((l) => !needed.has(l));
  const at = (term: Term, labels: readonly string[]): number[] => labels.map((l) => term.labels.indexOf(l));
  const tensor = P.dot(x.tensor, y.tensor, {
    contract: [at(x, summed), at(y, summed)],
    batch: [at(x, batch), at(y, batch)],
  });
  const rest = (term: Term): string[] => term.labels.filter((l) => !both.includes(l));
  return { tensor, labels: [...batch, ...rest(x), ...rest(y)] };
}

/** Multiplications that contracting two terms takes; unknown sizes count as 1. */
function cost(a: Term, b: Term): number {
  const sizes = new Map<string, number>();
  for (const { tensor, labels } of [a, b])
    labels.forEach((l, i) => sizes.set(l, Math.max(sizes.get(l) ?? 1, tensor.shape[i]! || 1)));
  return [...sizes.values()].reduce((n, d) => n * d, 1);
}

/**
 * Sums of products written in Einstein's notation: "bij,bjk->bik". Operands are contracted pair by pair, cheapest pair first.
 * @throws TypeError for subscripts that cannot be read, RangeError for operands that do not fit them.
 */
export const einsum = defineOp(
  "numpy.Einsum",
  (subscripts: string, ...operands: readonly TensorLike[]): Tensor => {
    if (operands.length === 0) throw new RangeError("einsum needs at least one operand.");
    const tensors = promoted(operands);
    const dtype = tensors[0]!.dtype;
    const narrow = operands.every((x) => promotionInput(x) === "int8");
    const wide = dtype === "bool" || narrow ? "int32" : dtype;
    const parsed = parse(
      subscripts,
      tensors.map((t) => P.cast(t, wide)),
    );
    let terms: Term[] = parsed.terms;
    const kept = new Set(parsed.output);
    const neededBeside = (rest: readonly Term[]): Set<string> =>
      new Set([...kept, ...rest.flatMap(({ labels }) => labels)]);
    while (terms.length > 1) {
      let best: readonly [number, number] = [0, 1];
      let least = Infinity;
      for (let i = 0; i < terms.length; i++) {
        for (let j = i + 1; j < terms.length; j++) {
          const price = cost(terms[i]!, terms[j]!);
          if (price < least) [best, least] = [[i, j], price];
        }
      }
      const rest = terms.filter((_, i) => !best.includes(i));
      terms = [...rest, contract(terms[best[0]]!, terms[best[1]]!, neededBeside(rest))];
    }
    const { tensor, labels } = simplified(terms[0]!, kept);
    const result = P.transpose(
      tensor,
      parsed.output.map((l) => labels.indexOf(l)),
    );
    return dtype === "bool" ? P.cast(result, "bool") : result;
  },
  { static: ["subscripts"] },
);
