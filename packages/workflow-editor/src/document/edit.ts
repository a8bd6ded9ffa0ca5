import type { JsonObject } from "@oven/contract";

/** What a gesture makes of a definition. */
export interface Edit {
  document: JsonObject;
  /** States to be selected afterwards; absent: as before. */
  select?: readonly string[];
}

/** A gesture that cannot be done, and why, in words for the person who made it. */
export interface Refusal {
  reason: string;
}

export function isRefused(result: Edit | Refusal): result is Refusal {
  return "reason" in result;
}
