import type { Json, JsonObject } from "@oven/contract";
import { getOwn, isObject } from "@oven/engine";

/** `{template: "Hi {{name}}", variables: {name: "$.trigger.name"}}` as a system prompt with paths in it. */
export function toPromptInput({ template, variables, ...input }: JsonObject): JsonObject {
  if (typeof template !== "string") return { ...input, ...(template === undefined ? {} : { template }) };
  const values = isObject(variables) ? variables : {};
  const system = template.replace(/\{\{\s*([A-Za-z_]\w*)\s*\}\}/g, (_whole, name: string) =>
    toText(getOwn(values, name), name),
  );
  return { system, ...input };
}

function toText(value: Json | undefined, name: string): string {
  if (value === undefined) return `{{ $.${name} }}`;
  if (typeof value === "string") return value.startsWith("$.") ? `{{ ${value} }}` : value.replaceAll("{{", "\\{{");
  return value === null ? "" : JSON.stringify(value).replaceAll("{{", "\\{{");
}
