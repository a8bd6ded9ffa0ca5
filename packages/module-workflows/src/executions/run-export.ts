import {
  type ExecutionKind,
  type JsonObject,
  notFound,
  type Principal,
  type RecordedRun,
  type Review,
  type RunExport,
} from "@oven/contract";
import type { Database } from "@oven/db";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import { requireDetails } from "../retention/removed-details.ts";
import type { ReviewService } from "../reviews/review-service.ts";
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

/** Everything that is known of a run and of its children, as one document. @throws OvenError NOT_FOUND */
export async function exportRun(deps: RunExportDeps, principal: Principal, id: number): Promise<RunExport> {
  const family = await familyOf(deps.db, deps.kinds.all(), id);
  const runs: RecordedRun[] = [];
  for (const member of family) runs.push(await recordedRun(deps, principal, member));
  return { format: "oven-run", formatVersion: 1, exportedAt: new Date().toISOString(), runs };
}

async function recordedRun(deps: RunExportDeps, principal: Principal, id: number): Promise<RecordedRun> {
  const { store, reviews } = deps;
  const record = await store.read(id);
  if (record === undefined) throw notFound("execution", id);
  const { reader, workflows } = deps.of(record.kind);
  requireDetails(await reader.row(principal, id));
  const execution = await reader.get(principal, id);
  const { entries, signals } = await store.history(id, record.seq);
  const pinned = await workflows.pinned(record.workflowId, record.workflowVersion);
  return {
    execution,
    workflow: {
      slug: execution.workflowSlug,
      name: pinned.name,
      version: record.workflowVersion,
      contentHash: pinned.version.contentHash,
      definition: pinned.definition,
    },
    log: entries.map(({ patch, ...entry }) => ({ ...entry, patch: patch as RecordedRun["log"][number]["patch"] })), // cast: ops are JSON
    signals: signals.map(({ id: signal, type, data }) => ({ id: signal, type, data: data as unknown as JsonObject })), // cast: signal data is JSON
    reviews: await reviewsOf(reviews, principal, id),
  };
}

async function reviewsOf(reviews: ReviewService, principal: Principal, executionId: number): Promise<Review[]> {
  const sort = { field: "id", order: "ASC" as const };
  const { rows } = await reviews.list(principal, { sort, range: { first: 0, last: 999 }, filter: { executionId } });
  return rows;
}
