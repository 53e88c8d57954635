import type { Tensor } from "../core/tensor.js";
import * as P from "../primitives/index.js";
import { logSoftmax } from "./activation.js";
import * as loops from "./loops.js";
import { constant } from "./support.js";

export interface BeamSearchOptions {
  readonly beamWidth: number;
  readonly topPaths: number;
  /** Class of the blank. */
  readonly blank: number;
}

/**
 * Prefixes that are searched further, in lexicographic order. Prefixes that are not in use come first, empty, with scores of -Infinity.
 */
interface Beams {
  /** Classes of each prefix [b, w, t], then -1. */
  readonly paths: Tensor;
  /** How many classes each has [b, w]. */
  readonly lengths: Tensor;
  /** Log-probabilities of the alignments that end in a class, and of those that end in the blank [b, w]. */
  readonly inClass: Tensor;
  readonly inBlank: Tensor;
  /** Whether prefix i begins prefix j, or is it [b, i, j]. */
  readonly begins: Tensor;
}

const int = (value: number): Tensor => P.full([], value, "int32");
const both = P.logicalAnd;
const pick = (x: Tensor, positions: Tensor): Tensor => P.takeAlongAxis(x, positions, 1);
/** Rows [b, w, ...] at positions [b, k]. */
function pickRows(x: Tensor, positions: Tensor): Tensor {
  const [b, k] = positions.shape as [number, number];
  const index = P.broadcastTo(P.reshape(positions, [b, k, 1]), [b, k, x.shape[2]!]);
  return P.takeAlongAxis(x, index, 1);
}
const expand = (x: Tensor, axis: number): Tensor =>
  P.reshape(x, [...x.shape.slice(0, axis), 1, ...x.shape.slice(axis)]);
const lastOf = (x: Tensor, count: number): Tensor => {
  const [b, n] = x.shape as [number, number];
  return P.slice(x, [0, n - count], [b, n]);
};
const isSome = (score: Tensor): Tensor => P.greater(score, constant(-Infinity, score));
/** max, or 0 where all are -Infinity, kept as [b, 1]. */
function highest(x: Tensor): Tensor {
  const top = P.max(x, [1], true);
  return P.select(isSome(top), top, constant(0, top));
}
const logAdd = (x: Tensor, y: Tensor): Tensor => {
  const top = P.maximum(x, y);
  const safe = P.select(isSome(top), top, constant(0, top));
  return P.add(P.log(P.add(P.exp(P.subtract(x, safe)), P.exp(P.subtract(y, safe)))), safe);
};

/** Positions [b, k] of the `count` best candidates by score; of equal scores the lexicographically later wins. Ascending. */
function best(scores: Tensor, order: Tensor, count: number): Tensor {
  const lexicographic = P.argSort(order, 1);
  return lastOf(pick(lexicographic, P.argSort(pick(scores, lexicographic), 1)), count);
}

/** The chosen candidates in order, with those that are not in use emptied and put in front. */
function arrange(chosen: Tensor, scores: Tensor, order: Tensor): { chosen: Tensor; used: Tensor } {
  const used = isSome(pick(scores, chosen));
  const sorted = P.argSort(P.select(used, pick(order, chosen), int(-1)), 1);
  return { chosen: pick(chosen, sorted), used: pick(used, sorted) };
}

function firstBeams(frame: Tensor, { beamWidth: w, blank }: BeamSearchOptions, frames: number): Beams {
  const [b, classes] = frame.shape as [number, number];
  const count = Math.min(classes, w);
  // One candidate for each class, and as many that are not in use as it takes to fill the beams.
  const scores = P.pad(frame, { low: [0, 0], high: [0, w - count], interior: [0, 0], value: -Infinity });
  const n = scores.shape[1]!;
  const candidate = P.broadcastTo(P.iota([1, n], 1, "int32"), [b, n]);
  const isBlank = P.equal(candidate, int(blank));
  const order = P.select(isBlank, int(0), P.add(candidate, int(1)));
  const ranked = lastOf(P.argSort(scores, 1), w);
  const { chosen, used } = arrange(ranked, scores, order);
  const empty = P.select(used, P.equal(chosen, int(blank)), P.full([], 1, "bool"));
  const score = P.select(used, pick(scores, chosen), constant(-Infinity, scores));
  const none = constant(-Infinity, score);
  const place = P.iota([1, 1, frames], 2, "int32");
  const first = both(P.equal(place, int(0)), P.logicalNot(expand(empty, 2)));
  const paths = P.select(first, P.broadcastTo(expand(chosen, 2), [b, w, frames]), int(-1));
  const same = P.equal(P.iota([1, w, w], 1, "int32"), P.iota([1, w, w], 2, "int32"));
  const inUse = both(expand(used, 2), expand(used, 1));
  return {
    paths,
    lengths: P.select(empty, int(0), int(1)),
    inClass: P.select(empty, none, score),
    inBlank: P.select(empty, score, none),
    begins: P.logicalOr(same, both(both(expand(empty, 2), inUse), P.full([b, w, w], 1, "bool"))),
  };
}

