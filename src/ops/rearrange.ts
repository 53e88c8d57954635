import { toTensor } from "../core/convert.js";
import { defineOp } from "../core/op.js";
import type { Tensor, TensorLike } from "../core/tensor.js";
import * as P from "../primitives/index.js";

/** One axis of a pattern: the names it is made of, outermost first. */
type Group = readonly string[];

function groupsOf(side: string): Group[] {
  const groups: Group[] = [];
  for (const match of side.matchAll(/\(([^()]*)\)|(\S+)/g)) {
    const names = match[1] === undefined ? [match[2]!] : match[1].trim().split(/\s+/).filter(Boolean);
    groups.push(names.filter((name) => name !== "1"));
  }
  return groups;
}
/** Rearranges axes by a pattern: "b (h w) c -> b c h w", with sizes of new axes given by name. */
export const rearrange = defineOp(
  "einops.Rearrange",
  (tensor: TensorLike, pattern: string, axesLengths: Readonly<Record<string, number>> = {}): Tensor => {
    const t = toTensor(tensor);
    const sides = pattern.split("->");
    if (sides.length !== 2)
      throw new TypeError(`rearrange: the pattern needs one "->". Received: ${JSON.stringify(pattern)}.`);
    let [from, to] = sides.map((side) => groupsOf(side)) as [Group[], Group[]];
    const dots = from.findIndex((group) => group[0] === "...");
    if (dots >= 0) {
      const extra = Array.from({ length: t.ndim - from.length + 1 }, (_, i): Group => [`.${i}`]);
      const expand = (groups: readonly Group[]): Group[] =>
        groups.flatMap((g) =>
          g[0] === "..." && g.length === 1 ? extra : [g.flatMap((n) => (n === "..." ? extra.flat() : [n]))],
        );
      [from, to] = [expand(from), expand(to)];
    }
    if (from.length !== t.ndim)
      throw new RangeError(
        `rearrange: the pattern ${JSON.stringify(pattern)} has ${from.length} axes, but the tensor has shape [${t.shape}].`,
      );
    const sizes = new Map<string, number>(Object.entries(axesLengths));
    from.forEach((group, i) => {
      const unknown = group.filter((name) => !sizes.has(name));
      if (unknown.length > 1) throw new TypeError(`rearrange: give the sizes of all but one of ${unknown.join(", ")}.`);
      const known = group.reduce((n, name) => n * (sizes.get(name) ?? 1), 1);
      if (unknown[0] !== undefined) sizes.set(unknown[0], t.shape[i]! / known);
    });
    const names = from.flat();
    const wanted = to.flat();
    if (names.length !== wanted.length || names.some((name) => !wanted.includes(name)))
      throw new TypeError(`rearrange: both sides of ${JSON.stringify(pattern)} must name the same axes.`);
    const opened = P.reshape(
      t,
      names.map((name) => sizes.get(name)!),
    );
    const moved = P.transpose(
      opened,
      wanted.map((name) => names.indexOf(name)),
    );
    return P.reshape(
      moved,
      to.map((group) => group.reduce((n, name) => n * sizes.get(name)!, 1)),
    );
  },
  { static: ["pattern"] },
);
