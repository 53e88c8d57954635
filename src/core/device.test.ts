import "../backend/index.js";
import { expect, it } from "vitest";
import { device } from "./device.js";

it("accepts the device of the engine, by any of its names", () => {
  using _ = device("cpu:0");
  using _again = device("CPU");
  expect(() => device("gpu")).toThrow(/device takes "cpu" or "cpu:0".*Received: "gpu"/);
  expect(() => device("cpu:1")).toThrow(TypeError);
});
