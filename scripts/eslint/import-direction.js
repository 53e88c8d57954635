import path from "node:path";

/**
 * The order in which the folders of src/ build on each other: code imports from earlier groups, from its own group and from its own
 * folder, never from a later one. This list is the only place that states it.
 */
export const layersOfSrc = [
  ["tree", "utils"],
  ["core", "config", "primitives"],
  ["formats"],
  ["backend"],
  ["ops", "random"],
  ["quantizers", "data-utils", "dtype-policies", "initializers", "regularizers", "constraints", "activations"],
  ["losses", "metrics", "optimizers", "layers", "lora"],
  ["models", "trainers", "callbacks"],
  ["saving", "export"],
  ["datasets", "applications", "visualization", "distribution"],
  ["index"],
  ["cli"],
];

/** Folders that promise more than their place in the order: everything else inside src/ is closed to them. */
const onlyFrom = {
  formats: ["formats/", "utils/", "core/ndarray", "core/dtype"],
};

const rankOf = new Map(layersOfSrc.flatMap((group, rank) => group.map((folder) => [folder, rank])));

/** ESLint rule: imports inside src/ go one way, type-only and dynamic ones included. */
export const importDirection = {
  meta: {
    type: "problem",
    schema: [
      { type: "object", properties: { src: { type: "string" } }, required: ["src"], additionalProperties: false },
    ],
    messages: {
      later: "src/{{from}} may not import from src/{{to}}, which builds on it. Order: {{order}}.",
      closed: "src/{{from}} may import only {{allowed}}. Found: {{to}}.",
      engine: "An engine may not import another engine: src/{{from}} imports {{to}}.",
      unknown: "src/{{folder}} has no place in the import order. Give it one in scripts/eslint/import-direction.js.",
      self: "src/ reaches its own modules by relative paths, not through the package name.",
    },
  },
  create(context) {
    const src = path.resolve(context.options[0].src);
    const file = inside(src, context.filename);
    if (file === null) return {};
    const from = folderOf(file);

    function check(node, specifier) {
      if (specifier === "keras-ts" || specifier.startsWith("keras-ts/"))
        return context.report({ node, messageId: "self" });
      const target = specifier === "#backend" ? "backend/auto.js" : resolve(src, context.filename, specifier);
      if (target === null) return;
      const to = folderOf(target);
      for (const folder of [from, to]) {
        if (!rankOf.has(folder)) return context.report({ node, messageId: "unknown", data: { folder } });
      }
      const allowed = onlyFrom[from];
      if (allowed && !allowed.some((prefix) => target.startsWith(prefix))) {
        return context.report({ node, messageId: "closed", data: { from, to: target, allowed: allowed.join(", ") } });
      }
      if (rankOf.get(to) > rankOf.get(from)) {
        const order = layersOfSrc.map((group) => group.join(", ")).join(" -> ");
        return context.report({ node, messageId: "later", data: { from, to, order } });
      }
      const [engine, other] = [engineOf(file), engineOf(target)];
      if (engine !== null && other !== null && engine !== other) {
        return context.report({ node, messageId: "engine", data: { from: file, to: target } });
      }
    }

    const visit = (node) => {
      const literal = node.source ?? node.argument?.literal ?? node.argument;
      if (typeof literal?.value === "string") check(literal, literal.value);
    };
    return {
      ImportDeclaration: visit,
      ExportNamedDeclaration: visit,
      ExportAllDeclaration: visit,
      ImportExpression: visit,
      TSImportType: visit,
    };
  },
};

function inside(src, filename) {
  const relative = path.relative(src, filename);
  return relative.startsWith("..") || path.isAbsolute(relative) ? null : relative.split(path.sep).join("/");
}

function resolve(src, filename, specifier) {
  return specifier.startsWith(".") ? inside(src, path.resolve(path.dirname(filename), specifier)) : null;
}

/** First folder of a path inside src/; the public modules directly inside src/ count as one. */
function folderOf(file) {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : "index";
}

/** "jax" for backend/jax/ops.ts; null for what engines share. */
function engineOf(file) {
  const parts = file.split("/");
  return parts[0] === "backend" && parts.length > 2 ? parts[1] : null;
}
