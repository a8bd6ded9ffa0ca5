import { getOwn, isObject, type Json, type JsonObject } from "@oven/contract";

const MOST_HOPS = 20;

/** What a reference leads to. */
interface Found {
  value: Json;
  /** The last reference on the way; null: the value stood there itself. */
  pointer: string | null;
}

/** The part of a document that `#/…` names; undefined where it leads nowhere, or out of the document. */
export function findPart(root: JsonObject, pointer: string): Json | undefined {
  if (pointer === "#") return root;
  if (!pointer.startsWith("#/")) return undefined;
  let value: Json | undefined = root;
  for (const part of pointer.slice(2).split("/")) {
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isObject(value) ? getOwn(value, key) : undefined;
  }
  return value;
}

/** Follows `$ref` until something else stands there. Undefined: it leads nowhere, out of the document, or in a circle. */
function follow(root: JsonObject, given: Json | undefined): Found | undefined {
  let value = given;
  let pointer: string | null = null;
  for (let hop = 0; hop < MOST_HOPS && value !== undefined; hop++) {
    if (!isObject(value) || typeof value.$ref !== "string") return { value, pointer };
    pointer = value.$ref;
    value = findPart(root, pointer);
  }
  return undefined;
}

/** An object of the document, or the one that it refers to. */
export function objectAt(root: JsonObject, given: Json | undefined): JsonObject | undefined {
  const found = follow(root, given)?.value;
  return isObject(found) ? found : undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
