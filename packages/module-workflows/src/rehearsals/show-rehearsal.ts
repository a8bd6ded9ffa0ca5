import type { Json } from "@oven/contract";
import type { RehearsedRun, RehearsedStepPair, StepSide } from "@oven/contract/run";
import {
  type JourneyCall,
  type JourneyPair,
  type JourneyUnit,
  pairJourneys,
  type RunEnd,
  toSummary,
} from "@oven/engine";
import type { PastRun } from "./past-run-rehearser.ts";

/** Differences listed for one run. */
const MOST_LISTED = 20;
/** Steps of one answer. */
const MOST_PAIRS = 500;
/** Characters of JSON that are shown whole. */
const MOST_SHOWN = 20_000;
/** Characters of all inputs and outputs of one answer; what comes after is shown by its beginning. */
const MOST_TOGETHER = 4_000_000;

type End = NonNullable<RehearsedRun["end"]>["was"];

/** A past run as lists show it. */
export function toRehearsedRun({ record, recorded, comparison }: PastRun, seen: boolean): RehearsedRun {
  const { end, calls, steps, verdict, unknown, tokens, costMicros, durationMs, digest } = comparison;
  return {
    executionId: record.id,
    workflowVersion: record.workflowVersion,
    endedAt: recorded.startedAt === 0 ? null : new Date(recorded.startedAt + recorded.journey.durationMs).toISOString(),
    ...{ verdict, unknown, tokens, costMicros, durationMs, digest, seen },
    end: end && { was: toEnd(end.was), is: toEnd(end.is) },
    calls: { added: toCalls(calls.added), missing: toCalls(calls.missing) },
    steps: { added: steps.added.slice(0, MOST_LISTED), missing: steps.missing.slice(0, MOST_LISTED) },
  };
}

export function toEnd(end: RunEnd | null): End {
  if (end === null) return null;
  const { status, outcome, output, error } = end;
  return { status, outcome, output: toSummary(output), error: error?.code ?? null };
}

/** The steps of both, beside each other. @returns `more`: how many are left out */
export function toPairs({ recorded, rehearsed }: PastRun): { pairs: RehearsedStepPair[]; more: number } {
  const all = pairJourneys(recorded.journey, rehearsed);
  let room = MOST_TOGETHER;
  const toShown = (value: Json): Json => {
    const { length } = JSON.stringify(value);
    if (length > Math.min(MOST_SHOWN, room)) return toSummary(value);
    room -= length;
    return value;
  };
  const pairs = all.slice(0, MOST_PAIRS).map((pair) => toPair(pair, toShown));
  return { pairs, more: all.length - pairs.length };
}

function toPair({ was, is, change, differs }: JourneyPair, toShown: (value: Json) => Json): RehearsedStepPair {
  const unit = was ?? is;
  if (unit === null) throw new Error("a pair needs a step");
  const { within, nodeId, visit, item } = unit;
  const toSide = (side: JourneyUnit | null): StepSide | null => side && toStepSide(side, toShown);
  return { within: [...within], nodeId, visit, item, change, differs, was: toSide(was), is: toSide(is) };
}

function toStepSide(
  { src, input, output, status, error, isLive: live, tokens, costMicros, durationMs }: JourneyUnit,
  toShown: (value: Json) => Json,
): StepSide {
  const shown = { input: toShown(input), output: toShown(output) };
  return { src, ...shown, status, error: error?.code ?? null, live, tokens, costMicros, durationMs };
}

function toCalls(calls: readonly JourneyCall[]): RehearsedRun["calls"]["added"] {
  return calls
    .slice(0, MOST_LISTED)
    .map(({ nodeId, visit, item, src, input }) => ({ nodeId, visit, item, src, input: toSummary(input) }));
}
