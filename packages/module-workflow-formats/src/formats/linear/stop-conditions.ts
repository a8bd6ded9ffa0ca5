import type { Json, JsonObject } from "@oven/contract";
import type { StopCondition } from "@oven/contract/formats/linear.ts";
import { getChild, getOwn, isObject, isSameJson, parsePath } from "@oven/engine";

/** What came of one condition: the value found, whether it is met, and why it could not be told. */
export interface ConditionResult {
  container: string;
  path: string;
  operator: StopCondition["operator"];
  target: Json;
  value: Json;
  met: boolean;
  note: string | null;
}

/**
 * @param data the container's newest content in the run; undefined: it has none
 */
export function judgeCondition(condition: StopCondition, data: Json | undefined): ConditionResult {
  const {
    datacontainer_definition_uuid: container,
    extraction_json_path: path,
    operator,
    target_value: target,
  } = condition;
  const value = data === undefined ? undefined : readAt(data, path);
  const base = { container, path, operator, target, value: value ?? null };
  if (value === undefined) return { ...base, met: false, note: `nothing is at ${path}` };
  if (operator === "equals") return { ...base, met: isSameJson(value, target), note: null };
  if (operator === "not_equals") return { ...base, met: !isSameJson(value, target), note: null };
  if (operator === "contains") return { ...base, ...contains(value, target) };
  if (typeof value !== "number" || typeof target !== "number") {
    const [what, it] = typeof value === "number" ? ["the target", target] : ["what was found", value];
    return { ...base, met: false, note: `${operator} compares numbers, and ${what} is ${kindOf(it)}` };
  }
  return { ...base, met: operator === "greater_than" ? value > target : value < target, note: null };
}

function contains(value: Json, target: Json): { met: boolean; note: string | null } {
  if (typeof value === "string" && typeof target === "string") return { met: value.includes(target), note: null };
  if (Array.isArray(value)) return { met: value.some((item) => isSameJson(item, target)), note: null };
  if (isObject(value) && typeof target === "string") return { met: getOwn(value, target) !== undefined, note: null };
  return {
    met: false,
    note: `contains looks into text, lists and keys, and found ${kindOf(value)} for ${kindOf(target)}`,
  };
}

function readAt(data: Json, path: string): Json | undefined {
  let value: Json | undefined = data;
  for (const segment of parsePath(path).segments) value = getChild(value, segment);
  return value;
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : `a ${typeof value}`;
}

export const isMet = (results: readonly ConditionResult[]): boolean => results.some(({ met }) => met);

export const toJson = (results: readonly ConditionResult[]): JsonObject[] => results.map((result) => ({ ...result }));
