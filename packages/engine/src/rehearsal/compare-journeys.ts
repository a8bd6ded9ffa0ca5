import type { Json } from "@oven/contract";
import { hashJson } from "../compile/content-hash.ts";
import { isSameJson } from "../expressions/json-access.ts";
import type { RunEnd } from "../plan/plan-types.ts";
import type { Journey, JourneyCall } from "./journey.ts";
import type { Rehearsed, Unknown } from "./rehearse.ts";

/** In what a rehearsed run differs from the recorded one. */
export interface JourneyDifference {
  /** How both ended, where it differs in status, outcome or output. */
  end: { was: RunEnd | null; is: RunEnd | null } | null;
  /** Calls that were not made before, and those that are not made any more. */
  calls: { added: JourneyCall[]; missing: JourneyCall[] };
  /** Steps that were not passed before, and those that are not passed any more. */
  steps: { added: string[]; missing: string[] };
  /** What comes on top; below zero: what is saved. */
  tokens: number;
  costMicros: number;
  durationMs: number;
}

/**
 * `same`: nothing differs · `outcome`: it ends otherwise · `calls`: it ends the same after other calls · `path`: after other steps only ·
 * `unknown`: an answer that was not recorded decides.
 */
export type JourneyVerdict = "same" | "outcome" | "calls" | "path" | "unknown";

export interface JourneyComparison extends JourneyDifference {
  verdict: JourneyVerdict;
  unknown: Unknown | null;
  /** What the rehearsed run does, as far as it is compared: the same for two that end, call and go the same. SHA-256 (hex). */
  digest: string;
}

/** Of calls and steps that an unknown answer cuts off, only those that came before it are compared. */
export function compareJourneys(was: Journey, { journey: is, unknown }: Rehearsed): JourneyComparison {
  // A model that was asked anew was asked something else, of course: what counts is what came of it.
  const isLive = is.units.some((unit) => unit.isLive);
  const counted = (calls: readonly JourneyCall[]) => calls.filter((call) => !isLive || !call.asksModelOnly);
  const addedCalls = beyond(counted(is.calls), counted(was.calls), ({ digest }) => digest);
  const missingCalls = unknown === null ? beyond(counted(was.calls), counted(is.calls), ({ digest }) => digest) : [];
  const addedSteps = beyond(is.steps, was.steps, (step) => step);
  const missingSteps = unknown === null ? beyond(was.steps, is.steps, (step) => step) : [];
  const end = unknown === null && !isSameEnd(was.end, is.end) ? { was: was.end, is: is.end } : null;
  const known = unknown === null ? 1 : 0;
  return {
    verdict: verdictOf(
      unknown,
      end !== null,
      addedCalls.length + missingCalls.length,
      addedSteps.length + missingSteps.length,
    ),
    unknown,
    end,
    calls: { added: addedCalls, missing: missingCalls },
    steps: { added: addedSteps, missing: missingSteps },
    tokens: known * (is.tokenUsage.total - was.tokenUsage.total),
    costMicros: known * (is.costMicros - was.costMicros),
    durationMs: known * (is.durationMs - was.durationMs),
    digest: hashJson([
      ...[toJson(is.end), is.calls.map((call) => call.digest), is.steps],
      unknown && [unknown.reason, unknown.nodeId],
    ]),
  };
}

function verdictOf(unknown: Unknown | null, endsOtherwise: boolean, calls: number, steps: number): JourneyVerdict {
  if (unknown !== null) return "unknown";
  if (endsOtherwise) return "outcome";
  if (calls > 0) return "calls";
  return steps > 0 ? "path" : "same";
}

/** What the first list has more of than the second. */
function beyond<T>(list: readonly T[], other: readonly T[], keyOf: (entry: T) => string): T[] {
  const left = new Map<string, number>();
  for (const entry of other) left.set(keyOf(entry), (left.get(keyOf(entry)) ?? 0) + 1);
  return list.filter((entry) => {
    const count = left.get(keyOf(entry)) ?? 0;
    left.set(keyOf(entry), count - 1);
    return count <= 0;
  });
}

function isSameEnd(one: RunEnd | null, other: RunEnd | null): boolean {
  return isSameJson(toJson(one), toJson(other));
}

/** Of an error, its code and its place: messages may hold ids and times. */
function toJson(end: RunEnd | null): Json {
  if (end === null) return null;
  const { status, outcome, output, error } = end;
  return [status, outcome, output, error?.code ?? null, error?.nodeId ?? null];
}
