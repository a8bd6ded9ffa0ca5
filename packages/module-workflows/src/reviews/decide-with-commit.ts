import { type Json, mayUseWorkflow, type Principal, SHARED_TENANT, SYSTEM_PRINCIPAL } from "@oven/contract";
import type { Decision } from "@oven/contract/review";
import type { ExecutionKind } from "@oven/contract/run";
import { type Database, type NamedQuery, type PreparedCall, withinTenant } from "@oven/db";
import { getTableColumns } from "@oven/db/drizzle";
import type { RunSignal } from "@oven/engine";
import { type ClaimAnswers, ENDED, lookStatements } from "../runtime/claim-statements.ts";
import type { Lease } from "../runtime/insert-execution.ts";
import { namesOf, type RunKind, type RunKinds } from "../runtime/run-kinds.ts";
import type { CachedClaim } from "../runtime/sql-store.ts";
import { NO_ID } from "../runtime/warm-up.ts";
import type { Reservation } from "../runtime/worker-host.ts";
import { reviews } from "../tables/shared-run-tables.ts";
import { asDecided, type Judged, judge, requireMayVote } from "./cast-vote.ts";
import type { DecideDeps, Decided } from "./decide.ts";
import type { ReviewRow } from "./review-row.ts";
import { needsVotes, type Person, personQuery, policyOf, toReviewer } from "./reviewer.ts";

interface Deps extends Omit<DecideDeps, "wake" | "events"> {
  /** Takes a free place of this process's worker; undefined when it has none. */
  reserve(): Reservation | undefined;
}

/**
 * As `decideReview`, written in one transaction with the run's next commit. Halves the time from a decision to the next step;
 * docs/decisions/0039 has the measurement.
 * @returns undefined when this is not possible: several people must agree, a worker holds the run, or something has changed. Nothing was
 * written, and `decideReview` gives the reason of a refusal
 */
export async function decideWithCommit(
  deps: Deps,
  principal: Principal,
  id: number,
  decision: Decision,
): Promise<Decided | undefined> {
  // A run cannot continue from a decision that the caller's transaction has not committed.
  const reservation = deps.db.isJoint ? undefined : deps.reserve();
  if (reservation === undefined) return undefined;
  let written: Promise<boolean> | undefined;
  try {
    const prepared = await prepareDecision(deps, principal, id, decision, reservation.lease);
    if (prepared === undefined) return undefined;
    const { executionId, taken, call } = prepared;
    written = deps.store.cacheClaimWith(executionId, taken, call);
    if (written === undefined) return undefined;
    reservation.begin(executionId);
    return (await written) ? prepared : undefined;
  } finally {
    if (written === undefined) reservation.cancel();
  }
}

/** A decision that is not written yet, with its run as it will be afterwards. */
interface PreparedDecision extends Decided {
  executionId: number;
  taken: CachedClaim;
  /** Writes the decision and claims the run, both or neither; returns a row on success. */
  call: PreparedCall;
}

/** Reads a review and its waiting run in one round trip, without a lock, and prepares the decision. @returns undefined as `decideWithCommit` */
export async function prepareDecision(
  { db, kinds }: { db: Database; kinds: RunKinds },
  principal: Principal,
  reviewId: number,
  decision: Decision,
  lease: Lease,
): Promise<PreparedDecision | undefined> {
  const known = kinds.behindReview(reviewId) ?? (await lookUp(db, kinds, principal, reviewId));
  if (known === undefined) return undefined;
  const { executionId, kind } = known;
  const [found, ...answers] = await db.queries([
    reviewStatement(principal, reviewId),
    ...lookStatements(namesOf(kind), executionId).map((statement) => ({ ...statement, isSystem: true })),
  ]);
  // cast: each answers what it selects
  const [review] = (found ?? []) as ReviewToDecide[];
  const [[run], log, rows, signals] = answers as ClaimAnswers;
  if (review === undefined || run === undefined || needsVotes(policyOf(review))) return undefined;
  // cast: only the store writes it
  if (!mayUseWorkflow(principal, review.executionKind as ExecutionKind, review.workflowId)) return undefined;
  const { person, signalId } = review;
  const reviewer = toReviewer(principal, person ?? undefined);
  requireMayVote(review, reviewer);
  const judged = judge(review, reviewer, decision);
  const signal = toSignal(signalId, review, judged);
  const taken: CachedClaim = {
    kind,
    answers: [[{ ...run, epoch: epochBy(signalId), signalled: true }], log, rows, [...signals, signal]],
  };
  const call = decisionCall(kind, { review, judged, signal, lease, executionId, epoch: run.epoch, seq: run.seq });
  return { executionId, taken, call, review: asDecided(review, judged.decided), reviewer };
}

