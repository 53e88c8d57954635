import { KerasTensor, type SymbolicShape } from "../../core/keras-tensor.js";
import { currentPath, nameScope } from "../../core/scopes.js";
import { computeOutputSpec } from "../../core/symbolic.js";
import { mapShapeStructure } from "../../tree/index.js";
import { camelToSnake } from "../../utils/naming.js";
import { warn } from "../../utils/print-warning.js";
import type { Layer } from "../layer.js";
import type { CallArguments } from "./call-arguments.js";
import { shapesOf } from "./shapes.js";
import { type ShapeStructure, STATE } from "./state.js";

/** Opens the name scope of a layer. Its parents are those of the first use, whoever calls it later. */
export function openNameScope(layer: Layer): Disposable {
  const state = layer[STATE];
  state.parentPath ??= currentPath();
  return nameScope(layer.name, { caller: layer, overrideParent: state.parentPath });
}

type Build = (...shapes: ShapeStructure[]) => void;

/**
 * Puts an own `build` over that of the class: it runs in the layer's name scope, notes the shapes for saving, marks the layer as built
 * and locks it.
 */
export function wrapBuild(layer: Layer): void {
  const build: Build = layer.build;
  const wrapped: Build = (...shapes) => {
    using _scope = openNameScope(layer);
    // Paths of sublayers begin with it.
    layer[STATE].path = currentPath();
    build.apply(layer, shapes);
    markBuilt(layer, shapes, build.length);
  };
  Object.defineProperty(layer, "build", { value: wrapped, writable: true, configurable: true });
}

function markBuilt(layer: Layer, shapes: readonly ShapeStructure[], parameters: number): void {
  const state = layer[STATE];
  state.path = currentPath();
  state.buildShapes = kept(shapes, parameters);
  layer.built = true;
  layer.lock();
}

/** As many shapes as `build` has parameters, at least one; trailing ones that were not given do not count. */
function kept(shapes: readonly ShapeStructure[], parameters: number): readonly ShapeStructure[] {
  const result = shapes.slice(0, Math.max(1, parameters));
  while (result.length > 1 && result.at(-1) === undefined) result.pop();
  return result;
}

/** Builds the layer from the shapes of a call's tensors. */
export function build(layer: Layer, { args, options }: CallArguments, symbolic: boolean): void {
  using _scope = openNameScope(layer);
  if (!layer.overrides("build") && hasUnbuilt(layer)) {
    try {
      runOnStandIns(layer, [...args, options]);
    } catch (error) {
      // On real inputs the call that follows says what is wrong.
      if (symbolic) warnUnbuilt(layer, error);
    }
    return markBuilt(layer, args.map(shapesOf), 1);
  }
  layer.build(...args.map(shapesOf));
}

/** Builds the sublayers by running `call` on stand-ins of the given shapes, where there are any to build. */
export function buildSublayers(layer: Layer, shapes: readonly ShapeStructure[]): void {
  if (!hasUnbuilt(layer) || shapes.every((shape) => (shape ?? null) === null)) return;
  const standIn = (dims: SymbolicShape): KerasTensor => new KerasTensor(dims, layer.inputDtype);
  try {
    runOnStandIns(
      layer,
      shapes.map((shape) => mapShapeStructure(standIn, shape)),
    );
  } catch (error) {
    warnUnbuilt(layer, error);
  }
}
const hasUnbuilt = (layer: Layer): boolean => layer.sublayers.some(({ built }) => !built);
const runOnStandIns = (layer: Layer, args: readonly unknown[]): unknown =>
  computeOutputSpec((...all: unknown[]) => layer.call(...all), args);
const warnUnbuilt = (layer: Layer, error: unknown): void =>
  warn(
    `Layer "${layer.name}" has sublayers to build, but running its call() on symbolic tensors failed: ` +
      `${(error as Error).message} Give the layer a build() method.`,
  );

/** The shapes `build` got, as Python Keras saves them; null before it ran. */
export function readBuildConfig(layer: Layer): Record<string, unknown> | null {
  const shapes = layer[STATE].buildShapes;
  if (!shapes) return null;
  if (shapes.length <= 1) return { input_shape: shapes[0] ?? null };
  const names = shapeNames(layer);
  const named = shapes.flatMap((shape, i) => (shape === undefined ? [] : [[names[i] ?? `shape_${i}`, shape] as const]));
  return { shapes_dict: Object.fromEntries(named) };
}
/** Builds the layer from a saved build config. */
export function buildFromSaved(layer: Layer, config: Readonly<Record<string, unknown>>): void {
  const build: Build = layer.build;
  if ("input_shape" in config) return build((config["input_shape"] ?? undefined) as ShapeStructure);
  const saved = config["shapes_dict"] as Readonly<Record<string, ShapeStructure>> | undefined;
  if (!saved) return;
  const names = shapeNames(layer);
  const known = Object.keys(saved).every((name) => names.includes(name));
  build(...(known ? names.map((name) => saved[name]) : Object.values(saved)));
}
const shapeNames = (layer: Layer): string[] =>
  (layer.constructor as typeof Layer).callArguments.map((name) => `${camelToSnake(name)}_shape`);
