import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { type Address, removeAt, setAt, toPath } from "@oven/scope";

/** A place both sides changed, each in its own way; undefined where a side has nothing. */
export interface Conflict {
  address: Address;
  path: string;
  base: Json | undefined;
  mine: Json | undefined;
  theirs: Json | undefined;
}

export interface Merge {
  /** Both changes; where they meet, mine. */
  document: JsonObject;
  conflicts: Conflict[];
}

/** Joins two changes of one definition. Objects are joined key by key; lists, such as the branches of a state, are whole. */
export function mergeDefinitions(base: JsonObject, mine: JsonObject, theirs: JsonObject): Merge {
  const conflicts: Conflict[] = [];
  const merged = merge(base, mine, theirs, [], conflicts);
  return { document: isObject(merged) ? merged : mine, conflicts };
}

/** Takes one side at a place where both changed. */
export function takeSide(document: JsonObject, conflict: Conflict, side: "mine" | "theirs"): JsonObject {
  const value = conflict[side];
  return value === undefined ? removeAt(document, conflict.address) : setAt(document, conflict.address, value);
}

function merge(
  base: Json | undefined,
  mine: Json | undefined,
  theirs: Json | undefined,
  address: Address,
  conflicts: Conflict[],
): Json | undefined {
  if (isSameJson(mine, theirs) || isSameJson(base, theirs)) return mine;
  if (isSameJson(base, mine)) return theirs;
  // What both made anew is two things under one name, not one that both changed.
  if (!isObject(base) || !isObject(mine) || !isObject(theirs)) {
    conflicts.push({ address, path: toPath(address), base, mine, theirs });
    return mine;
  }
  const keys = [...Object.keys(mine), ...Object.keys(theirs).filter((key) => !Object.hasOwn(mine, key))];
  return Object.fromEntries(
    keys.flatMap((key): [string, Json][] => {
      const value = merge(own(base, key), own(mine, key), own(theirs, key), [...address, key], conflicts);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether two values are the same JSON, in whatever order their members are. */
export function isSameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSameJson(item, other[index]))
    );
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(own(one, key), own(other, key)))
  );
}
