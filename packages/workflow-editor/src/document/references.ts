import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/ui/components/is-object.ts";
import { replaceRoots, rootsInCel, rootsInText } from "./roots-in-text.ts";

/** Parts of a definition whose texts are data, not expressions; the engine looks past the same ones. */
const DATA: ReadonlySet<string> = new Set([
  "$literal",
  "meta",
  "payloadSchema",
  "outputSchema",
  "context",
  "label",
  "description",
]);

/** How an expression is written: a path or template, or CEL. */
type TextKind = "text" | "cel";

/** The value with every expression in it rewritten; what no rewriting touched is shared. */
export function mapExpressions(value: Json, map: (text: string, kind: TextKind) => string): Json {
  if (typeof value === "string") return map(value, "text");
  if (Array.isArray(value)) {
    const items = value.map((item) => mapExpressions(item, map));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  let changed = false;
  const isCelGuard = value.type === "cel" && isObject(value.params);
  const entries = Object.entries(value).map(([key, child]): [string, Json] => {
    if (DATA.has(key) || key.startsWith("x-")) return [key, child];
    let after: Json;
    if (key === "$cel" && typeof child === "string") after = map(child, "cel");
    else if (isCelGuard && key === "params" && isObject(child) && typeof child.expression === "string") {
      const expression = map(child.expression, "cel");
      after = expression === child.expression ? child : { ...child, expression };
    } else after = mapExpressions(child, map);
    changed ||= after !== child;
    return [key, after];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** Every expression with its roots renamed. */
export function renameRoots<Value extends Json>(value: Value, rename: (key: string) => string | undefined): Value {
  // cast: rewriting texts changes no shape
  return mapExpressions(value, (text, kind) => replaceRoots(text, kind === "cel", rename)) as Value;
}

/** The roots that the expressions in a value read, each once. */
export function rootsOf(value: Json): Set<string> {
  const roots = new Set<string>();
  mapExpressions(value, (text, kind) => {
    for (const { key } of kind === "cel" ? rootsInCel(text) : rootsInText(text)) roots.add(key);
    return text;
  });
  return roots;
}

/** Names that hold a value of their own: a state of the same name is then read as `<id>_output` only. */
export function variablesOf(document: JsonObject): Set<string> {
  const names = new Set(Object.keys(isObject(document.context) ? document.context : {}));
  const collect = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value) collect(item);
    if (!isObject(value)) return;
    if (value.type === "assign" && isObject(value.params) && typeof value.params.path === "string")
      for (const { key } of rootsInText(value.params.path)) names.add(key);
    for (const child of Object.values(value)) collect(child);
  };
  for (const value of [document.states, document.on, document.entry]) collect(value ?? null);
  return names;
}

/** What the roots of a state's results are called when the state is renamed. */
export function renameResults(
  from: string,
  to: string,
  variables: ReadonlySet<string>,
): (key: string) => string | undefined {
  return (key) => {
    if (key === `${from}_output`) return `${to}_output`;
    if (key === `${from}_error`) return `${to}_error`;
    return key === from && !variables.has(from) ? to : undefined;
  };
}
