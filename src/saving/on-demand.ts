import { currentCustomObjects, withCustomObjects } from "../config/registry.js";
import { inSafeMode, withSafeMode } from "../config/safe-mode.js";
import type * as Loading from "./load-model.js";
import type * as Torch from "./pytorch/load-torch-weights.js";
import type * as Saving from "./save-model.js";
import type * as Weights from "./weights.js";

/*
 * Saving and loading as the public modules offer them. Reading and writing files is a good part of the package: it is loaded with the
 * first use, so that starting does not wait for it and programs that do neither do not carry it.
 */

/** Loads what runs `fn` of `load` in the scopes of now, which end at the first wait. */
async function later<M, T>(load: () => Promise<M>, fn: (module: M) => T): Promise<Awaited<T>> {
  const customObjects = currentCustomObjects();
  const safeMode = inSafeMode();
  const module = await load();
  const run = (): T => withCustomObjects(customObjects, () => fn(module));
  return await (safeMode === null ? run() : withSafeMode(safeMode, run));
}

const saving = (): Promise<typeof Saving> => import("./save-model.js");
const loading = (): Promise<typeof Loading> => import("./load-model.js");
const torch = (): Promise<typeof Torch> => import("./pytorch/load-torch-weights.js");
const weights = (): Promise<typeof Weights> => import("./weights.js");

/**
 * Saves architecture, weights, and optimizer and its state, so that Python Keras and `loadModel` read them.
 *
 * With a path, writes a `.keras` file, or a directory when `zipped` is false; what was there stays intact until everything is
 * written. Without one, returns the bytes of a `.keras` file.
 */
export const saveModel = ((...args: Parameters<typeof Saving.saveModel>) =>
  later(saving, (module) => module.saveModel(...args))) as typeof Saving.saveModel;

/**
 * The model that `saveModel`, or Python Keras, saved: from a path (in Node), a URL, or bytes.
 *
 * Classes and functions of users must be registered or be passed as `customObjects`; nothing in a file is ever run as code.
 * @throws FormatError for damaged files, TypeError for a config that cannot be read, Error for weights that do not fit.
 */
export const loadModel: typeof Loading.loadModel = (...args) => later(loading, (module) => module.loadModel(...args));

/**
 * Saves the weights of a model, and its optimizer's state, to a path that ends in ".weights.h5"; without a path returns the bytes of
 * such a file. Throws when the model is not built.
 */
export const saveWeights = ((...args: Parameters<typeof Weights.saveWeights>) =>
  later(weights, (module) => module.saveWeights(...args))) as typeof Weights.saveWeights;

/**
 * Loads weights into a model of the same architecture: from a ".weights.h5" or ".keras" file at a path or URL, or from its bytes.
 * @throws Error when the model is not built, or naming the layers whose weights do not fit.
 */
export const loadWeights: typeof Weights.loadWeights = (...args) =>
  later(weights, (module) => module.loadWeights(...args));

/**
 * Arrays of a file that PyTorch's users exchange weights in, by parameter name: what `torch.save(module.state_dict(), path)` wrote, or
 * safetensors. The source is a path (in Node), a URL or bytes. Nothing in the file is executed.
 * @throws FormatError for damaged files and for files that hold something else.
 */
export const readTorchWeights: typeof Torch.readTorchWeights = (...args) =>
  later(torch, (module) => module.readTorchWeights(...args));

/**
 * Gives a built layer or model the weights of a PyTorch module of the same architecture (Linear, Conv, ConvTranspose, BatchNorm,
 * LayerNorm, GroupNorm, RMSNorm, Embedding, PReLU, MultiheadAttention), from a `torch.save` state dict or a safetensors file.
 *
 * Kernels are turned into Keras's layout. Layers find their module by name (`names`, else their own name) or, where no name fits, by
 * their place among the layers with weights. All or nothing: when anything does not fit, no weight changes.
 *
 * @example
 * await keras.saving.loadTorchWeights(model, "resnet.pt", { names: { stem: "conv1", head: "fc" } });
 * @throws Error when the layer is not built, or naming what does not fit; FormatError for damaged files.
 */
export const loadTorchWeights: typeof Torch.loadTorchWeights = (...args) =>
  later(torch, (module) => module.loadTorchWeights(...args));