function nextBeams(beams: Beams, frame: Tensor, { beamWidth: w, blank }: BeamSearchOptions): Beams {
  const { paths, lengths, inClass, inBlank, begins } = beams;
  const [b, classes] = frame.shape as [number, number];
  const frames = paths.shape[2]!;
  const zero = constant(0, frame);
  const classOf = P.iota([1, 1, classes], 2, "int32");
  const beamOf = P.iota([1, w], 1, "int32");

  /** For prefixes i and j [b, i, j]: the class of j after as many classes as i has; -1 past its end. */
  const following = P.transpose(
    P.takeAlongAxis(paths, P.broadcastTo(expand(lengths, 1), [b, w, w]), 2, "clip"),
    [0, 2, 1],
  );
  const longer = P.greater(expand(lengths, 1), expand(lengths, 2));
  const continues = both(begins, longer);
  const continuesByOne = both(continues, P.equal(expand(lengths, 1), P.add(expand(lengths, 2), int(1))));
  const tailAt = P.maximum(P.subtract(lengths, int(1)), int(0));
  const tail = P.reshape(P.takeAlongAxis(paths, expand(tailAt, 2), 2), [b, w]);

  // Probabilities relative to the highest: extended by a class, repeating the last one, and followed by the blank.
  const topBeam = P.maximum(P.max(inClass, [1], true), P.max(inBlank, [1], true));
  const isClass = P.notEqual(P.reshape(classOf, [1, classes]), int(blank));
  const classScores = P.select(isClass, frame, constant(-Infinity, frame));
  const top = P.add(topBeam, highest(classScores));
  const relative = (beam: Tensor): Tensor =>
    P.exp(P.subtract(P.add(expand(beam, 2), expand(classScores, 1)), expand(top, 2)));
  const fromClass = relative(inClass);
  const repeats = P.equal(expand(tail, 2), classOf);
  const extended = P.add(P.select(repeats, zero, fromClass), relative(inBlank));
  const repeated = P.sum(P.select(repeats, fromClass, zero), [2]);
  // What extends a prefix to another that is kept belongs to that one.
  const joining = P.sum(
    P.select(continuesByOne, P.takeAlongAxis(extended, P.broadcastTo(expand(tail, 1), [b, w, w]), 2, "zero"), zero),
    [1],
  );
  const blankScore = P.slice(frame, [0, blank], [b, blank + 1]);
  const topBlank = P.add(topBeam, blankScore);
  const withBlank = (beam: Tensor): Tensor => P.exp(P.subtract(P.add(beam, blankScore), topBlank));
  const stayInClass = P.add(P.log(P.add(repeated, joining)), top);
  const stayInBlank = P.add(P.log(P.add(withBlank(inClass), withBlank(inBlank))), topBlank);

  /** How many prefixes j continue prefix i with a class: [b, i, class]. */
  const counts = (which: Tensor): Tensor => {
    const row = P.broadcastTo(P.reshape(P.iota([b * w, 1], 0, "int32"), [b, w, 1]), [b, w, w]);
    const places = P.concatenate([expand(row, 3), expand(following, 3)], 3);
    return P.reshape(P.scatter(P.full([b * w, classes], 0, "int32"), places, P.cast(which, "int32"), "add"), [
      b,
      w,
      classes,
    ]);
  };
  const isKept = P.greater(counts(continuesByOne), int(0));
  const extendedScore = P.select(isKept, constant(-Infinity, frame), P.add(P.log(extended), expand(top, 2)));

  // Lexicographic order of candidates, as numbers: how many prefixes come before; then longer parents first; then by class.
  const stride = w * classes + 1;
  const continued = counts(continues);
  const before = P.subtract(P.cumulativeSum(continued, 2), continued);
  const rank = P.reshape(beamOf, [1, w, 1]);
  const gap = P.add(P.add(before, rank), int(1));
  const inGap = P.add(P.multiply(P.subtract(int(w - 1), rank), int(classes)), classOf);
  const extendedOrder = P.add(P.multiply(gap, int(stride)), inGap);
  const stayOrder = P.broadcastTo(P.add(P.multiply(beamOf, int(stride)), int(stride - 1)), [b, w]);

  const flat = (x: Tensor): Tensor => P.reshape(x, [b, w * classes]);
  const none = P.full([b, w * classes], -Infinity, frame.dtype);
  const candidatesInClass = P.concatenate([stayInClass, flat(extendedScore)], 1);
  const candidatesInBlank = P.concatenate([stayInBlank, none], 1);
  const totals = logAdd(candidatesInClass, candidatesInBlank);
  const order = P.concatenate([stayOrder, flat(extendedOrder)], 1);
  const { chosen, used } = arrange(best(totals, order, w), totals, order);

  const stays = P.less(chosen, int(w));
  const extension = P.maximum(P.subtract(chosen, int(w)), int(0));
  const parent = P.select(stays, chosen, P.divide(extension, int(classes)));
  const added = P.remainder(extension, int(classes));
  const parentLengths = pick(lengths, parent);
  const grows = both(P.logicalNot(stays), used);
  const isNew = both(P.equal(P.iota([1, 1, frames], 2, "int32"), expand(parentLengths, 2)), expand(grows, 2));
  const grown = P.select(isNew, P.broadcastTo(expand(added, 2), [b, w, frames]), pickRows(paths, parent));

  // Prefix i begins prefix j if its parent does, and the class it added, if any, follows there.
  const related = (x: Tensor): Tensor => {
    const rows = pickRows(x, parent);
    return P.takeAlongAxis(rows, P.broadcastTo(expand(parent, 1), [b, w, w]), 2);
  };
  const fits = P.logicalOr(
    expand(stays, 2),
    both(related(continues), P.equal(related(following), P.broadcastTo(expand(added, 2), [b, w, w]))),
  );
  const same = P.equal(P.iota([1, w, w], 1, "int32"), P.iota([1, w, w], 2, "int32"));
  const inUse = both(expand(used, 2), expand(used, 1));
  const unused = constant(-Infinity, frame);
  return {
    paths: P.select(expand(used, 2), grown, int(-1)),
    lengths: P.select(used, P.add(parentLengths, P.cast(grows, "int32")), int(0)),
    inClass: P.select(used, pick(candidatesInClass, chosen), unused),
    inBlank: P.select(used, pick(candidatesInBlank, chosen), unused),
    begins: P.logicalOr(same, both(both(related(begins), fits), inUse)),
  };
}

