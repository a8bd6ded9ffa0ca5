import type { Json, JsonObject } from "@oven/contract";

/** A place in a JSON document: the keys that lead to it. */
export type Place = readonly (string | number)[];

/** Every place below the root, in document order. */
export function placesOf(value: Json, at: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const entries: [string | number, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, child]) => [[...at, key], ...placesOf(child, [...at, key])]);
}

export function valueAt(value: Json, place: Place): Json | undefined {
  let found: Json | undefined = value;
  for (const key of place) {
    if (Array.isArray(found)) found = found[Number(key)];
    else found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

/** A copy in which `change` has been made to what contains the place. */
export function changed(
  value: Json,
  place: Place,
  change: (holder: JsonObject | Json[], key: string | number) => void,
): Json {
  const copy = JSON.parse(JSON.stringify(value)) as Json; // cast: JSON in, the same JSON out
  const holder = valueAt(copy, place.slice(0, -1));
  const key = place.at(-1);
  if (key !== undefined && (Array.isArray(holder) || isObject(holder))) change(holder, key);
  return copy;
}

/** Sets an own key, `__proto__` included. */
export function put(holder: JsonObject | Json[], key: string | number, value: Json): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
