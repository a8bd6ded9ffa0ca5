import type { Json } from "@oven/contract";
import { hashJson } from "../compile/content-hash.ts";
import { isSameJson } from "../expressions/json-access.ts";
import { placeOf } from "../rehearsal/journey.ts";
import type { Followed } from "./follow.ts";
import type { Forecast } from "./forecast.ts";

/** True: it came so · false: it did not · null: the run has not gone that far. */
export type CameTrue = boolean | null;

/** Compares a forecast with what its run did: one answer for each step, and one for where it leads. */
export function cameTrue(forecast: Forecast, followed: Followed): { steps: CameTrue[]; end: CameTrue } {
  const { begun, reviews, end } = followed;
  const made = new Map<string, number>();
  for (const digest of begun) made.set(digest, (made.get(digest) ?? 0) + 1);
  const asked = new Set(reviews.map(placeOf));
  // Beyond the next review other decisions count.
  const hasCome = end !== null || reviews.length > 0;
  const otherwise = hasCome ? false : null;
  const steps = forecast.steps.map((step): CameTrue => {
    if (step.type === "wait") return hasCome || begun.length > 0 ? true : null;
    if (step.type === "review") return asked.has(placeOf(step)) ? true : otherwise;
    if (step.isReleased) return true;
    const digest = hashJson([step.src, step.input]);
    const left = made.get(digest) ?? 0;
    made.set(digest, left - 1);
    return left > 0 ? true : otherwise;
  });
  if (forecast.end === null) {
    const { rest } = forecast;
    if (rest?.reason !== "review") return { steps, end: null };
    return { steps, end: reviews.some(({ nodeId }) => nodeId === rest.nodeId) ? true : otherwise };
  }
  if (end === null) return { steps, end: reviews.length > 0 ? false : null };
  const { status, outcome, output } = forecast.end;
  const isSame = status === end.status && outcome === end.outcome && isSameJson(toJson(output), toJson(end.output));
  return { steps, end: isSame };
}

function toJson(output: Json | undefined): Json {
  return output ?? null;
}
