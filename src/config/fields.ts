/** Kinds of fields, to write tables of arguments with. */
export type { Arguments, Config, Field, FieldOptions, Fields, Json, Options, Values } from "./field.js";
export { accessor, any, derived, dict, list, optional } from "./combinators.js";
export { float, int, nonNegativeInt, number, positiveInt } from "./number-fields.js";
export { objectField } from "./object-field.js";
export { autoNamed, bool, oneOf, string } from "./plain-fields.js";
export { axis, intList, intOrInts, ints, shape } from "./tuple-fields.js";
