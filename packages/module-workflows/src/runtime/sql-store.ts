import { type Json, OvenError, requestersOf } from "@oven/contract";
import { type ExecutionStatus, type ExecutionSummary, isTerminal } from "@oven/contract/run";
import type { Database, PreparedCall, Queryable } from "@oven/db";
import type {
  ClaimedRun,
  ExecutionStore,
  Heartbeat,
  Ids,
  LoadedRun,
  LogEntry,
  NewExecution,
  NewSignal,
  RunCommit,
  RunEventDraft,
  RunHistory,
  RunRecord,
  RunSignal,
  StoredDecision,
} from "@oven/engine";
import { nextTurn, seedOf } from "@oven/engine";
import type { EventService } from "@oven/module-registry";
import { toEndedSummary } from "../executions/ended-summary.ts";
import {
  type ClaimAnswers,
  claimStatements,
  ENDED,
  type LogRow,
  OPEN_SIGNALS,
  readLog,
  readOpenRows,
  SIGNALLED,
} from "./claim-statements.ts";
import { inOrder, type RunOwner, reviewEvents, toEvent, toNodePayload, toUnwritten } from "./commit-events.ts";
import { CommitGroup, toWrite, type Write } from "./commit-group.ts";
import { appendStatement, type CommitExtras, type OutgoingEvent, writtenColumns } from "./commit-statement.ts";
import { insertExecution, type LeasedRun } from "./insert-execution.ts";
import { NewRuns } from "./new-runs.ts";
import { readHistory } from "./read-history.ts";
import type { RunRow } from "./run-columns.ts";
import { namesOf, type RunKind, type RunKinds, stuckCondition } from "./run-kinds.ts";
import { RunNumbers } from "./run-numbers.ts";
import { type NodeRow, toRecord, toStoredRow } from "./run-row.ts";

/** Rows of a log that are read at once. */
const LOG_PART = 500;

/** What observers learn about a commit. */
interface Written {
  /** Whether it has domain events with listeners. */
  outbox: boolean;
  /** The status of the run after a commit that moved it. */
  status?: ExecutionStatus;
  /** The run as it ended, where it is known without reading it, and not large. */
  ended?: ExecutionSummary | undefined;
}

/** Is notified of commits. Node events are in the run's log already; domain events for them are made only where they have listeners. */
export interface StoreObserver extends Pick<EventService, "hasListeners" | "hasMatchingListener"> {
  onWritten(executionId: number, wrote: Written): void;
}

/** The engine's store on PostgreSQL or PGlite: one commit is one statement, guarded by epoch and sequence. */
export class SqlStore implements ExecutionStore, Ids {
  readonly #db: Database;
  readonly #kinds: RunKinds;
  readonly #owners = new Map<number, RunOwner>();
  readonly #observer: StoreObserver;
  readonly #commits: CommitGroup;
  readonly #newRuns: NewRuns;
  readonly #numbers = new RunNumbers((count) => this.#nextExecutions(count));
  /** Claims that were made in other statements, until the engine claims their runs here. */
  readonly #handed = new Map<number, CachedClaim>();

  constructor(db: Database, kinds: RunKinds, observer: StoreObserver) {
    this.#db = db;
    this.#kinds = kinds;
    this.#observer = observer;
    this.#commits = new CommitGroup(db);
    this.#newRuns = new NewRuns((write) => this.#commits.submit(write));
  }

  async review(): Promise<number> {
    const [row] = await this.#db.query<{ id: number }>("select nextval('oven_review_id') as id", [], "next-review");
    return Number(row?.id);
  }

  executions(count: number): Promise<number[]> {
    return this.#numbers.take(count);
  }

