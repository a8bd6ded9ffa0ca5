import { getOwn, type Json, type JsonObject } from "@oven/contract";

export { getOwn, setOwn } from "@oven/contract";

/*
 * Reading and writing JSON by key without ever touching a prototype: `__proto__` is a key like any other.
 */

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One step down: an object's own key, an array's index (negative from the end) or a string's nothing. */
export function getChild(value: Json | undefined, segment: string | number): Json | undefined {
  if (Array.isArray(value)) return typeof segment === "number" ? value.at(segment) : undefined;
  if (isObject(value)) return getOwn(value, String(segment));
  return undefined;
}

/** Whether two JSON values are equal; the order of keys does not count. */
export function isSameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, i) => isSameJson(item, right[i]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameJson(getOwn(left, key), getOwn(right, key)))
  );
}
