import { OvenError } from "@oven/contract";
import { hashJson } from "../compile/content-hash.ts";
import type { CompiledMachine } from "../compile/machine.ts";
import type { RunContext } from "../expressions/scope.ts";
import type { PlanEvent, RunFacts } from "../plan/plan-types.ts";
import { type Replayed, replayMoves, toEvent } from "../plan/replay.ts";
import type { NodeCatalog } from "../ports.ts";
import { inSlices } from "../run/slices.ts";
import { instantsOf } from "../run/to-commit.ts";
import type { ReviewChange, RunHistory, RunRecord } from "../store.ts";
import { type BegunUnit, type Journey, JourneyWriter, placeOf } from "./journey.ts";

/** Something that moved the recorded run. */
export interface RecordedEvent {
  /** Its place in the log. */
  seq: number;
  /** Epoch milliseconds. */
  at: number;
  event: PlanEvent;
  /** Of the reviews that were opened with it. */
  reviewIds: readonly number[];
}

/** A call of the recorded run, with its answers in order. */
export interface RecordedUnit extends BegunUnit {
  answers: RecordedEvent[];
  reviewIds: number[];
  /** The run that it waited for. */
  childId: number | null;
}

/** A run with a recording, gone through once. */
export interface RecordedRun {
  record: RunRecord;
  facts: RunFacts;
  startedAt: number;
  units: ReadonlyMap<string, RecordedUnit>;
  /** Messages, looks at the clock and takeovers, in order. */
  messages: readonly RecordedEvent[];
  /** What each review showed, as a digest. */
  shown: ReadonlyMap<number, string>;
  /** Every instant at which the run was to be woken. */
  instants: ReadonlySet<number>;
  journey: Journey;
  /** Passes through the bodies of its loops that were runs of their own, by their id. */
  children: ReadonlyMap<number, RecordedRun>;
}

/** What is read of one run, as `RunRecordings` of module-workflows reads it. */
export interface RunReading {
  record: RunRecord;
  compiled: CompiledMachine;
  facts: RunFacts;
  context: RunContext;
  history: RunHistory;
}

/**
 * Goes through a recorded run and through the passes of its loops.
 * @param read reads a child of it
 * @throws OvenError as `replayMoves`
 */
export async function readRecordedRun(
  reading: RunReading,
  catalog: NodeCatalog,
  read: (childId: number) => Promise<RunReading>,
): Promise<RecordedRun> {
  const { record, compiled, facts, context, history } = reading;
  if (history.entries.some(({ event }) => event === "execution.migrated")) {
    throw new OvenError("CHECKPOINTS_MISSING", `Execution ${record.id} was moved to another version on its way`, {
      status: 409,
      fix: "Take a run that ended on the version it began with.",
    });
  }
  const writer = new JourneyWriter(compiled, catalog);
  const units = new Map<string, RecordedUnit>();
  const messages: RecordedEvent[] = [];
  const shown = new Map<number, string>();
  const instants = new Set<number>();
  const children = new Map<number, RecordedRun>();
  const passes: { place: BegunUnit; childId: number }[] = [];
  let startedAt: number | undefined;
  let began = facts;
  await inSlices(replayMoves(compiled, facts, context, history), ({ move, plan }: Replayed) => {
    const { at, seq, cause } = move;
    startedAt ??= at;
    if (cause.t === "start" && cause.config) began = { ...facts, config: cause.config };
    const opened = plan.reviews.flatMap((review) => (review.type === "open" ? [review] : []));
    for (const review of opened) shown.set(review.id, shownBy(review));
    if (cause.t !== "start" && cause.t !== "seed") {
      const event = toEvent(move, history);
      const answer: RecordedEvent = { seq, at, event, reviewIds: opened.map(({ id }) => id) };
      if ("unit" in event) units.get(placeOf(event.unit))?.answers.push(answer);
      else messages.push(answer);
    }
    for (const unit of writer.note(plan, facts, at - startedAt))
      units.set(placeOf(unit), { ...unit, answers: [], reviewIds: [], childId: null });
    for (const review of opened) units.get(placeOf(review))?.reviewIds.push(review.id);
    for (const { unit, request } of plan.children) {
      const begun = units.get(placeOf(unit));
      const asked = request ?? (unit.item === null ? undefined : writer.memory.request(unit, unit.item)?.child);
      if (begun === undefined || unit.wait?.for !== "child") continue;
      begun.childId = unit.wait.executionId;
      if (asked?.part != null) passes.push({ place: begun, childId: begun.childId });
    }
    for (const instant of instantsOf(plan.snapshot.state)) instants.add(instant);
    return true;
  });
  for (const { place, childId } of passes) {
    const child = await readRecordedRun(await read(childId), catalog, read);
    children.set(childId, child);
    writer.addChild(place, child.journey);
  }
  const { journey } = writer;
  return { record, facts: began, startedAt: startedAt ?? 0, units, messages, shown, instants, journey, children };
}

/** Of everything that a reviewer decides on; who is asked and until when is not among it. */
export function shownBy({ digest, request }: Extract<ReviewChange, { type: "open" }>): string {
  const { title, context, schema, actions } = request;
  return hashJson([digest, title, context ?? null, schema ?? null, actions]);
}
