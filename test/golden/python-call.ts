import { readFileSync } from "node:fs";
import { snakeToCamel, toSnakeCase } from "../../src/utils/naming.js";
import { asOperand, plain } from "./decode.js";

const signatures = JSON.parse(readFileSync(new URL("./signatures.json", import.meta.url), "utf8")) as Record<
  string,
  string[]
>;

/** Optional parameters that the library takes by position, because they are tensors or Python's `range` does. */
const positionalToo: Record<string, readonly string[]> = {
  "keras.ops.multi_hot": ["num_classes"],
  "keras.ops.where": ["x1", "x2"],
  "keras.utils.pack_x_y_sample_weight": ["y", "sample_weight"],
  "keras.ops.arange": ["stop", "step"],
};

/** Options that are sizes: there a number marked as Python's float is a mistake that the library has to see. */
const sizes: Record<string, readonly string[]> = { "keras.ops.eye": ["M"] };

/** The arguments of a Python call as the library takes them: required ones in order, all others in one trailing options object. */
export function bindArguments(
  target: string,
  args: readonly unknown[],
  kwargs: Readonly<Record<string, unknown>>,
): unknown[] {
  const signature = signatures[target];
  if (!signature) throw new Error(`No signature is known for ${target}.`);
  const positional: unknown[] = [];
  const options: Record<string, unknown> = {};
  const rest = [...args];
  for (const parameter of signature) {
    const name = parameter.replace(/^[*?]+/, "");
    if (parameter.startsWith("**")) continue;
    if (parameter.startsWith("*")) {
      positional.push(...rest.splice(0).map(asOperand));
      continue;
    }
    // Settings of op objects come by name, also those in front of the tensors.
    const given = name in kwargs ? { value: kwargs[name] } : rest.length > 0 ? { value: rest.shift() } : null;
    if (parameter.startsWith("?") && positionalToo[target]?.includes(name)) {
      positional.push(given ? asOperand(given.value) : null);
    } else if (parameter.startsWith("?")) {
      if (given) options[snakeToCamel(name)] = given.value;
    } else if (given) positional.push(asOperand(given.value));
    else throw new TypeError(`${target} is called without its argument ${name}.`);
  }
  if (rest.length > 0) throw new TypeError(`${target} is called with too many arguments.`);
  for (const key of Object.keys(kwargs)) {
    if (!signature.some((p) => p.replace(/^[*?]+/, "") === key)) options[snakeToCamel(key)] = kwargs[key];
  }
  if (Object.keys(options).length > 0) positional.push(plainOptions(options, sizes[target]));
  return positional;
}
const plainOptions = (options: Record<string, unknown>, marked: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).map(([k, v]) => [k, marked.includes(k) ? v : plain(v)]));

/** The public function of an op that the library exports as `exported`, or that Python derives from the class name. */
export function opTargetOf(exported: string, className: string, space = ""): string | null {
  const names = Object.keys(signatures).filter((target) => target.startsWith("keras.ops."));
  const found =
    names.find((target) => snakeToCamel(target.slice(10)) === exported) ??
    `keras.ops.${space}${toSnakeCase(className)}`;
  return found in signatures ? found : null;
}
