import type { Json } from "@oven/contract";
import { isObject } from "@oven/contract";
import { replaceRoots, rootsInCel, rootsInText } from "@oven/scope";

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
