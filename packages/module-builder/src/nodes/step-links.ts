import type { JsonObject } from "@oven/contract";
import { findState } from "@oven/scope";

/** A link to a step in an answer: `[Approve](#step:approve)`. */
const STEP_LINK = /\]\(#step:([^)\s]+)\)/g;

/** Ids of steps that a text links to and that the definition does not have. */
export function missingLinks(text: string, definition: JsonObject): string[] {
  const ids = [...text.matchAll(STEP_LINK)].map(([, id = ""]) => id);
  return [...new Set(ids)].filter((id) => findState(definition, id) === undefined);
}
