import { describe, expect, test } from "vitest";
import { backend } from "../../src/backend/index.js";
import { kindsIn } from "./cases.js";
import { gapsFor, judge } from "./gaps.js";
import { runKind } from "./run-kind.js";

const folder = new URL("../data/goldens", import.meta.url).pathname;
const gaps = gapsFor(backend());

describe("recorded calls of Python Keras repeat", () => {
  for (const kind of kindsIn(folder))
    test(
      kind,
      async () => {
        const { failures, closed, unknown } = judge(kind, await runKind(folder, kind), gaps);
        expect(failures, "cases that fail and are no known gap").toEqual([]);
        expect(closed, "gaps that are closed: npm run goldens -- --update-gaps").toEqual([]);
        expect(unknown, "gaps of cases that do not exist").toEqual([]);
      },
      120_000,
    );
});
