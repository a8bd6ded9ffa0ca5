import { type Json, type JsonObject, OvenError, type Principal } from "@oven/contract";
import type { RunOptions } from "@oven/contract/run";
import { TEST_RUN } from "@oven/contract/workflow";
import type { Queryable } from "@oven/db";
import { hashJson } from "@oven/engine";
import type { RunKind } from "../runtime/run-kinds.ts";

/** A request that carries an idempotency key. Requests with the same key and the same content get the same run for 24 hours. */
export interface KeyedRequest {
  key: string;
  principal: Principal;
  workflowId: number;
  triggerEvent: string | undefined;
  input: JsonObject;
  options: RunOptions | null;
}

const MAX_LENGTH = 200;

/** @throws OvenError INVALID_REQUEST */
export function requireValidKey(key: string | undefined): void {
  if (key === undefined || (key !== "" && key.length <= MAX_LENGTH)) return;
  throw new OvenError("INVALID_REQUEST", `Idempotency-Key must have 1 to ${MAX_LENGTH} characters`, {
    path: "$headers.idempotency-key",
  });
}

/**
 * The run that an earlier request with this key has started. Waits for a request with the same key that is being accepted.
 * @throws OvenError IDEMPOTENCY_KEY_REUSED 409 when that request had other content
 */
export async function findEarlierRun(tx: Queryable, kind: RunKind, request: KeyedRequest): Promise<number | undefined> {
  const { tenantId } = request.principal;
  const scope = scopeOf(kind, request);
  await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`${tenantId}:${scope}:${request.key}`]);
  const [row] = await tx.query<{ execution_id: number; body_hash: string }>(
    `select execution_id, body_hash from idempotency_keys
     where tenant_id = $1 and scope = $2 and key = $3 and created_at > now() - interval '24 hours'`,
    [tenantId, scope, request.key],
  );
  if (row === undefined) return undefined;
  if (row.body_hash === hashOf(request)) return row.execution_id;
  throw new OvenError("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used with another body", {
    status: 409,
    fix: "Use a new key for a new request.",
    details: { executionId: row.execution_id },
  });
}

export async function rememberKey(tx: Queryable, kind: RunKind, request: KeyedRequest, id: number): Promise<void> {
  await tx.query(
    `insert into idempotency_keys (tenant_id, scope, key, body_hash, execution_id) values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, scope, key) do update set body_hash = excluded.body_hash, execution_id = excluded.execution_id, created_at = now()`,
    [request.principal.tenantId, scopeOf(kind, request), request.key, hashOf(request), id],
  );
}

/** A key belongs to its sender and to the workflow, or the workflow's draft, that it was used on. */
function scopeOf(kind: RunKind, { principal, workflowId, triggerEvent }: KeyedRequest): string {
  const action = triggerEvent === TEST_RUN ? "draft/execute" : "execute";
  return `${kind.kind.resource}/${workflowId}/${action} by ${principal.kind}:${principal.keyId ?? principal.userId}`;
}

/** Hash of everything in the request that decides what the run does. */
function hashOf({ input, options }: KeyedRequest): string {
  return hashJson({ input, options: options as Json }); // cast: options are JSON
}
