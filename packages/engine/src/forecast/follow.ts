import { hashJson } from "../compile/content-hash.ts";
import type { RunEnd } from "../plan/plan-types.ts";
import { type Replayed, replayMoves, toEvent } from "../plan/replay.ts";
import type { NodeCatalog } from "../ports.ts";
import { type JourneyCall, JourneyWriter } from "../rehearsal/journey.ts";
import { type RunReading, readRecordedRun } from "../rehearsal/recorded-run.ts";
import { inSlices } from "../run/slices.ts";
import type { ForecastStart } from "./forecast.ts";

/** A run as it stood before one of its reviews was decided, or as it stands. */
export type PausedRun = Pick<ForecastStart, "record" | "compiled" | "facts" | "writer" | "snapshot" | "at">;

/** What a run did after a decision. */
export interface Followed {
  calls: JourneyCall[];
  /** Digests of all calls of nodes that began, as `JourneyCall` has them. */
  begun: string[];
  /** The steps in which people were asked. */
  reviews: { nodeId: string; visit: number; item: string | null }[];
  end: RunEnd | null;
}

/**
 * Reads a run up to the decision of a review, and what it did after that.
 * @param read reads a child of it
 * @returns `followed` undefined where the review is not decided, or its run does not know of it yet
 * @throws OvenError as `replayMoves`
 */
export async function readUpTo(
  reading: RunReading,
  catalog: NodeCatalog,
  reviewId: number,
  read: (childId: number) => Promise<RunReading>,
): Promise<{ paused: PausedRun; followed: Followed | undefined }> {
  const { record, compiled, facts, context, history } = reading;
  const before = new JourneyWriter(compiled, catalog);
  const whole = new JourneyWriter(compiled, catalog);
  let paused: PausedRun | undefined;
  let stands: PausedRun | undefined;
  let from = 0;
  let began = facts;
  const reviews: Followed["reviews"] = [];
  const passes: number[] = [];
  const begun: string[] = [];
  await inSlices(replayMoves(compiled, facts, context, history), ({ move, plan, snapshot }: Replayed) => {
    const { at, cause } = move;
    if ((cause.t === "start" || cause.t === "seed") && cause.config) began = { ...facts, config: cause.config };
    if (cause.t === "signal" && paused === undefined && stands !== undefined) {
      const event = toEvent(move, history);
      if (event.type === "decision" && event.decision.reviewId === reviewId) {
        paused = { ...stands, at };
        from = whole.journey.calls.length;
      }
    }
    const units = whole.note(plan, facts, 0);
    if (paused !== undefined) {
      begun.push(...units.map(({ src, input }) => hashJson([src, input])));
      for (const review of plan.reviews) if (review.type === "open") reviews.push(review);
      for (const { unit, request } of plan.children) {
        const asked = request ?? (unit.item === null ? undefined : whole.memory.request(unit, unit.item)?.child);
        if (unit.wait?.for === "child" && asked?.part != null) passes.push(unit.wait.executionId);
      }
      return true;
    }
    before.note(plan, facts, 0);
    stands = { record, compiled, facts: began, writer: before, snapshot, at };
    return true;
  });
  const there = paused ?? stands;
  if (there === undefined) throw new Error(`run ${record.id} has no moves`); // replayMoves throws before
  const { calls, end } = whole.journey;
  const made = calls.slice(from);
  for (const id of passes) {
    const pass = await readRecordedRun(await read(id), catalog, read);
    made.push(...pass.journey.calls);
    begun.push(...[...pass.units.values()].map(({ src, input }) => hashJson([src, input])));
  }
  return { paused: there, followed: paused && { calls: made, begun, reviews, end } };
}
