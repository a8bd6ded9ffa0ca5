import { isSameJson } from "../expressions/json-access.ts";
import type { Journey, JourneyUnit } from "./journey.ts";
import type { Rehearsed } from "./rehearse.ts";

/** The calls of one place in two journeys; null: one of them did not come there. */
export interface JourneyPair {
  was: JourneyUnit | null;
  is: JourneyUnit | null;
  /** `added`: only the second has it · `missing`: only the first · `unknown`: an answer that was not recorded cuts the second off before. */
  change: "same" | "changed" | "added" | "missing" | "unknown";
  /** What differs where both have it. */
  differs: ("type" | "input" | "output" | "end")[];
}

/** Two journeys beside each other, in the order of the first; what only the second has comes where it did it. */
export function pairJourneys(was: Journey, { journey: is, unknown }: Rehearsed): JourneyPair[] {
  const second = new Map(is.units.map((unit) => [keyOf(unit), unit]));
  const first = new Set(was.units.map(keyOf));
  /** What only the second has, behind the place that both have. */
  const behind = new Map<string, JourneyPair[]>();
  let last = "";
  for (const unit of is.units) {
    const key = keyOf(unit);
    if (first.has(key)) last = key;
    else {
      const isOpen = unknown !== null && unit.status === "running";
      const pair: JourneyPair = { was: null, is: unit, change: isOpen ? "unknown" : "added", differs: [] };
      const known = behind.get(last);
      if (known === undefined) behind.set(last, [pair]);
      else known.push(pair);
    }
  }
  const pairs = was.units.flatMap((unit) => {
    const key = keyOf(unit);
    return [toPair(unit, second.get(key) ?? null, unknown !== null), ...(behind.get(key) ?? [])];
  });
  return [...(behind.get("") ?? []), ...pairs];
}

function toPair(was: JourneyUnit, is: JourneyUnit | null, isCutOff: boolean): JourneyPair {
  if (is === null) return { was, is, change: isCutOff ? "unknown" : "missing", differs: [] };
  const isOpen = is.status === "running" && was.status !== "running";
  const differs: JourneyPair["differs"] = [];
  if (was.src !== is.src) differs.push("type");
  if (!isSameJson(was.input, is.input)) differs.push("input");
  if (!isOpen && !isSameJson(was.output, is.output)) differs.push("output");
  if (!isOpen && (was.status !== is.status || was.error?.code !== is.error?.code)) differs.push("end");
  if (isOpen && isCutOff) return { was, is, change: "unknown", differs };
  if (isOpen) differs.push("end");
  return { was, is, change: differs.length === 0 ? "same" : "changed", differs };
}

function keyOf({ within, nodeId, visit, item }: JourneyUnit): string {
  return JSON.stringify([within, nodeId, visit, item]);
}
