import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";

/** Place of a value in a definition: `["states", "review", "invoke", "onDone", 0]`. */
export type Address = readonly (string | number)[];

/** What stands at an address; undefined where nothing does. Only own keys count. */
export function getAt(json: Json | undefined, address: Address): Json | undefined {
  let value = json;
  for (const part of address) {
    if (Array.isArray(value)) value = value[Number(part)];
    else value = isObject(value) && Object.hasOwn(value, String(part)) ? value[String(part)] : undefined;
  }
  return value;
}

/** The object at an address, or an empty one. */
export function objectAt(json: Json | undefined, address: Address): JsonObject {
  const value = getAt(json, address);
  return isObject(value) ? value : {};
}

/** The same document with one value changed: what is beside the way to it is shared, keys keep their order. */
export function setAt(document: JsonObject, address: Address, value: Json): JsonObject {
  const changed = set(document, address, value);
  return isObject(changed) ? changed : document;
}

function set(holder: Json | undefined, address: Address, value: Json): Json {
  const [part, ...rest] = address;
  if (part === undefined) return value;
  if (Array.isArray(holder))
    return holder.map((entry, index) => (index === Number(part) ? set(entry, rest, value) : entry));
  const object = isObject(holder) ? holder : {};
  const before = Object.hasOwn(object, String(part)) ? object[String(part)] : undefined;
  const after = set(before, rest, value);
  return before === after ? object : { ...object, [String(part)]: after };
}

/** The document without a key or a list's entry. */
export function removeAt(document: JsonObject, address: Address): JsonObject {
  const last = address.at(-1);
  const around = address.slice(0, -1);
  const holder = getAt(document, around);
  if (last === undefined) return document;
  if (Array.isArray(holder))
    return setAt(
      document,
      around,
      holder.filter((_, index) => index !== Number(last)),
    );
  if (!isObject(holder) || !Object.hasOwn(holder, String(last))) return document;
  return setAt(document, around, withoutKey(holder, String(last)));
}

function withoutKey(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** Puts a key behind another one, or at the end. */
export function withKey(object: JsonObject, key: string, value: Json, after?: string): JsonObject {
  if (after === undefined || !Object.hasOwn(object, after)) return { ...object, [key]: value };
  return Object.fromEntries(
    Object.entries(object).flatMap((entry): [string, Json][] => (entry[0] === after ? [entry, [key, value]] : [entry])),
  );
}

/** Whether two addresses name the same place. */
export function sameAddress(one: Address, other: Address): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

/** `$.states.review`, with `["…"]` for a key that the short form cannot hold: as the server writes it. */
export function toPath(address: Address): string {
  return address.reduce<string>((path, part) => {
    if (typeof part === "number") return `${path}[${part}]`;
    return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(part) ? `${path}.${part}` : `${path}[${JSON.stringify(part)}]`;
  }, "$");
}
