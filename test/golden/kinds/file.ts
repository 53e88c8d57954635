import { join } from "node:path";
import { deserializeKerasObject } from "../../../src/config/deserialize.js";
import type { Model } from "../../../src/models/index.js";
import { loadModel, loadWeights } from "../../../src/saving/index.js";
import { type Arrays, folderOf, type GoldenCase } from "../cases.js";
import { compareArrays, Mismatch } from "../compare.js";
import { decodeArray } from "../decode.js";
import type { Kind } from "./kind.js";
import { variablesOf } from "./layer.js";

type Tagged = Record<string, unknown>;

async function modelOf(golden: GoldenCase, arrays: Arrays): Promise<Model> {
  const path = join(folderOf(arrays), golden["file"] as string);
  if (path.endsWith(".keras")) return loadModel(path, { safeMode: false });
  const model = deserializeKerasObject(structuredClone(golden["config"]) as never, { safeMode: false }) as Model;
  await loadWeights(model, path);
  return model;
}

/** Models that Python Keras saved, whole or only their weights: every variable has its recorded value. */
export const file: Kind = {
  async replay(golden, arrays) {
    const model = await modelOf(golden, arrays);
    const state = golden["state"] as Tagged[];
    const variables = variablesOf(model);
    if (variables.length !== state.length)
      throw new Mismatch(`${variables.length} variables, expected ${state.map(({ path }) => path).join(", ")}`);
    for (const [i, variable] of variables.entries()) {
      // The states of seed generators are in no file.
      if (variable.name === "seed_generator_state") continue;
      compareArrays(await variable.numpy(), await decodeArray(state[i]!, arrays), variable.path);
    }
  },
};
