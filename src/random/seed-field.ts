import { deserializeKerasObject } from "../config/deserialize.js";
import { isEnvelope } from "../config/envelope.js";
import type { Field } from "../config/fields.js";
import { makeField, wrongValue } from "../config/make-field.js";
import { serializeValue } from "../config/serialize.js";
import { SeedGenerator, type Seed } from "./seed-generator.js";

/** A seed: an integer, a SeedGenerator, or null for one drawn at construction. Saved as it was given. */
export function seed(): Field<Seed, Seed, false> {
  return makeField<Seed, Seed>(
    null,
    {},
    (value, name) => {
      if (value === null || value instanceof SeedGenerator) return value;
      if (Number.isInteger(value)) return value;
      if (isEnvelope(value)) return deserializeKerasObject(value) as SeedGenerator;
      throw wrongValue(name, "an integer, a SeedGenerator or null", value);
    },
    (value) => serializeValue(value),
  );
}
