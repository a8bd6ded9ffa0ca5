import { type JsonObject, notFound, type Principal } from "@oven/contract";
import type { Review } from "@oven/contract/review";
import type { ExecutionKind, RecordedRun, RunExport } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { type HistoryEntry, inSlices } from "@oven/engine";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import { requireDetails } from "../retention/removed-details.ts";
import type { ReviewService } from "../reviews/review-service.ts";
import { readLogParts, readSignals } from "../runtime/read-history.ts";
import { familyOf, type RunKinds } from "../runtime/run-kinds.ts";
import type { SqlStore } from "../runtime/sql-store.ts";
import type { ExecutionReader } from "./execution-reader.ts";

export interface RunExportDeps {
  db: Database;
  kinds: RunKinds;
  store: SqlStore;
  reviews: ReviewService;
  of(kind: ExecutionKind): { reader: ExecutionReader; workflows: WorkflowService };
}

/** Characters of one piece of the stream, or a single row. */
const PIECE = 65_536;

/**
 * Everything that is known of a run and of its children, as one document of the shape `RunExport`: written piece by piece, as
 * fast as it is read, for it has no bound. The run and its children are looked up before the first piece.
 * @throws OvenError NOT_FOUND, DETAILS_REMOVED
 */
export async function exportRun(
  deps: RunExportDeps,
  principal: Principal,
  id: number,
): Promise<ReadableStream<Uint8Array>> {
  const family = await familyOf(deps.db, deps.kinds.all(), id);
  for (const member of family) await requireRecorded(deps, principal, member);
  const pieces = writeExport(deps, principal, family);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { value, done } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => {
        await pieces.return();
      },
    },
    { highWaterMark: 1 },
  );
}

async function requireRecorded({ store, of }: RunExportDeps, principal: Principal, id: number): Promise<void> {
  const record = await store.read(id);
  if (record === undefined) throw notFound("execution", id);
  requireDetails(await of(record.kind).reader.row(principal, id));
}

async function* writeExport(
  deps: RunExportDeps,
  principal: Principal,
  family: readonly number[],
): AsyncGenerator<string, void> {
  const head: Omit<RunExport, "runs"> = { format: "oven-run", formatVersion: 1, exportedAt: new Date().toISOString() };
  yield `${open(head)},"runs":[`;
  for (const [index, member] of family.entries()) {
    if (index > 0) yield ",";
    yield* writeRun(deps, principal, member);
  }
  yield "]}";
}

async function* writeRun(deps: RunExportDeps, principal: Principal, id: number): AsyncGenerator<string, void> {
  const { store, reviews, db } = deps;
  const record = await store.read(id);
  if (record === undefined) throw notFound("execution", id);
  const { reader, workflows } = deps.of(record.kind);
  const { execution, nodes } = await reader.inParts(principal, id);
  const { nodes: _, ...shown } = execution;
  yield `{"execution":${open(shown)},"nodes":[`;
  yield* writeRows(nodes, (node) => node);
  yield "]}";
  const pinned = await workflows.pinned(record.workflowId, record.workflowVersion);
  const workflow: RecordedRun["workflow"] = {
    slug: execution.workflowSlug,
    name: pinned.name,
    version: record.workflowVersion,
    contentHash: pinned.version.contentHash,
    definition: pinned.definition,
  };
  yield `,"workflow":${JSON.stringify(workflow)},"log":[`;
  yield* writeRows(readLogParts(db, id, record.seq), toLogEntry);
  const signals = (await readSignals(db, id)).map(({ id: signal, type, data }): RecordedRun["signals"][number] => ({
    id: signal,
    type,
    data: data as unknown as JsonObject, // cast: signal data is JSON
  }));
  yield `],"signals":${JSON.stringify(signals)},"reviews":${JSON.stringify(await reviewsOf(reviews, principal, id))}}`;
}

function toLogEntry({ patch, ...entry }: HistoryEntry): RecordedRun["log"][number] {
  return { ...entry, patch: patch as RecordedRun["log"][number]["patch"] }; // cast: ops are JSON
}

/** The items of an array, with commas between them. */
async function* writeRows<Row>(
  parts: AsyncIterable<readonly Row[]>,
  toItem: (row: Row) => object,
): AsyncGenerator<string, void> {
  let separator = "";
  for await (const part of parts) {
    const pieces: string[] = [""];
    await inSlices(part, (row) => {
      const text = `${separator}${JSON.stringify(toItem(row))}`;
      separator = ",";
      const last = pieces.length - 1;
      if ((pieces[last] ?? "").length > PIECE) pieces.push(text);
      else pieces[last] += text;
      return true;
    });
    yield* pieces.filter((piece) => piece !== "");
  }
}

/** An object that goes on. */
function open(object: object): string {
  return JSON.stringify(object).slice(0, -1);
}

async function reviewsOf(reviews: ReviewService, principal: Principal, executionId: number): Promise<Review[]> {
  const sort = { field: "id", order: "ASC" as const };
  const { rows } = await reviews.list(principal, { sort, range: { first: 0, last: 999 }, filter: { executionId } });
  return rows;
}
