import type { Json, JsonObject } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import { isObject, setOwn } from "@oven/engine";
import { NoEquivalent, orReason } from "../../importing/no-equivalent.ts";
import { constantOf } from "./dify-constants.ts";
import type { DifyContext } from "./dify-context.ts";
import { type DifyNode, objectsIn } from "./dify-document.ts";

/** Gives a step that failed the output that its default values say. @throws NoEquivalent */
export function assignDefaults({ id, data }: DifyNode, context: DifyContext): Action {
  const root = `$.${context.stateOf(id)}_output`;
  const output: JsonObject = {};
  for (const { key, type, value } of objectsIn(data.default_value)) {
    const found = orReason(() => context.data.path([id, String(key ?? "")]));
    // What has no path here is read by no step either.
    if (!("value" in found)) continue;
    const path = found.value.split(" | ")[0] ?? "";
    const names = path.slice(root.length + 1).split(".");
    if (!path.startsWith(`${root}.`) || names.some((name) => !/^\w+$/.test(name)))
      throw new NoEquivalent(`its default value for ${String(key)} cannot be named`);
    put(output, names, constantOf(value ?? "", String(type ?? "string")));
  }
  return { type: "assign", params: { path: root, value: output } };
}

function put(output: JsonObject, [name = "", ...more]: readonly string[], value: Json): void {
  if (more.length === 0) {
    setOwn(output, name, value);
    return;
  }
  const known = Object.hasOwn(output, name) ? output[name] : undefined;
  const inner = isObject(known) ? known : {};
  setOwn(output, name, inner);
  put(inner, more, value);
}
