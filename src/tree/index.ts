/** `keras.tree`: work on nested arrays, plain objects and Maps. */
export { assertSamePaths, flatten, flattenWithPath, packSequenceAs } from "./flatten.js";
export {
  type MapOptions,
  type Mapped,
  assertSameStructure,
  mapShapeStructure,
  mapStructure,
  mapStructures,
  mapStructureUpTo,
} from "./map.js";
export { type Nested, type Path, isNested } from "./node.js";
export { MAP_TO_NONE, listsToTuples, traverse } from "./traverse.js";
