import { getOwn, type JsonObject, type JsonPatchOp } from "@oven/contract";

const pointer = (key: string): string => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The changes that make one context of another; RFC 6902, each of a whole entry. */
export function toContextPatch(before: JsonObject, after: JsonObject): JsonPatchOp[] {
  const removed = Object.keys(before)
    .filter((key) => !Object.hasOwn(after, key))
    .map((key): JsonPatchOp => ({ op: "remove", path: pointer(key) }));
  const changed = Object.entries(after).flatMap(([key, value]): JsonPatchOp[] => {
    if (!Object.hasOwn(before, key)) return [{ op: "add", path: pointer(key), value }];
    if (JSON.stringify(getOwn(before, key)) === JSON.stringify(value)) return [];
    return [{ op: "replace", path: pointer(key), value }];
  });
  return [...removed, ...changed];
}
