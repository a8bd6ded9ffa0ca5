import {
  type Json,
  type JsonObject,
  OvenError,
  type Principal,
  type RunAgent,
  type RunOptions,
  TEST_RUN,
  type Workflow,
} from "@oven/contract";
import type { Database, Queryable } from "@oven/db";
import { hashJson, type NewExecution } from "@oven/engine";
import { isTooDeep } from "@oven/module-registry";
import type { StartLimits } from "../limits/run-limits.ts";
import type { StartRateLimiter } from "../limits/start-limits.ts";
import { type FirstLease, insertExecution, type LeasedRun, toLeasedRun } from "../runtime/insert-execution.ts";
import { runInsertStatement } from "../runtime/run-insert-statement.ts";
import type { RunKind } from "../runtime/run-kinds.ts";
import { checkPayload } from "./check-payload.ts";

export interface StartRequest {
  workflow: Workflow;
  input: JsonObject;
  principal: Principal;
  idempotencyKey?: string | undefined;
  triggerEvent?: string | undefined;
  pinnedCalls?: Record<string, number> | null;
  options?: RunOptions | null;
  agent?: RunAgent | null;
  sessionId?: number | "own" | null;
  /** Higher goes first. */
  priority?: number | undefined;
  limits: StartLimits;
  /** Its number. */
  id: number;
  /** Who begins it at once, without asking for it. */
  lease?: Omit<FirstLease, "workflow" | "id"> | undefined;
}

/** `replayed`: an earlier request with the same key started it. */
export interface StartedRun {
  id: number;
  replayed: boolean;
}

/** `leased`: it belongs to the lease that was asked for; `isWritten` false: its first step is to be written with it. */
interface AcceptedRun extends StartedRun {
  leased?: LeasedRun;
  isWritten: boolean;
}

/**
 * Accepts a run: checks the payload, inserts it pending, and remembers the key, in one transaction.
 * @throws OvenError WORKFLOW_DISABLED 409, INVALID_INPUT 400, IDEMPOTENCY_KEY_REUSED 409, TOO_MANY_RUNS 429
 */
export async function startRun(
  db: Database,
  kind: RunKind,
  startLimiter: StartRateLimiter,
  request: StartRequest,
): Promise<AcceptedRun> {
  const { workflow, input, idempotencyKey } = request;
  if (idempotencyKey !== undefined && (idempotencyKey === "" || idempotencyKey.length > 200)) {
    throw new OvenError("INVALID_REQUEST", "Idempotency-Key must have 1 to 200 characters", {
      path: "$headers.idempotency-key",
    });
  }
  // Not every way in has a body limit of its own: MCP clients send arguments, graphs compute inputs.
  if (isTooDeep(input)) {
    throw new OvenError("INVALID_INPUT", "The input is nested too deeply", { path: "$.input", fix: "Flatten it." });
  }
  // What is one statement needs no other transaction than its own.
  const isOne = idempotencyKey === undefined && request.limits.perMinute === undefined && request.sessionId !== "own";
  const accept = async (tx: Queryable): Promise<AcceptedRun> => {
    const earlier = idempotencyKey === undefined ? undefined : await findEarlier(tx, kind, request, idempotencyKey);
    if (earlier !== undefined) return { id: earlier, replayed: true, isWritten: true };
    requireEnabled(workflow);
    checkPayload(workflow.name, workflow.definition, input);
    const { tenantId } = request.principal;
    const scope = { kind: kind.kind.kind, tenantId, workflowId: workflow.id };
    const checking = startLimiter.check(tx, kind, scope, request.limits);
    // The rate limit counts existing runs, so it is checked before the insert. In a transaction the other checks go out with the insert.
    if (isOne || request.limits.perMinute !== undefined) await checking;
    const run: NewExecution = {
      kind: kind.kind.kind,
      workflowId: workflow.id,
      workflowVersion: workflow.version,
      tenantId,
      input,
      principal: request.principal,
      triggerEvent: request.triggerEvent ?? null,
      pinnedCalls: request.pinnedCalls ?? null,
      options: request.options ?? null,
      agent: request.agent ?? null,
      sessionId: request.sessionId ?? null,
      priority: request.priority ?? 0,
    };
    const leased = toLeased(kind, run, request);
    if (isOne && leased !== undefined) return { id: leased.row.id, leased, replayed: false, isWritten: false };
    const { id } = request;
    await Promise.all([checking, leased === undefined ? insertExecution(tx, kind, run, id) : write(tx, leased)]);
    if (idempotencyKey !== undefined) await rememberKey(tx, kind, request, idempotencyKey, id);
    return { id, replayed: false, isWritten: true, ...(leased === undefined ? {} : { leased }) };
  };
  return isOne ? accept(db) : db.transaction(accept);
}

/** A rate goes by the database's clock. */
function toLeased(
  kind: RunKind,
  run: NewExecution,
  { id, lease, workflow, limits }: StartRequest,
): LeasedRun | undefined {
  const { sessionId } = run;
  if (lease === undefined || sessionId === "own" || limits.perMinute !== undefined) return undefined;
  return toLeasedRun(kind, { ...run, sessionId }, { ...lease, id, workflow });
}

async function write(tx: Queryable, { runInsert }: LeasedRun): Promise<void> {
  const { sql, params, name } = runInsertStatement(runInsert);
  await tx.query(sql, params, name);
}

/** @throws OvenError WORKFLOW_DISABLED 409 */
export function requireEnabled({ enabled, name }: Pick<Workflow, "enabled" | "name">): void {
  if (enabled) return;
  throw new OvenError("WORKFLOW_DISABLED", `${name} is disabled`, { status: 409, fix: "Enable it first." });
}

async function findEarlier(
  tx: Queryable,
  kind: RunKind,
  request: StartRequest,
  key: string,
): Promise<number | undefined> {
  const scope = scopeOf(kind, request);
  // Two requests with one key at once: the second waits here for the first.
  await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `${request.principal.tenantId}:${scope}:${key}`,
  ]);
  const [row] = await tx.query<{ execution_id: number; body_hash: string }>(
    `select execution_id, body_hash from idempotency_keys
     where tenant_id = $1 and scope = $2 and key = $3 and created_at > now() - interval '24 hours'`,
    [request.principal.tenantId, scope, key],
  );
  if (row === undefined) return undefined;
  if (row.body_hash === hashOf(request)) return row.execution_id;
  throw new OvenError("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used with another body", {
    status: 409,
    fix: "Use a new key for a new request.",
    details: { executionId: row.execution_id },
  });
}

async function rememberKey(
  tx: Queryable,
  kind: RunKind,
  request: StartRequest,
  key: string,
  executionId: number,
): Promise<void> {
  await tx.query(
    `insert into idempotency_keys (tenant_id, scope, key, body_hash, execution_id) values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, scope, key) do update set body_hash = excluded.body_hash, execution_id = excluded.execution_id, created_at = now()`,
    [request.principal.tenantId, scopeOf(kind, request), key, hashOf(request), executionId],
  );
}

/** A key belongs to its sender and to the workflow, or the workflow's draft, it was used on. */
function scopeOf(kind: RunKind, { principal, workflow, triggerEvent }: StartRequest): string {
  const what = triggerEvent === TEST_RUN ? "draft/execute" : "execute";
  return `${kind.kind.resource}/${workflow.id}/${what} by ${principal.kind}:${principal.keyId ?? principal.userId}`;
}

/** Of all that decides what the run does. */
function hashOf({ input, options = null }: StartRequest): string {
  return hashJson({ input, options: options as Json }); // cast: options are JSON
}
