import type { Json, JsonObject } from "@oven/contract";

/*
 * Reading and writing JSON by key without ever touching a prototype: `__proto__` is a key like any other.
 */

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of an own property: never one of the prototype, such as `constructor`. */
export function getOwn<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Plain assignment, except that `__proto__` becomes a data property instead of the prototype. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
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
