import { expect, test } from "vitest";
import { Progbar, type ProgbarOptions } from "./progbar.js";

/** A bar with a clock that the test moves, and what it printed. */
function bar(target: number | null, options: ProgbarOptions = {}) {
  let now = 1000;
  let text = "";
  const progbar = new Progbar(target, { dynamic: true, clock: () => now, write: (t) => (text += t), ...options });
  return {
    update(at: number, ...args: Parameters<Progbar["update"]>) {
      now = 1000 + at;
      text = "";
      progbar.update(...args);
      return text;
    },
  };
}

test("draws count, bar, remaining time and values, each update over the last", () => {
  const { update } = bar(10, { statelessMetrics: [] });
  expect(update(0.5, 1, [["loss", 2.5]])).toBe(
    "\r\x1b[1m 1/10\x1b[0m \x1b[32m━━\x1b[0m\x1b[37m━━━━━━━━━━━━━━━━━━\x1b[0m \x1b[1m4s\x1b[0m 500ms/step - loss: 2.5000",
  );
  expect(update(0.51, 2, [["loss", 2]])).toBe("");
  const second = update(0.6, 3, [["loss", 0.0001]]);
  expect(second.startsWith("\b".repeat(" 1/10 ".length + 20 + " 4s 500ms/step - loss: 2.5000".length) + "\r")).toBe(
    true,
  );
  expect(second).toContain("\x1b[1m0s\x1b[0m 50ms/step - loss: 1.0000e-04");
  const last = update(1, 10, [["loss", 1]]);
  expect(last).toContain("\x1b[1m10/10\x1b[0m \x1b[32m━━━━━━━━━━━━━━━━━━━━\x1b[0m\x1b[37m\x1b[0m \x1b[1m1s\x1b[0m");
  expect(last.endsWith("\n")).toBe(true);
});

test("averages values over steps unless they are stateful", () => {
  const { update } = bar(null, { statefulMetrics: ["acc"] });
  update(1, 1, [
    ["loss", 1],
    ["acc", 0.5],
  ]);
  const text = update(2, 3, [
    ["loss", 4],
    ["acc", 0.75],
  ]);
  expect(text).toContain("      3/Unknown");
  expect(text).toContain("loss: 3.0000 - acc: 0.7500");
});

test("starts new lines where it cannot go back, and prints one line with verbose 2", () => {
  expect(bar(2, { dynamic: false }).update(1, 1).startsWith("\n\x1b[1m1/2")).toBe(true);
  const quiet = bar(100, { verbose: 2 });
  expect(quiet.update(1, 50, [["loss", 1]])).toBe("");
  expect(quiet.update(3, 100, [["loss", -1]])).toBe("100/100 - 3s - 30ms/step - loss: -1.0000e+00\n");
});

test("writes long times with hours and minutes", () => {
  expect(bar(1000).update(10, 1)).toContain("2:46:30");
  expect(bar(100).update(1, 1)).toContain("1:39");
});
