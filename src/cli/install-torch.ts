import { type InstallOptions, installTorch } from "../backend/torch/install/install.node.js";
import type * as kerasPackage from "../index.js";

/** Builds the addon of the torch engine and takes one training step with it. Throws when either fails. */
export async function installAndCheck(options: InstallOptions): Promise<void> {
  await installTorch(options);
  const loading = performance.now();
  process.env["KERAS_BACKEND"] = "torch";
  // By name, and not bundled: the check is of the package as programs see it.
  const name: string = "keras-ts";
  const keras = (await import(name)) as typeof kerasPackage;
  const loaded = performance.now();
  const model = new keras.Sequential([keras.Input({ shape: [4] }), new keras.layers.Dense(1)]);
  model.compile({ optimizer: "sgd", loss: "mean_squared_error" });
  const history = await model.fit([[1, 2, 3, 4]], [[1]], { epochs: 1, verbose: 0 });
  const loss = history.history["loss"]?.[0];
  if (typeof loss !== "number" || !Number.isFinite(loss)) throw new Error(`A training step gave the loss ${loss}.`);
  const done = performance.now();
  const ms = (from: number, to: number): string => `${(to - from).toFixed(0)} ms`;
  options.write(`keras-ts on torch loads in ${ms(loading, loaded)} and trains: a first step took ${ms(loaded, done)}`);
  options.write("Use it with KERAS_BACKEND=torch");
}
