import type { Review } from "@oven/contract/review";
import { isTerminal, type NodeStatus } from "@oven/contract/run";
import { seedOf } from "../plan/cause.ts";
import type { Clock, Ids } from "../ports.ts";
import type {
  ExecutionStore,
  Heartbeat,
  LoadedRun,
  NewChild,
  NewExecution,
  NewSignal,
  OutboxDraft,
  ReviewChange,
  RowChange,
  RunColumns,
  RunCommit,
  RunEventDraft,
  RunHistory,
  RunRecord,
  RunSignal,
  StoredDecision,
  StoredRow,
} from "../store.ts";

interface StoredRun extends Omit<RunRecord, "takenOver" | "signalled"> {
  columns: RunColumns | null;
  lease: { worker: string; until: number } | null;
  wakeAt: string | null;
  events: (RunEventDraft & { seq: number })[];
  rows: (StoredRow & { nodeType: string; parentNodeId: string | null })[];
  signals: RunSignal[];
  /** Consumed ones, too. */
  allSignals: RunSignal[];
  signalKeys: Set<string>;
  outbox: OutboxDraft[];
}

export interface StoredReview {
  id: number;
  executionId: number;
  status: Review["status"];
  open: Extract<ReviewChange, { type: "open" }>;
  decision: StoredDecision | null;
}

/**
 * The store's port in memory. What goes in and comes out is copied through JSON, as a database would, so that nothing
 * is shared with the engine by accident.
 */
export class MemoryStore implements ExecutionStore {
  /** Runs that begin no new step. */
  readonly held = new Set<number>();
  readonly runs = new Map<number, StoredRun>();
  readonly reviews = new Map<number, StoredReview>();
  readonly #clock: Clock;
  #lastId = 0;
  #lastSignal = 0;
  #lastReview = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly ids: Ids = {
    review: async () => {
      this.#lastReview += 1;
      return this.#lastReview;
    },
    executions: async (count) => Array.from({ length: count }, () => this.#nextId()),
  };

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  run(id: number): StoredRun {
    const run = this.runs.get(id);
    if (!run) throw new Error(`No run ${id}`);
    return run;
  }

  async create(execution: NewExecution): Promise<number> {
    const id = this.#nextId();
    this.#insert(id, execution, { parent: null, rootId: id, depth: 0 });
    return id;
  }

