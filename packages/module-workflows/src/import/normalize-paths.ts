import type { Json } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { type Dialect, listStates, toPath } from "./dialect.ts";
import { renameField } from "./rename-fields.ts";

/** What is text for people, or another language, in a definition and its states. */
const TEXTS = new Set(["id", "name", "label", "description", "payloadSchema", "outputSchema", "context", "meta"]);
/** From here on down everything is a value. */
const VALUES = new Set(["input", "output", "params", "collection"]);
const PATH = /^\$(\.[\w-]+|\[[^\]]*\])+/;
const PLACEHOLDER = /(?<!\\)\{\{\s*(\$[^}]*?)\s*\}\}/g;

type Rewrite = (text: string) => string;

/** A path as it may be written elsewhere, `items.0.name` or `$.items.0.name`, as `$.items[0].name`. */
export function toPathText(text: string): string {
  const path = text.startsWith("$") ? text : `$.${text}`;
  // A quoted key may hold dots and digits of its own.
  return path.replace(PATH, (head) =>
    head.replace(/\[[^\]]*\]|\.(\d+)(?![\w-])/g, (whole, index?: string) =>
      index === undefined ? whole : `[${index}]`,
    ),
  );
}

/** Indexes after a dot, and fields of outputs that are called otherwise here. */
export function normalizePaths(dialect: Dialect): void {
  const { definition, changes, renames } = dialect;
  for (const { state, path } of listStates(definition)) {
    const { invoke } = state;
    const input = isObject(invoke) && invoke.src === "core.condition" ? invoke.input : undefined;
    // Its key may stand without `$.`, and is then no path to the rule below.
    if (!isObject(input) || typeof input.key !== "string" || !/^[^$].*\.\d+(\.|$)/.test(input.key)) continue;
    input.key = toPathText(input.key);
    changes.push({ path: `${path}.invoke.input.key`, rule: "path-index" });
  }
  rewriteTexts(dialect, "path-index", (text) => onPaths(text, toPathText));
  if (renames.size > 0)
    rewriteTexts(dialect, "output-field", (text) => onPaths(text, (at) => renameField(at, renames)));
}

/** A text that is nothing but one placeholder is the value itself, with its type. */
export function unwrapTemplates(dialect: Dialect): void {
  rewriteTexts(dialect, "whole-template", (text) => /^\{\{\s*(\$[^{}]*?)\s*\}\}$/.exec(text)?.[1] ?? text);
}

/** A text that is a path, or the paths in its placeholders. */
function onPaths(text: string, rewrite: Rewrite): string {
  if (PATH.test(text)) return rewrite(text);
  return text.replace(PLACEHOLDER, (whole, path: string) => whole.replace(path, () => rewrite(path)));
}

function rewriteTexts({ definition, changes }: Dialect, rule: string, rewrite: Rewrite): void {
  const visit = (value: Json, path: string, isValue: boolean): Json => {
    if (typeof value === "string") {
      const next = rewrite(value);
      if (next !== value) changes.push({ path, rule });
      return next;
    }
    if (Array.isArray(value)) return value.map((entry, index) => visit(entry, `${path}[${index}]`, isValue));
    if (!isObject(value)) return value;
    for (const [key, child] of Object.entries(value)) {
      if (isValue ? key === "$literal" || key === "$cel" : TEXTS.has(key)) continue;
      setOwn(value, key, visit(child, toPath(path, key), isValue || VALUES.has(key)));
    }
    return value;
  };
  visit(definition, "$", false);
}
