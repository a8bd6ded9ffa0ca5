import { isObject, type Json } from "@oven/contract";

export interface ValueMatch {
  /** `order.items[2].name`. */
  path: string;
  /** The value, around the place where it matches. */
  text: string;
}

const AROUND = 80;

/** The places of a value whose name or text contains what is looked for, without regard to case. */
export function findInValue(value: Json, wanted: string, most: number): ValueMatch[] {
  const matches: ValueMatch[] = [];
  const needle = wanted.toLowerCase();
  const walk = (child: Json, path: string, name: string): void => {
    if (matches.length >= most) return;
    if (Array.isArray(child)) {
      for (const [index, entry] of child.entries()) walk(entry, `${path}[${index}]`, "");
      return;
    }
    if (isObject(child)) {
      for (const [key, entry] of Object.entries(child)) walk(entry, path === "" ? key : `${path}.${key}`, key);
      return;
    }
    const text = String(child);
    const at = text.toLowerCase().indexOf(needle);
    if (at !== -1) matches.push({ path, text: around(text, at, needle.length) });
    else if (name.toLowerCase().includes(needle)) matches.push({ path, text: around(text, 0, 0) });
  };
  walk(value, "", "");
  return matches;
}

function around(text: string, at: number, length: number): string {
  const [from, to] = [Math.max(0, at - AROUND), Math.min(text.length, at + length + AROUND)];
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}
