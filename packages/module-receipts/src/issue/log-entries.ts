import { createHmac } from "node:crypto";
import type { Json } from "@oven/contract";
import type { PinnedRun } from "@oven/module-workflows";
import { canonical, DECISION_ENTRY, type Decision, digestOf, type LogEntry, RUN_ENTRY } from "@oven/receipts";

/** What a step came to, and a message that a run took. */
const STEP_ENTRY = "receipt.step";
const MESSAGE_ENTRY = "receipt.message";

/** An entry with its data, and the canonical line of it. */
export interface SaltedEntry extends LogEntry {
  salt: string;
  data: Json;
}

/** What an entry is about, before it has a number and a salt. */
interface Said {
  type: string;
  at: string | null;
  data: Json;
}

/**
 * The log that a receipt is about: each run of the family with its events, what its steps came to and the messages that it took, then
 * the decisions. The data of an entry is salted with what the run's salt gives for its place.
 * @param used what stands with the first entry
 */
export async function* logEntries(
  runs: readonly [PinnedRun, ...PinnedRun[]],
  { decisions, used, salt }: { decisions: readonly Decision[]; used: Json; salt: string },
): AsyncGenerator<SaltedEntry, void> {
  let last: SaltedEntry | undefined;
  const next = (run: number, { type, at, data }: Said): SaltedEntry => {
    const seq = last?.run === run ? last.seq + 1 : 0;
    const own = createHmac("sha256", salt).update(`${run}/${seq}`).digest("base64url").slice(0, 22);
    last = { run, seq, type, at, digest: digestOf(data, own), salt: own, data };
    return last;
  };
  const [root, ...children] = runs;
  yield next(root.row.id, describe(root, { closure: used }));
  for await (const said of entriesOf(root)) yield next(root.row.id, said);
  for (const decision of decisions) yield next(root.row.id, { type: DECISION_ENTRY, at: decision.at, data: decision });
  for (const child of children) {
    yield next(child.row.id, describe(child));
    for await (const said of entriesOf(child)) yield next(child.row.id, said);
  }
}

async function* entriesOf(run: PinnedRun): AsyncGenerator<Said, void> {
  // cast: ops are JSON
  for await (const part of run.log())
    for (const { event, at, fields, patch, cause } of part)
      yield { type: event, at, data: { fields, patch: patch as unknown as Json, cause: cause ?? null } };
  // cast: a node run is JSON
  for await (const part of run.nodes())
    for (const { id: _id, executionId: _run, completedAt, ...step } of part)
      yield { type: STEP_ENTRY, at: completedAt ?? step.startedAt, data: step as unknown as Json };
  // cast: a message is JSON
  for (const { id, type, data } of await run.signals())
    yield { type: MESSAGE_ENTRY, at: null, data: { id, type, data: data as unknown as Json } };
}

/** As a line of the log's file. */
export function toLine(entry: LogEntry): string {
  return `${canonical(entry as Json)}\n`; // cast: an entry is JSON
}

function describe({ kind, row, slug, pinned }: PinnedRun, more: { [key: string]: Json } = {}): Said {
  const { workflowId, workflowVersion, parentId, status, outcome, error, input, output, startedAt, completedAt } = row;
  const workflow = { id: workflowId, slug, version: workflowVersion, definition: pinned.version.contentHash };
  const times = { startedAt: startedAt?.toISOString() ?? null, endedAt: completedAt?.toISOString() ?? null };
  return {
    ...{ type: RUN_ENTRY, at: row.createdAt.toISOString() },
    data: { kind, workflow, parent: parentId, status, outcome, error, input, output, ...times, ...more },
  };
}
