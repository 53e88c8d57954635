import type { Config } from "../../config/field.js";
import type { Variable } from "../../core/variable.js";
import type { Layer } from "../layer.js";

/** A layer that goes along sequences in one direction. */
export interface SequenceLayer extends Layer {
  readonly goBackwards: boolean;
  readonly returnSequences: boolean;
  readonly returnState: boolean;
  readonly stateful: boolean;
  readonly states?: readonly Variable[] | null;
  zeroOutputForMask?: boolean;
  resetState(): void;
}

/** The layer by its directions' properties; throws a TypeError when it lacks them. */
export function sequenceLayer(layer: Layer, name: string): SequenceLayer {
  for (const property of ["goBackwards", "returnSequences", "returnState"] as const)
    if (typeof (layer as Partial<SequenceLayer>)[property] !== "boolean")
      throw new TypeError(
        `\`${name}\` must be a recurrent layer: it needs the properties goBackwards, returnSequences and returnState. Received: "${layer.name}", whose ${property} is not there.`,
      );
  return layer as SequenceLayer;
}

/** A copy of a layer under another name, with fresh weights, built if the layer is. */
export function renamedCopy(layer: SequenceLayer, prefix: string, changes: Config = {}): SequenceLayer {
  const { useCudnn } = layer as { useCudnn?: unknown };
  const name = prefix + (layer.name.startsWith(prefix) ? layer.name.slice(prefix.length) : layer.name);
  const config = { ...layer.getConfig(), name, ...(useCudnn !== undefined && { use_cudnn: useCudnn }), ...changes };
  const copy = (layer.constructor as unknown as { fromConfig(config: Config): SequenceLayer }).fromConfig(config);
  const shapes = layer.getBuildConfig();
  if (shapes && !copy.built) copy.buildFromConfig(shapes);
  return copy;
}

/** Throws unless two layers go in opposite directions and are alike otherwise. */
export function assertOpposite(forward: SequenceLayer, backward: SequenceLayer): void {
  if (forward.goBackwards === backward.goBackwards)
    throw new RangeError(
      `\`Bidirectional\` needs layers of opposite directions. Received \`goBackwards\` ${forward.goBackwards} for both, "${forward.name}" and "${backward.name}".`,
    );
  for (const property of ["stateful", "returnSequences", "returnState"] as const)
    if (forward[property] !== backward[property])
      throw new RangeError(
        `Both layers of \`Bidirectional\` must have the same \`${property}\`. Received ${forward[property]} for "${forward.name}" and ${backward[property]} for "${backward.name}".`,
      );
}
