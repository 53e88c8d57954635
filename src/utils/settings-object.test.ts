import { expect, it } from "vitest";
import { Config } from "./settings-object.js";

it("Config holds settings as properties until it is frozen", () => {
  const config = new Config({ units: 64 });
  config["rate"] = 0.5;
  expect(config["rate"]).toBe(0.5);
  expect("rate" in config).toBe(true);
  expect([...config]).toEqual(["rate", "units"]);
  expect(config.asDict()).toEqual({ units: 64, rate: 0.5 });
  expect(JSON.parse(config.toJson())).toEqual({ units: 64, rate: 0.5 });
  expect(() => config["rats"]).toThrow(/"rats".*units, rate/);
  config.freeze();
  expect(() => (config["rate"] = 1)).toThrow(/frozen/);
  config.unfreeze();
  expect(config.pop("rate")).toBe(0.5);
  expect(config.get("rate", 7)).toBe(7);
});
