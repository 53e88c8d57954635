import { describe, expect } from "vitest";
import { tags } from "../../src/backend/torch/addon.js";
import { itRequires } from "../support/require.js";
import { compile, instruction, runWithAddon, tensor, torchAddon, valuesOf } from "../support/torch-addon.js";

const it = (name: string, fn: () => void | Promise<void>): void => itRequires("libtorch", name, fn);

/** relu(x + y), and x + y. */
const sumAndRelu = (): number =>
  compile(
    [...instruction("aten::add", "Tensor", [0, 1], [2]), ...instruction("aten::relu", "", [2], [3])],
    [0, 1],
    [3, 2],
    4,
  );

describe("programs", () => {
  it("run, borrow their inputs and leave nothing behind", () => {
    const addon = torchAddon();
    const program = sumAndRelu();
    const [x, y] = [tensor([1, -2]), tensor([1, 1])];
    const live = addon.liveTensors();
    const outputs = addon.run(program, [x, y]);
    expect(outputs.map(valuesOf)).toEqual([
      [2, 0],
      [2, -1],
    ]);
    outputs.forEach((slot) => addon.free(slot));
    expect(valuesOf(x)).toEqual([1, -2]);
    expect(addon.liveTensors()).toBe(live);
    addon.disposeProgram(program);
    expect(() => addon.run(program, [x, y])).toThrow("There is no program");
    expect(() => addon.disposeProgram(program)).toThrow("There is no program");
  });

  it("take arguments of every kind, constants, and lists of tensors", () => {
    const addon = torchAddon();
    const id = (name: string, overload = ""): number => addon.opId(name, overload);
    const code = [
      ...[id("aten::sum", "dim_IntList"), 3, tags.tensor, 0, tags.ints, 1, 1, tags.bool, 1, 1, 2],
      ...[id("aten::cat"), 2, tags.tensors, 3, 0, 1, 2, tags.int, 1, 1, 3],
      ...[id("aten::clamp"), 3, tags.tensor, 3, tags.none, tags.float, 3.5, 1, 4],
      ...[id("aten::_to_copy"), 4, tags.tensor, 4, tags.int, 7, tags.default, tags.string, 3, 99, 112, 117, 1, 5],
      ...[id("aten::index", "Tensor"), 2, tags.tensor, 5, tags.optionalTensors, 2, -1, 6, 1, 7],
    ];
    const constant = addon.fromHost(BigInt64Array.of(3n, 0n), [2], 4, "cpu");
    const matrix = tensor([10, 20], [2, 1]);
    const program = addon.compile(Float64Array.from(code), Int32Array.of(0, 1), Int32Array.of(7), [[6, constant]], 8);
    addon.free(constant);
    for (let i = 0; i < 2; i++) {
      const [result] = addon.run(program, [tensor([1, 2, 3, 4], [2, 2]), matrix]);
      expect([...new Float64Array(addon.toHost(result!))]).toEqual([3, 1, 3.5, 3]);
    }
  });

  it("draw the same numbers at each run", () => {
    const addon = torchAddon();
    const code = [addon.opId("aten::randn", "generator"), 2, tags.ints, 1, 4, tags.int, 7, 1, 0];
    const program = compile(code, [], [0], 1);
    expect(valuesOf(addon.run(program, [])[0]!)).toEqual(valuesOf(addon.run(program, [])[0]!));
  });

  it("give an input that is an output, and one output twice", () => {
    const addon = torchAddon();
    const program = compile([], [0], [0, 0], 1);
    const x = tensor([5]);
    const outputs = addon.run(program, [x]);
    addon.free(x);
    expect(outputs.map(valuesOf)).toEqual([[5], [5]]);
  });

  it("refuse code that is not well formed, saying where", () => {
    const relu = instruction("aten::relu", "", [0], [1]);
    const bad =
      (code: readonly number[], registers = 3): (() => number) =>
      () =>
        compile(code, [0], [1], registers);
    expect(bad([...relu, ...relu])).toThrow("Instruction 1 of a program: register 1 is written twice");
    expect(bad(instruction("aten::relu", "", [2], [1]))).toThrow("register 2 is read before it is written");
    expect(bad(instruction("aten::relu", "", [7], [1]))).toThrow("there is no register 7");
    expect(bad(relu.slice(0, -1))).toThrow("a count does not fit the code");
    expect(bad([relu[0]!, 1, 99, 0, 1, 1])).toThrow("there is no tag 99");
    expect(bad(instruction("aten::relu", "", [0], [1, 2]))).toThrow("aten::relu has 1 results");
    expect(bad([relu[0]!, 1, tags.int, 0, 1, 1])).toThrow("must be of kind Tensor");
    expect(bad([NaN])).toThrow("an integer was expected");
    expect(bad(relu, -1)).toThrow("registers");
    expect(() => torchAddon().run(sumAndRelu(), [tensor([1])])).toThrow("takes 2 inputs. Received: 1.");
  });

  it("say which op failed, and can be run again", () => {
    const addon = torchAddon();
    const program = sumAndRelu();
    expect(() => addon.run(program, [tensor([1, 2]), tensor([1, 2, 3])])).toThrow("in aten::add.Tensor(");
    expect(addon.run(program, [tensor([1]), tensor([2])]).map(valuesOf)).toEqual([[3], [3]]);
  });

  it("10,000 runs leave memory as it was", () => {
    const addon = torchAddon();
    const size = 1 << 14;
    const code = [
      ...instruction("aten::mul", "Tensor", [0, 0], [1]),
      ...instruction("aten::add", "Tensor", [1, 0], [2]),
      ...instruction("aten::relu", "", [2], [3]),
    ];
    const program = compile(code, [0], [3], 4);
    const x = addon.fromHost(new Float32Array(size), [size], 6, "cpu");
    const runs = (count: number): void => {
      for (let i = 0; i < count; i++) addon.free(addon.run(program, [x])[0]!);
    };
    runs(500);
    const [live, rss] = [addon.liveTensors(), process.memoryUsage.rss()];
    runs(10_000);
    expect(addon.liveTensors()).toBe(live);
    // One leaked result a run would be 640 MB.
    expect(process.memoryUsage.rss() - rss).toBeLessThan(64 << 20);
  });
});