  #insert(id: number, execution: NewExecution, family: Pick<RunRecord, "parent" | "rootId" | "depth">): void {
    const { kind, workflowId, workflowVersion, tenantId, input, principal, ...more } = copy(execution);
    this.runs.set(id, {
      id,
      kind,
      workflowId,
      workflowVersion,
      tenantId,
      input,
      principal,
      ...family,
      part: more.part ?? null,
      options: more.options ?? null,
      pinnedCalls: more.pinnedCalls ?? null,
      agent: more.agent ?? null,
      status: "pending",
      createdAt: this.#at(),
      startedAt: null,
      epoch: 0,
      seq: 0,
      state: null,
      seed: more.seed ?? null,
      snapshot: null,
      columns: null,
      lease: null,
      wakeAt: null,
      events: [],
      rows: [],
      signals: [],
      allSignals: [],
      signalKeys: new Set(),
      outbox: [],
    });
  }

  async claim(executionId: number, worker: string, leaseMs: number): Promise<RunRecord | undefined> {
    const run = this.runs.get(executionId);
    if (!run || isTerminal(run.status)) return undefined;
    if (this.held.has(executionId) || (run.lease && run.lease.until > this.#clock.now())) return undefined;
    const takenOver = run.lease !== null;
    run.lease = { worker, until: this.#clock.now() + leaseMs };
    run.epoch += 1;
    return toRecord(run, takenOver);
  }

  async read(executionId: number): Promise<RunRecord | undefined> {
    const run = this.runs.get(executionId);
    return run && toRecord(run, false);
  }

  async load(executionId: number, afterSeq: number): Promise<LoadedRun> {
    const run = this.run(executionId);
    const log = run.events.flatMap(({ seq, patch }) => (patch && seq > afterSeq ? [{ seq, ops: patch }] : []));
    const open = new Set(
      run.rows.filter((row) => row.item === null && (row.status === "running" || row.status === "paused")).map(keyOf),
    );
    return copy({
      log,
      outputs: run.rows
        .filter((row) => row.item === null && row.status === "completed")
        .map(({ nodeId, visit, output }) => ({ nodeId, visit, output })),
      rows: run.rows.filter((row) => open.has(keyOf(row))),
      seed: afterSeq === 0 ? seedOf(run.events[0]?.cause) : null,
    });
  }

  async history(executionId: number, untilSeq: number): Promise<RunHistory> {
    const { events, rows, allSignals, signals } = this.run(executionId);
    const entries = events
      .filter(({ seq }) => seq <= untilSeq)
      .map(({ seq, event, at, fields, patch = null, cause = null }) => ({ seq, event, at, fields, patch, cause }));
    return copy({ entries, rows, signals: allSignals.filter((one) => !signals.includes(one)) });
  }

  async commit(commit: RunCommit): Promise<boolean> {
    const run = this.#fenced(commit.executionId, commit.epoch, commit.seq);
    if (!run) return false;
    const { columns, state, rows, reviews, events, outbox, children, outgoing, signals, wakeAt, snapshot } =
      copy(commit);
    run.columns = columns;
    run.status = columns.status;
    run.startedAt = columns.startedAt;
    run.state = state;
    run.seed = null;
    for (const row of rows) applyRow(run.rows, row);
    for (const review of reviews) await this.#applyReview(run.id, review);
    this.#append(run, events);
    run.outbox.push(...outbox);
    for (const child of children) this.#insertChild(run, child);
    for (const { executionId, signal, dedupeKey } of outgoing) await this.sendSignal(executionId, signal, dedupeKey);
    run.signals = run.signals.filter(({ id }) => !signals.includes(id));
    if (wakeAt !== undefined) run.wakeAt = wakeAt;
    if (snapshot) run.snapshot = snapshot;
    if (isTerminal(run.status)) run.lease = null;
    return true;
  }

  async appendEvents(executionId: number, epoch: number, seq: number, events: RunEventDraft[]): Promise<boolean> {
    const run = this.#fenced(executionId, epoch, seq);
    if (!run) return false;
    this.#append(run, copy(events));
    return true;
  }

  async heartbeat(executionId: number, epoch: number, leaseMs: number): Promise<Heartbeat> {
    const run = this.run(executionId);
    if (run.epoch !== epoch || !run.lease) return { held: false, signals: false, stops: false };
    run.lease.until = this.#clock.now() + leaseMs;
    return { held: true, signals: run.signals.length > 0, stops: this.held.has(executionId) };
  }

  async release(executionId: number, epoch: number): Promise<boolean> {
    const run = this.run(executionId);
    if (run.epoch !== epoch) return true;
    if (run.signals.length > 0) return false;
    run.lease = null;
    return true;
  }

  async voidLeases(): Promise<void> {
    for (const run of this.runs.values()) if (run.lease) run.lease.until = Number.NEGATIVE_INFINITY;
  }

  async signals(executionId: number): Promise<RunSignal[]> {
    return copy(this.run(executionId).signals);
  }

  async sendSignal(executionId: number, signal: NewSignal, dedupeKey: string): Promise<boolean> {
    const run = this.runs.get(executionId);
    if (!run || isTerminal(run.status) || run.signalKeys.has(dedupeKey)) return false;
    this.#lastSignal += 1;
    run.signalKeys.add(dedupeKey);
    const sent: RunSignal = { ...copy(signal), id: this.#lastSignal };
    run.signals.push(sent);
    run.allSignals.push(sent);
    return true;
  }

  async decide(reviewId: number, decision: StoredDecision): Promise<boolean> {
    const review = this.reviews.get(reviewId);
    if (review?.status !== "open") return false;
    review.status = "decided";
    review.decision = copy(decision);
    const { nodeId, visit, item } = review.open;
    await this.sendSignal(
      review.executionId,
      { type: "decision", data: { reviewId, nodeId, visit, item, ...decision } },
      `review:${reviewId}`,
    );
    return true;
  }

  async dueRuns(now: string, limit: number): Promise<number[]> {
    return this.#ids((run) => run.wakeAt !== null && run.wakeAt <= now, limit);
  }

  async nextDue(): Promise<string | null> {
    return [...this.runs.values()].flatMap(({ wakeAt }) => wakeAt ?? []).sort()[0] ?? null;
  }

  async stuckRuns(now: string, limit: number): Promise<number[]> {
    return this.#ids((run) => {
      if (isTerminal(run.status) || (run.lease && run.lease.until > Date.parse(now))) return false;
      if (run.signals.length > 0 || run.lease || run.status === "pending") return true;
      return run.status === "running" && run.wakeAt === null && !this.#hasLiveChild(run.id);
    }, limit);
  }

  #hasLiveChild(parentId: number): boolean {
    return [...this.runs.values()].some(
      ({ parent, status }) => parent?.executionId === parentId && !isTerminal(status),
    );
  }

  #ids(matches: (run: StoredRun) => boolean, limit: number): number[] {
    return [...this.runs.values()]
      .filter(matches)
      .map(({ id }) => id)
      .slice(0, limit);
  }

  #fenced(executionId: number, epoch: number, seq: number): StoredRun | undefined {
    const run = this.runs.get(executionId);
    return run && run.epoch === epoch && run.seq === seq && !isTerminal(run.status) ? run : undefined;
  }

  #insertChild(parent: StoredRun, { id, nodeId, visit, item, depth, options, request }: NewChild): void {
    const { tenantId, principal, pinnedCalls, agent } = parent;
    const link = { executionId: parent.id, nodeId, visit, item, seq: parent.seq };
    this.#insert(
      id,
      { agent, ...request, tenantId, principal, pinnedCalls, options },
      { parent: link, rootId: parent.rootId, depth },
    );
  }

  #append(run: StoredRun, events: RunEventDraft[]): void {
    for (const event of events) {
      run.seq += 1;
      run.events.push({ ...event, seq: run.seq });
    }
  }

  async #applyReview(executionId: number, change: ReviewChange): Promise<void> {
    if (change.type === "open") {
      this.reviews.set(change.id, { id: change.id, executionId, status: "open", open: change, decision: null });
      return;
    }
    const review = this.reviews.get(change.id);
    if (review?.status !== "open") return;
    if (change.type === "close") review.status = change.status;
    else if (change.type === "escalate")
      Object.assign(review.open.request, { assignees: change.assignees, dueAt: change.dueAt });
    else {
      const { action, reason, at: decidedAt } = change;
      const { nodeId, visit, item, request, digest } = review.open;
      const decision = { action, data: request.proposal, reason, reviewer: null, decidedAt, digest };
      review.status = action === "expire" ? "expired" : "decided";
      if (action !== "expire") review.decision = decision;
      const data = { reviewId: review.id, nodeId, visit, item, ...decision, deadline: true as const };
      await this.sendSignal(executionId, { type: "decision", data }, `review:${review.id}`);
    }
  }

  #at(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

