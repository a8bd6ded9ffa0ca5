/**
 * The value of an own property: never one of the prototype, such as `constructor` or `toString`. For objects whose keys are names that
 * people or other systems chose.
 */
export function getOwn<T>(object: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined {
  return object != null && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Plain assignment, except that `__proto__` becomes a property like any other instead of the prototype. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}
