import { isPlainObject, type Json } from "./json.ts";
import type { VersionChange } from "./version-comparison.ts";

/**
 * The places in which two values differ, deepest first where both sides go on, in the order of their keys. Lists are compared
 * place by place.
 */
export function diffJson(from: Json | undefined, to: Json | undefined, path = ""): VersionChange[] {
  if (from === to) return [];
  if (Array.isArray(from) && Array.isArray(to)) {
    const length = Math.max(from.length, to.length);
    return Array.from({ length }).flatMap((_, index) => diffJson(from[index], to[index], `${path}[${index}]`));
  }
  if (isPlainObject(from) && isPlainObject(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
    return keys.flatMap((key) => diffJson(own(from, key), own(to, key), step(path, key)));
  }
  return [{ path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
}

function own(object: { [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function step(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