  async #nextExecutions(count: number): Promise<number[]> {
    const rows = await this.#db.query<{ id: number }>(
      "select nextval('oven_execution_id') as id from generate_series(1, $1)",
      [count],
      "next-executions",
    );
    return rows.map(({ id }) => Number(id));
  }

  async create(execution: NewExecution): Promise<number> {
    const kind = this.#kinds.get(execution.kind);
    const [id = 0] = await this.executions(1);
    await insertExecution(this.#db, kind, execution, id);
    this.#kinds.remember(id, execution.kind);
    return id;
  }

  /** Remembers a run that was inserted with a lease: the first claim gets it without asking the database. */
  registerLease(run: LeasedRun): void {
    this.#newRuns.registerLease(run);
  }

  /**
   * As `registerLease`, for a run that is not inserted yet. Resolves when its first commit, or `ensureWritten`, has inserted it.
   * @returns false: one of its row versions had changed, and nothing was written
   */
  deferInsert(run: LeasedRun): Promise<boolean> {
    return this.#newRuns.deferInsert(run);
  }

  /**
   * Remembers the claim that `call` makes. `call` is deferred: it goes out with the run's next commit, or with `ensureWritten`.
   * @returns whether `call` returned a row; if not, the run was not claimed. undefined: this process works on the run already
   */
  cacheClaimWith(executionId: number, taken: CachedClaim, call: PreparedCall): Promise<boolean> | undefined {
    const isTaken = this.#handed.has(executionId) || this.#newRuns.isUnwritten(executionId);
    if (isTaken || this.#owners.has(executionId)) return undefined;
    this.cacheClaim(executionId, taken);
    const forget = () => {
      if (this.#handed.get(executionId) === taken) this.#handed.delete(executionId);
    };
    return this.#newRuns.defer(executionId, { toCall: () => call }).then(
      (applied) => {
        if (!applied) forget();
        return applied;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
  }

  /** Sends deferred writes of a run that made no commit. */
  ensureWritten(executionId: number): Promise<void> {
    return this.#newRuns.write(executionId);
  }

  async claim(executionId: number, worker: string, leaseMs: number): Promise<ClaimedRun | undefined> {
    const newRun = this.#newRuns.take(executionId);
    if (newRun !== undefined) return this.#hold(newRun.row, newRun.kind, newRun);
    const handed = this.#handed.get(executionId);
    this.#handed.delete(executionId);
    if (handed !== undefined) return this.#take(handed);
    // A wake-up may outlive its run.
    const kind = await this.#kinds.find(this.#db, executionId);
    if (kind === undefined) return undefined;
    const statements = claimStatements(namesOf(kind), { executionId, worker, milliseconds: leaseMs });
    const answers = await this.#db.queries(statements);
    return this.#take({ kind, answers: answers as ClaimAnswers }); // cast: each answers what it selects
  }

  async #take({ kind, answers }: CachedClaim): Promise<ClaimedRun | undefined> {
    const [[row], entries, rows, signals] = answers;
    if (row === undefined) return undefined;
    const record = this.#hold(row, kind);
    // A run that has not begun has no log to read.
    if (row.seq === 0) return record;
    return { ...record, found: { run: await this.#toLoaded(row.id, namesOf(kind).nodes, entries, rows), signals } };
  }

  /** Remembers a claim that another statement makes: the next claim of the run gets it without asking the database. */
  cacheClaim(executionId: number, taken: CachedClaim): void {
    this.#handed.set(executionId, taken);
  }

  #hold(row: RunRow, kind: RunKind, newRun?: LeasedRun): RunRecord {
    const { id, tenantId, workflowId, workflowName, agentId, parentId, triggerEvent, principal } = row;
    const owner = { kind, tenantId, workflowId, workflowName, agentId, parentId, triggerEvent, principal };
    this.#owners.set(id, { ...owner, written: undefined, newRun });
    return toRecord(row, kind.kind.kind);
  }

  async read(executionId: number): Promise<RunRecord | undefined> {
    const kind = await this.#kinds.find(this.#db, executionId);
    if (kind === undefined) return undefined;
    const { executions, claimed } = namesOf(kind);
    const [row] = await this.#db.query<RunRow>(
      `select false as "takenOver", false as signalled, '' as "workflowName", ${claimed} from ${executions} e where id = $1`,
      [executionId],
      `read-${executions}`,
    );
    return row && toRecord(row, kind.kind.kind);
  }

  async history(executionId: number, untilSeq: number): Promise<RunHistory> {
    const { nodes } = namesOf((await this.#owner(executionId)).kind);
    return readHistory(this.#db, nodes, executionId, untilSeq);
  }

  async load(executionId: number, afterSeq: number): Promise<LoadedRun> {
    const { nodes } = namesOf((await this.#owner(executionId)).kind);
    const [entries, rows] = await Promise.all([
      this.#readLog(executionId, afterSeq),
      this.#db.query<NodeRow>(readOpenRows(nodes), [executionId], `load-rows-${nodes}`),
    ]);
    return this.#toLoaded(executionId, nodes, entries, rows);
  }

  /** Reads in parts, because parsing one long answer would block the event loop. */
  async #readLog(executionId: number, afterSeq: number): Promise<LogRow[]> {
    const entries: LogRow[] = [];
    for (let after = afterSeq; ; ) {
      const part = await this.#db.query<LogRow>(readLog("$2", LOG_PART), [executionId, after], "load-log");
      entries.push(...part);
      const last = part.at(-1);
      if (last === undefined || part.length < LOG_PART) return entries;
      after = last.seq;
      await nextTurn();
    }
  }

  async #toLoaded(
    executionId: number,
    nodes: string,
    entries: readonly LogRow[],
    rows: readonly NodeRow[],
  ): Promise<LoadedRun> {
    const log = entries.flatMap(({ seq, patch }): LogEntry[] => (patch === null ? [] : [{ seq, ops: patch }]));
    const wanted = log.flatMap(({ ops }) => ops.filter((op) => op.op === "output"));
    return {
      log,
      outputs: wanted.length === 0 ? [] : await this.#readOutputs(executionId, nodes, wanted),
      rows: rows.map(toStoredRow),
      seed: entries[0]?.seq === 1 ? seedOf(entries[0].cause) : null,
    };
  }

  async #readOutputs(
    executionId: number,
    nodes: string,
    all: readonly { nodeId: string; visit: number }[],
  ): Promise<LoadedRun["outputs"]> {
    const outputs: LoadedRun["outputs"] = [];
    for (let first = 0; first < all.length; first += LOG_PART) {
      if (first > 0) await nextTurn();
      outputs.push(...(await this.#readOutputPart(executionId, nodes, all.slice(first, first + LOG_PART))));
    }
    return outputs;
  }

  async #readOutputPart(
    executionId: number,
    nodes: string,
    wanted: readonly { nodeId: string; visit: number }[],
  ): Promise<LoadedRun["outputs"]> {
    const outputs = await this.#db.query<{ node_id: string; visit: number; output: Json }>(
      `select n.node_id, n.visit, n.output from ${nodes} n
       join unnest($2::text[], $3::int[]) as wanted(node_id, visit) on n.node_id = wanted.node_id and n.visit = wanted.visit
       where n.execution_id = $1 and n.item is null`,
      [executionId, wanted.map(({ nodeId }) => nodeId), wanted.map(({ visit }) => visit)],
      `load-outputs-${nodes}`,
    );
    return outputs.map(({ node_id, visit, output }) => ({ nodeId: node_id, visit, output }));
  }

  async commit(commit: RunCommit): Promise<boolean> {
    const owner = await this.#owner(commit.executionId);
    const extras: CommitExtras = {
      tenantId: owner.tenantId,
      kind: owner.kind.kind.kind,
      workflowId: owner.workflowId,
      workflowName: owner.workflowName,
      requestedBy: requestersOf(owner.principal)[0] ?? null,
      requesters: requestersOf(owner.principal),
      outbox: this.#toOutbox(commit, owner),
      namesOf: (kind) => namesOf(this.#kinds.get(kind)),
      before: owner.written,
      after: writtenColumns(commit),
    };
    owner.written = extras.after;
    // The insert is sent before the commit in one transaction: the run exists with its first step, or not at all.
    void this.#newRuns.write(commit.executionId);
    if (!(await this.#submit(toWrite(commit, namesOf(owner.kind), extras)))) {
      this.#owners.delete(commit.executionId);
      return false;
    }
    for (const { id, request } of commit.children) this.#kinds.remember(id, request.kind);
    const noted = { executionId: commit.executionId, executionKind: owner.kind.kind.kind };
    for (const { type, id } of commit.reviews) if (type === "open") this.#kinds.noteReview({ id, ...noted });
    if (isTerminal(commit.columns.status)) this.#owners.delete(commit.executionId);
    this.#observer.onWritten(commit.executionId, {
      outbox: extras.outbox.some(({ hasMatchingListener }) => hasMatchingListener),
      status: commit.columns.status,
      ended: toEnded(owner, commit.columns, extras.after.output),
    });
    return true;
  }

  #toOutbox(commit: RunCommit, owner: RunOwner): OutgoingEvent[] {
    const drafts = inOrder(commit.outbox, [...this.#takenNodeEvents(commit, owner), ...reviewEvents(commit)]);
    return drafts.map((draft) => {
      const event = toEvent(draft, commit.executionId, owner);
      return { ...event, hasMatchingListener: this.#observer.hasMatchingListener(toUnwritten(event, draft, owner)) };
    });
  }

  #takenNodeEvents(commit: RunCommit, { kind }: RunOwner): RunCommit["outbox"] {
    return commit.events
      .filter(
        ({ event }) => event.startsWith("node.") && this.#observer.hasListeners(`${kind.kind.namespace}.${event}`),
      )
      .map(({ event, fields }) => ({ name: event, custom: false, payload: toNodePayload(fields) }));
  }

  async appendEvents(executionId: number, epoch: number, seq: number, events: RunEventDraft[]): Promise<boolean> {
    const owner = await this.#owner(executionId);
    const { kind, tenantId, written } = owner;
    if (written?.epoch === epoch && written.seq === seq) owner.written = { ...written, seq: seq + events.length };
    const append = appendStatement({ executionId, epoch, seq, tenantId }, events, namesOf(kind).executions);
    if (!(await this.#submit({ executionId, toCall: () => append }))) return false;
    this.#observer.onWritten(executionId, { outbox: false });
    return true;
  }

  /** @throws OvenError COMMIT_REFUSED when the database will never take this commit, however often it is tried */
  async #submit(write: Write): Promise<boolean> {
    try {
      return await this.#commits.submit(write);
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new OvenError("COMMIT_REFUSED", `The database does not take what this step wrote: ${reason}`, {
        cause: error,
      });
    }
  }

  async heartbeat(executionId: number, epoch: number, leaseMs: number): Promise<Heartbeat> {
    if (this.#newRuns.isUnwritten(executionId)) return { held: true, signals: false, stops: false };
    const { executions, held } = namesOf((await this.#owner(executionId)).kind);
    const [row] = await this.#db.query<{ signals: boolean; stops: boolean }>(
      `update ${executions} as e set lease_until = now() + make_interval(secs => $3::float / 1000) where id = $1 and epoch = $2
       returning ${SIGNALLED} as signals, ${held} as stops`,
      [executionId, epoch, leaseMs],
      `heartbeat-${executions}`,
    );
    return { held: row !== undefined, signals: row?.signals === true, stops: row?.stops === true };
  }

  async release(executionId: number, epoch: number): Promise<boolean> {
    await this.#newRuns.write(executionId);
    const { executions } = namesOf((await this.#owner(executionId)).kind);
    const [row] = await this.#db.query<{ released: boolean; held: boolean }>(
      `with r as (
         update ${executions} set lease_owner = null, lease_until = null where id = $1 and epoch = $2
           and not ${SIGNALLED} returning id)
       select exists (select 1 from r) as released, exists (select 1 from ${executions} where id = $1 and epoch = $2) as held`,
      [executionId, epoch],
      `release-${executions}`,
    );
    // A lease that another worker holds by now is given up as well.
    if (row?.held === true && !row.released) return false;
    this.#owners.delete(executionId);
    return true;
  }

  async voidLeases(): Promise<void> {
    for (const kind of this.#kinds.all()) {
      // The owner stays, so that the next claim knows that calls in flight were lost.
      await this.#db.query(`update ${namesOf(kind).executions} set lease_until = null where lease_until is not null`);
    }
  }

  async signals(executionId: number): Promise<RunSignal[]> {
    await this.#newRuns.write(executionId);
    const rows = await this.#db.query(OPEN_SIGNALS, [executionId], "open-signals");
    return rows as unknown as RunSignal[]; // cast: type and data were written together by sendSignal
  }

  async sendSignal(executionId: number, signal: NewSignal, dedupeKey: string): Promise<boolean> {
    return this.sendWithin(this.#db, executionId, signal, dedupeKey);
  }

  async decide(reviewId: number, decision: StoredDecision): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const [review] = await tx.query<{ executionId: number; nodeId: string; visit: number; item: string | null }>(
        `select execution_id as "executionId", node_id as "nodeId", visit, item from reviews
         where id = $1 and status = 'open' for update`,
        [reviewId],
        "open-review",
      );
      if (review === undefined) return false;
      await this.decideWithin(tx, { id: reviewId, ...review }, decision);
      return true;
    });
  }

  /** Decides a review that the transaction has locked and found open, and signals its run. */
  async decideWithin(tx: Queryable, review: AskedReview, decision: StoredDecision): Promise<void> {
    const { id: reviewId, executionId, nodeId, visit, item } = review;
    const { action, data, reason, reviewer, decidedAt } = decision;
    const signal: NewSignal = { type: "decision", data: { reviewId, nodeId, visit, item, ...decision } };
    const { executions } = namesOf(await this.#kinds.of(tx, executionId));
    await Promise.all([
      tx.query(
        `update reviews set status = 'decided', action = $2, data = $3::json, reason = $4, decided_by = $5, decided_at = $6
         where id = $1`,
        [reviewId, action, JSON.stringify(data), reason, reviewer, decidedAt],
        "decide-review",
      ),
      insertSignal(tx, executions, executionId, signal, `review:${reviewId}`),
    ]);
  }

  /** As `sendSignal`, within a transaction. @returns false also when the run does not exist */
  async sendWithin(tx: Queryable, executionId: number, signal: NewSignal, dedupeKey: string): Promise<boolean> {
    const kind = await this.#kinds.find(tx, executionId);
    return kind !== undefined && insertSignal(tx, namesOf(kind).executions, executionId, signal, dedupeKey);
  }

  async dueRuns(now: string, limit: number): Promise<number[]> {
    return this.#ids(`wake_at is not null and wake_at <= $1 and status not in ${ENDED}`, "wake_at", [now], limit);
  }

  async nextDue(): Promise<string | null> {
    const selects = this.#kinds
      .all()
      .map((kind) => namesOf(kind))
      .map(
        ({ executions, held }) =>
          `select min(wake_at) as at from ${executions} e where wake_at is not null and not ${held}`,
      );
    const rows = await this.#db.query<{ at: Date | null }>(selects.join(" union all "));
    const instants = rows.flatMap(({ at }) => (at === null ? [] : [at.toISOString()])).sort();
    return instants[0] ?? null;
  }

  /**
   * Milliseconds until the first lease ends, among those that end within `milliseconds`; null when there is none. A working process renews
   * its leases long before, so such a lease belongs to a worker that is gone.
   */
  async leaseEndsIn(milliseconds: number): Promise<number | null> {
    const selects = this.#kinds.all().map(
      (kind) =>
        `select min(lease_until) - now() as "left" from ${namesOf(kind).executions} where status in ('pending', 'running', 'paused')
         and lease_until > now() and lease_until < now() + make_interval(secs => $1::float / 1000)`,
    );
    const [row] = await this.#db.query<{ left: number | null }>(
      `select (extract(epoch from min("left")) * 1000)::float8 as "left" from (${selects.join(" union all ")}) as ends`,
      [milliseconds],
      `lease-ends-${selects.length}`,
    );
    return row?.left ?? null;
  }

  async stuckRuns(now: string, limit: number): Promise<number[]> {
    return this.#ids(stuckCondition(this.#kinds.all(), "$1"), "id", [now], limit);
  }

  async #ids(condition: string, order: string, params: unknown[], limit: number): Promise<number[]> {
    const selects = this.#kinds
      .all()
      .map(
        (kind) =>
          `(select e.id from ${namesOf(kind).executions} e where ${condition} and not ${namesOf(kind).held} order by ${order} limit ${limit})`,
      );
    const rows = await this.#db.query<{ id: number }>(selects.join(" union all "), params);
    return rows.map(({ id }) => id).slice(0, limit);
  }

  async #owner(executionId: number): Promise<RunOwner> {
    const known = this.#owners.get(executionId);
    if (known !== undefined) return known;
    const kind = await this.#kinds.of(this.#db, executionId);
    const { executions, workflows, workflowId } = namesOf(kind);
    const [row] = await this.#db.query<Omit<RunOwner, "kind" | "written" | "newRun"> & Record<string, unknown>>(
      `select e.tenant_id as "tenantId", e.${workflowId} as "workflowId", w.name as "workflowName", e.agent_id as "agentId",
         e.parent_id as "parentId", e.trigger_event as "triggerEvent", e.principal
       from ${executions} e join ${workflows} w on w.id = e.${workflowId} where e.id = $1`,
      [executionId],
    );
    if (row === undefined) throw new Error(`execution ${executionId} is gone`);
    return { ...row, kind, written: undefined, newRun: undefined };
  }
}

/** A run as it was when its lease was claimed in another statement. */
export interface CachedClaim {
  kind: RunKind;
  answers: ClaimAnswers;
}

/** Characters of JSON. Larger outputs are not remembered; callers read them. */
const SMALL_OUTPUT = 4_096;

function toEnded({ newRun }: RunOwner, columns: RunCommit["columns"], output: string): ExecutionSummary | undefined {
  const isKnown = newRun !== undefined && isTerminal(columns.status) && output.length <= SMALL_OUTPUT;
  return isKnown ? toEndedSummary(newRun, columns, output) : undefined;
}

/** The review and the node run that it belongs to. */
export interface AskedReview {
  id: number;
  executionId: number;
  nodeId: string;
  visit: number;
  item: string | null;
}

/** SQLSTATE classes of errors in the data: data exception, constraint, a limit of the server. */
function isRefusedForGood(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && /^(22|23|54)/.test(String(error.code));
}

async function insertSignal(
  tx: Queryable,
  executions: string,
  executionId: number,
  { type, data }: NewSignal,
  dedupeKey: string,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into run_signals (execution_id, tenant_id, type, data, dedupe_key)
     select id, tenant_id, $2, $3::json, $4 from ${executions} where id = $1 and status not in ${ENDED}
     on conflict (execution_id, dedupe_key) do nothing returning id`,
    [executionId, type, JSON.stringify(data), dedupeKey],
    `signal-${executions}`,
  );
  return rows.length > 0;
}