function toRecord(run: StoredRun, takenOver: boolean): RunRecord {
  const { id, kind, workflowId, workflowVersion, tenantId, input, principal, parent, part, depth, options } = run;
  const { rootId, pinnedCalls, agent, status, createdAt, startedAt, epoch, seq, state, seed, snapshot } = run;
  const row = { id, kind, workflowId, workflowVersion, tenantId, input, principal, parent, part, depth, options };
  return copy({
    ...row,
    rootId,
    pinnedCalls,
    agent,
    status,
    createdAt,
    startedAt,
    epoch,
    seq,
    state,
    seed,
    snapshot,
    takenOver,
    signalled: run.signals.length > 0,
  });
}

function applyRow(rows: StoredRun["rows"], change: RowChange): void {
  const row = rows.find(
    (candidate) =>
      candidate.nodeId === change.nodeId && candidate.visit === change.visit && candidate.item === change.item,
  );
  if (change.type === "start") {
    if (row) throw new Error(`The row ${change.nodeId} ${change.visit} ${change.item} exists`);
    const { nodeId, visit, item, attempt, input, nodeType, parentNodeId } = change;
    rows.push({
      nodeId,
      visit,
      item,
      attempt,
      input,
      nodeType,
      parentNodeId,
      status: "running",
      output: null,
      wait: null,
      error: null,
      durationMs: null,
    });
    return;
  }
  if (!row) throw new Error(`There is no row ${change.nodeId} ${change.visit} ${change.item}`);
  if (row.status !== "running" && row.status !== "paused")
    throw new Error(`The row ${change.nodeId} ${change.visit} ${change.item} has ended`);
  if (change.type === "attempt")
    Object.assign(row, { attempt: change.attempt, error: change.error, status: "running" satisfies NodeStatus });
  else if (change.type === "wait") Object.assign(row, { wait: change.wait ?? row.wait, status: change.status });
  else
    Object.assign(row, {
      status: change.status,
      output: change.output,
      error: change.error,
      durationMs: change.durationMs,
      attempt: change.attempt,
      wait: null,
    });
}

function keyOf({ nodeId, visit }: StoredRow): string {
  return `${nodeId} ${visit}`;
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T; // cast: JSON in, the same JSON out
}
