import type { Json } from "@oven/contract";
import type { EvalCheck } from "@oven/contract/eval";

/** What an expectation says of a run. */
export interface Verdict extends Pick<EvalCheck, "passed" | "score" | "seen" | "reason"> {
  /** What asking a model for it took. */
  tokens?: number;
  costMicros?: number;
}

const MOST_SEEN = 4_000;

/** @param reason kept when it did not pass */
export function verdict(passed: boolean, seen: Json, reason: string): Verdict {
  return { passed, score: passed ? 1 : 0, seen, reason: passed ? null : reason };
}

/** A value as a result shows it: what is long is cut. */
export function bounded(value: Json): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= MOST_SEEN ? value : `${text.slice(0, MOST_SEEN)}…`;
}