/**
 * The most probable label sequences of frames of logits [b, t, classes], by prefix beam search: paths [top, b, t], filled up with -1,
 * and their log-probabilities [b, top]. Of equally probable ones that with the lower classes comes first.
 */
export function beamSearch(logits: Tensor, sequenceLengths: Tensor, options: BeamSearchOptions): [Tensor, Tensor] {
  const [b, frames, classes] = logits.shape as [number, number, number];
  const { beamWidth: w, topPaths } = options;
  // Searched with classes in reverse order, so that later in the order means lower classes.
  const scores = P.transpose(P.reverse(logSoftmax(logits), [2]), [1, 0, 2]);
  const turned = { ...options, blank: classes - 1 - options.blank };
  const frameAt = (from: number, to: number): Tensor => P.slice(scores, [from, 0, 0], [to, b, classes]);
  const first = firstBeams(P.reshape(frameAt(0, 1), [b, classes]), turned, frames);
  const lengths = P.reshape(sequenceLengths, [1, b]);
  const counts = P.less(P.add(P.iota([frames - 1, 1], 0, "int32"), int(1)), lengths);
  const names = ["paths", "lengths", "inClass", "inBlank", "begins"] as const;
  const { carry } = loops.scan(
    (state, [frame, isInside]) => {
      const beams = Object.fromEntries(names.map((name, i) => [name, state[i]!])) as unknown as Beams;
      const next = nextBeams(beams, frame!, turned);
      const chooses = (x: Tensor): Tensor => P.reshape(isInside!, [b, ...x.shape.slice(1).map(() => 1)]);
      return { carry: names.map((name, i) => P.select(chooses(state[i]!), next[name], state[i]!)), results: [] };
    },
    names.map((name) => first[name]),
    [frameAt(1, frames), counts],
    { length: frames - 1 },
  );
  const [paths, , inClass, inBlank] = carry as [Tensor, Tensor, Tensor, Tensor];
  const totals = logAdd(inClass, inBlank);
  const ranks = P.broadcastTo(P.iota([1, w], 1, "int32"), [b, w]);
  const winners = P.reverse(best(totals, ranks, topPaths), [1]);
  const found = pickRows(paths, winners);
  const labels = P.select(P.equal(found, int(-1)), found, P.subtract(int(classes - 1), found));
  return [P.transpose(labels, [1, 0, 2]), pick(totals, winners)];
}
