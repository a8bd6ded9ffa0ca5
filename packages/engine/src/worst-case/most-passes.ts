import type { Json, JsonObject } from "@oven/contract";
import type { CompiledLoop } from "../compile/state-info.ts";
import { getChild, isObject } from "../expressions/json-access.ts";
import { parsePath } from "../expressions/path.ts";
import { fixedValue } from "../validate/fixed-value.ts";

/**
 * How often the body of a loop runs at most in one visit.
 * @param collection as the definition writes it
 * @param payload JSON Schema of what a run is started with, where `$.trigger` is that
 */
export function mostPasses(
  { type, maxIterations }: Pick<CompiledLoop, "type" | "maxIterations">,
  collection: Json | undefined,
  payload: JsonObject | undefined,
): number {
  if (type === "while" || collection === undefined) return maxIterations;
  return Math.min(maxIterations, mostItems(collection, payload) ?? maxIterations);
}

function mostItems(collection: Json, payload: JsonObject | undefined): number | undefined {
  const fixed = fixedValue(collection);
  const list = fixed === undefined ? collection : fixed;
  if (Array.isArray(list)) return list.length;
  if (payload === undefined || typeof list !== "string" || !list.startsWith("$.trigger.")) return undefined;
  // It was checked with the definition, so it parses.
  const { segments, pipes } = parsePath(list);
  if (pipes.length > 0) return undefined;
  let schema: Json | undefined = payload;
  for (const segment of segments.slice(1)) schema = getChild(getChild(schema, "properties"), String(segment));
  const most = isObject(schema ?? null) ? getChild(schema, "maxItems") : undefined;
  return typeof most === "number" && most >= 0 ? most : undefined;
}
