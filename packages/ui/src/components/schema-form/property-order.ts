import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";

/** The names of an object schema's properties in their order: databases forget that of keys. Validators pass it over. */
export const ORDER = "x-order";

/** The properties of an object schema in the order its author gave them. */
export function propertyNames({ properties, [ORDER]: order }: JsonObject): string[] {
  const names = Object.keys(isObject(properties) ? properties : {});
  if (!Array.isArray(order)) return names;
  const first = order.filter((name): name is string => typeof name === "string" && names.includes(name));
  return [...new Set([...first, ...names])];
}