describe("asynchronous runs", () => {
  it("overlap, take inputs that are freed meanwhile, and leave the event loop free", async () => {
    const addon = torchAddon();
    const program = sumAndRelu();
    const live = addon.liveTensors();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const runs = Array.from({ length: 20 }, (_, i) => {
      const [x, y] = [tensor(new Array<number>(100_000).fill(i)), tensor([1])];
      const promise = addon.runAsync(program, [x, y]);
      addon.free(x);
      addon.free(y);
      return promise;
    });
    const results = await Promise.all(runs);
    while (ticks === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    clearInterval(timer);
    results.forEach((slots, i) => {
      expect(valuesOf(slots[0]!).slice(-1)).toEqual([i + 1]);
      slots.forEach((slot) => addon.free(slot));
    });
    expect(addon.liveTensors()).toBe(live);
  });

  it("reject with what went wrong", async () => {
    const addon = torchAddon();
    const run = addon.runAsync(sumAndRelu(), [tensor([1, 2]), tensor([1, 2, 3])]);
    await expect(run).rejects.toThrow(/must match the size.*in aten::add\.Tensor\(/s);
    expect(() => addon.runAsync(sumAndRelu(), [])).toThrow("takes 2 inputs");
  });

  /** A program of many products of matrices, which takes a while. */
  const slow = `
    const product = addon.opId("aten::matmul", "");
    const x = addon.fromHost(new Float32Array(40000), [200, 200], 6, "cpu");
    const code = Array.from({ length: 100 }, (_, i) => [product, 2, 2, i === 0 ? 0 : i, 2, 0, 1, i + 1]).flat();
    const program = addon.compile(Float64Array.from(code), Int32Array.of(0), Int32Array.of(100), [], 101);`;

  it("keep a program alive until they are done", async () => {
    const printed = await runWithAddon(`${slow}
      addon.runAsync(program, [x]).then(([slot]) => console.log(addon.shapeOf(slot).join()));`);
    expect(printed.trim()).toBe("200,200");
  });

  it("end with the process, wherever they are", async () => {
    const printed = await runWithAddon(`${slow}
      for (let i = 0; i < 5; i++) addon.runAsync(program, [x]).catch(() => undefined);
      console.log("running");
      setTimeout(() => process.exit(0), 20);`);
    expect(printed.trim()).toBe("running");
    const left = runWithAddon(`${slow} addon.runAsync(program, [x]); process.exit(7);`);
    await expect(left).rejects.toThrow("ended with 7");
  });

  it("happen in several worker threads, whose tensors are their own, and end when a worker is terminated", async () => {
    const worker = `
      const { parentPort, workerData } = require("node:worker_threads");
      const addon = require(workerData.file);
      ${slow}
      const step = () => addon.runAsync(program, [x]).then(([slot]) => {
        addon.free(slot);
        parentPort.postMessage({ slot: x, live: addon.liveTensors() });
        return step();
      });
      step();`;
    const printed = await runWithAddon(`${slow}
      const { Worker } = require("node:worker_threads");
      const seen = new Set([x]);
      const workers = [0, 1, 2].map((index) => new Promise((resolve, reject) => {
        const worker = new Worker(${JSON.stringify(worker)}, { eval: true, workerData: { file } });
        let count = 0;
        worker.on("message", ({ slot, live }) => {
          if (live !== 1) reject(new Error("leak: " + live));
          if (++count === 1) {
            if (seen.has(slot)) reject(new Error("slot of another thread"));
            seen.add(slot);
            try { addon.toHost(slot); reject(new Error("foreign slot was taken")); } catch {}
          }
          if (count === 3) worker.terminate();
        });
        worker.on("error", reject);
        worker.on("exit", resolve);
      }));
      Promise.all(workers).then(() => console.log(seen.size, addon.liveTensors()));`);
    expect(printed.trim()).toBe("4 1");
  });
});

describe("wrong input", () => {
  it("throws and never ends the process", async () => {
    const printed = await runWithAddon(
      `
      let state = 12345;
      const random = (count) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % 65536 % count;
      const ops = [["add", "Tensor"], ["matmul", ""], ["sum", "dim_IntList"], ["reshape", ""], ["cat", ""], ["where", "self"],
        ["convolution", ""], ["softmax", "int"], ["zeros", ""], ["_to_copy", ""], ["randn", "generator"], ["argmax", ""],
        ["topk", ""], ["clamp", ""], ["full", ""], ["index", "Tensor"], ["select", "int"], ["permute", ""]]
        .map(([name, overload]) => addon.opId("aten::" + name, overload));
      const x = addon.fromHost(Float32Array.of(1, 2, 3, 4), [2, 2], 6, "cpu");
      const y = addon.fromHost(BigInt64Array.of(0n, 1n), [2], 4, "cpu");
      const freed = addon.share(x);
      addon.free(freed);
      const values = [x, y, freed, 0, 1, -1, 2, 0.5, NaN, Infinity, -0, 2 ** 31, -(2 ** 50), 1e300, null, undefined, true, "cpu",
        "", "cuda:0", 10n, 2n ** 70n, [], [x], [x, null], [x, "x"], [0, 1], [1, [2]], [NaN], {}, { length: 3 }, () => 1, Symbol("s"),
        new Float32Array(4), new Float64Array([1, 2, 3]), Int32Array.of(0, 1), new DataView(new ArrayBuffer(16)), new Date(),
        new Proxy([1, 2], { get() { throw new Error("trap"); } })];
      const any = () => values[random(values.length)];
      const names = Object.keys(addon).filter((name) => typeof addon[name] === "function");
      let thrown = 0, done = 0;
      for (let i = 0; i < 40000; i++) {
        const name = i % 2 ? "call" : names[random(names.length)];
        if (name === "setThreads") continue;
        const args = Array.from({ length: random(8) }, any);
        if (name === "call") args[0] = random(20) ? ops[random(ops.length)] : any();
        if (name === "compile") {
          args[0] = Float64Array.from({ length: random(16) }, () => (random(4) ? random(6) : random(40) - 4));
          args[1] = Int32Array.from({ length: random(3) }, () => random(4) - random(2));
          args[2] = Int32Array.from({ length: random(3) }, () => random(4));
          args[3] = random(3) ? [] : any();
          args[4] = random(5) ? 4 : any();
        }
        if (args.includes(x) && name === "free") continue;
        try {
          const result = addon[name](...args);
          if (name === "runAsync") result.catch(() => undefined);
          done++;
        } catch {
          thrown++;
        }
      }
      if (addon.shapeOf(x).join() !== "2,2") throw new Error("the tensor changed");
      console.log(thrown > 10000, done > 1000);`,
    );
    expect(printed.trim()).toBe("true true");
  });
});
