/** Attributes as text that is equal where they are; unlike plain JSON it tells infinities, NaN and -0 from other values. */
export const attributesAsText = (attributes: object): string =>
  JSON.stringify(attributes, (_, value: unknown) =>
    typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))
      ? `number ${Object.is(value, -0) ? "-0" : value}`
      : value,
  );