/** Sends the statements of a decision for a review and run that do not exist, to prepare them. */
export async function warmUpDecisions({ db, kinds }: { db: Database; kinds: RunKinds }): Promise<void> {
  const reading = async () => {
    await lookUp(db, kinds, SYSTEM_PRINCIPAL, NO_ID);
    for (const kind of kinds.all()) {
      const looks = lookStatements(namesOf(kind), NO_ID).map((statement) => ({ ...statement, isSystem: true }));
      await db.queries([reviewStatement(SYSTEM_PRINCIPAL, NO_ID), ...looks]);
    }
  };
  // Each connection prepares its own statements.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => withinTenant(SHARED_TENANT, reading)));
  const decision = { action: "approve", data: null, reason: null, reviewer: null, decidedAt: new Date().toISOString() };
  const vote = { tenantId: SHARED_TENANT, reviewId: NO_ID, round: 0, action: "approve", reason: null, digest: "" };
  for (const kind of kinds.all()) {
    const call = decisionCall(kind, {
      review: { id: NO_ID, rowVersion: "0" },
      judged: { vote, decided: { ...decision, digest: "" }, proposal: null },
      signal: { id: NO_ID, data: null },
      lease: { worker: "warm-up", milliseconds: 0 },
      executionId: NO_ID,
      epoch: 0,
      seq: 0,
    });
    await db.batch([call]);
  }
}

async function lookUp(db: Database, kinds: RunKinds, { tenantId }: Principal, id: number) {
  const [row] = await db.query<{ executionId: number; executionKind: string }>(
    `select execution_id as "executionId", execution_kind as "executionKind" from reviews where id = $1 and tenant_id in ($2, ${SHARED_TENANT})`,
    [id, tenantId],
    "run-of-review",
  );
  if (row === undefined) return undefined;
  kinds.noteReview({ id, ...row });
  return kinds.behindReview(id);
}

/** The default number of connections of a process. */
const CONNECTIONS = 10;

/** Larger than the number of claims that may raise the epoch while one decision is on its way. */
const BETWEEN_EPOCHS = 1_024;
const MAX_EPOCH = 2 ** 31 - BETWEEN_EPOCHS;

/** An epoch for this decision that no concurrent decision or claim can give the run, so no other commit is taken for one of this claim. */
function epochBy(signalId: number): number {
  return BETWEEN_EPOCHS + ((signalId * BETWEEN_EPOCHS) % (MAX_EPOCH - BETWEEN_EPOCHS));
}

/** The same checks as in the transaction that decides under a lock. */
type ReviewToDecide = ReviewRow & {
  rowVersion: string;
  /** The caller as a person. */
  person: Person | null;
  /** That the decision's message will have. */
  signalId: number;
};

const COLUMNS = Object.entries(getTableColumns(reviews))
  .map(([key, { name }]) => `${name} as "${key}"`)
  .join(", ");

function reviewStatement({ tenantId, userId }: Principal, id: number): NamedQuery {
  return {
    sql: `select ${COLUMNS}, xmin::text as "rowVersion", nextval(pg_get_serial_sequence('run_signals', 'id')) as "signalId",
        (select row_to_json(p) from (${personQuery("$3", "$2")}) as p) as person
      from reviews where id = $1 and tenant_id in ($2, ${SHARED_TENANT})`,
    params: [id, tenantId, userId],
    name: "review-to-decide",
  };
}

function toSignal(id: number, { id: reviewId, nodeId, visit, item }: ReviewRow, { decided }: Judged): RunSignal {
  const data = { reviewId, nodeId, visit, item, ...decided };
  // In the form in which a replay of the run reads it.
  return { id, type: "decision", data: JSON.parse(JSON.stringify(data)) };
}

interface Deciding {
  review: Pick<ReviewToDecide, "id" | "rowVersion">;
  judged: Judged;
  signal: { id: number; data: unknown };
  lease: Lease;
  executionId: number;
  epoch: number;
  seq: number;
}

/** Does not wait for locks of the review or the run: it returns no row then. */
function decisionCall(kind: RunKind, deciding: Deciding): PreparedCall {
  const { review, judged, signal, lease, executionId, epoch, seq } = deciding;
  const { action, data, reason, reviewer, decidedAt } = judged.decided;
  const { executions, held } = namesOf(kind);
  const json = (value: Json) => JSON.stringify(value);
  return {
    name: `decide-with-commit-${executions}`,
    sql: `with f as (
        select r.id as review_id, r.tenant_id, e.id as execution_id from reviews r join ${executions} e on e.id = r.execution_id
        where r.id = $1 and r.status = 'open' and r.xmin::text = $2 and e.id = $3 and e.epoch = $4 and e.seq = $5
          and e.lease_owner is null and e.status not in ${ENDED} and not ${held} for update of r, e skip locked),
      e as (update ${executions} as run set epoch = $17, lease_owner = $6, lease_until = now() + make_interval(secs => $7::float / 1000)
        from f where run.id = f.execution_id returning run.id),
      r as (update reviews set status = 'decided', action = $8, data = $9::json, reason = $10, decided_by = $11, decided_at = $12
        from f where reviews.id = f.review_id),
      v as (insert into review_votes (tenant_id, review_id, round, user_id, action, reason, digest)
        select f.tenant_id, f.review_id, $13, $11::bigint, $8, $10, $14 from f where $11::bigint is not null),
      s as (insert into run_signals (id, execution_id, tenant_id, type, data, dedupe_key) overriding system value
        select $15, f.execution_id, f.tenant_id, 'decision', $16::json, 'review:' || f.review_id from f)
      select id from e`,
    params: [
      review.id,
      review.rowVersion,
      executionId,
      epoch,
      seq,
      lease.worker,
      lease.milliseconds,
      action,
      json(data),
      reason,
      reviewer,
      decidedAt,
      judged.vote.round,
      judged.vote.digest,
      signal.id,
      JSON.stringify(signal.data),
      epochBy(signal.id),
    ],
  };
}
