import type { Json } from "@oven/contract";
import { splitTemplate } from "@oven/contract/workflow";
import { readPath } from "@oven/scope";
import { valueIn } from "./variables.ts";

const LONGEST = 120;

/**
 * What a text with paths came to in a run, as far as that can be said without computing anything: a path, or a text whose
 * placeholders are paths. Null: it is no such text, or one of its values was not there.
 */
export function pastText(text: string, values: { input: Json; context: Json }): string | null {
  const read = (path: string): Json | undefined => {
    const found = readPath(path.trim());
    // A default or a filter is computed.
    if (found === null || path.includes("|")) return undefined;
    return valueIn(values, { keys: found.keys.map(String) });
  };
  if (text.trim().startsWith("$")) return shown(read(text));
  const { parts } = splitTemplate(text);
  if (!parts.some((part) => "placeholder" in part)) return null;
  let said = "";
  let at = 0;
  for (const part of parts) {
    if (!("placeholder" in part)) continue;
    const open = text.lastIndexOf("{{", part.start);
    const value = shown(read(part.placeholder));
    if (value === null) return null;
    said += text.slice(at, open) + value;
    at = text.indexOf("}}", part.start + part.placeholder.length) + 2;
  }
  return cut(said + text.slice(at));
}

function shown(value: Json | undefined): string | null {
  if (value === undefined) return null;
  return cut(typeof value === "string" ? value : JSON.stringify(value));
}

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
