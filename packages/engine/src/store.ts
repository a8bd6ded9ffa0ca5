import type { Json, JsonObject, JsonPatchOp, Principal } from "@oven/contract";
import type { ChildRequest, ReviewRequest, RunAgent, TokenUsage, ToolCallRecord, Wait } from "@oven/contract/node";
import type {
  Checkpoint,
  ErrorInfo,
  ExecutionKind,
  ExecutionStatus,
  NodeStatus,
  RunEventName,
  RunOptions,
} from "@oven/contract/run";
import type { RunState } from "./plan/run-state.ts";
import type { Seed } from "./plan/seed.ts";

/*
 * The store's port. One commit = one fenced write: it applies only while `(epoch, seq)` are still the run's, so a
 * worker that lost its lease changes nothing. `seq` is the number of the run's last event.
 */

/** A context patch op. `output` refers to a node row's output instead of copying it. */
export type ContextOp = JsonPatchOp | { op: "output"; path: string; nodeId: string; visit: number };

/** The folded context at `seq`, and who wrote each bare key last (a node id, or `""` for a variable). */
export interface ContextSnapshot {
  seq: number;
  values: JsonObject;
  writers: Record<string, string>;
}

/** Whom a child belongs to: the node run that waits for it, and the parent's log as it stood then. */
export interface ParentLink {
  executionId: number;
  nodeId: string;
  visit: number;
  item: string | null;
  seq: number;
}

export interface NewExecution {
  kind: ExecutionKind;
  workflowId: number;
  workflowVersion: number;
  tenantId: number;
  input: JsonObject;
  principal: Principal;
  triggerEvent?: string | null;
  /** Its version is kept among the pinned calls. */
  agent?: RunAgent | null;
  /** The test conversation that the run is a turn of, below zero. Used instead of the agent's. */
  sessionId?: number | null;
  retryOf?: number | null;
  forkOf?: number | null;
  /** Up to which entry of that run's log it is taken over. */
  originSeq?: number | null;
  /** Of a run that is taken over: what it begins with. */
  seed?: { state: Seed; context: ContextSnapshot } | null;
  /** The loop whose body it runs. */
  part?: string | null;
  options?: RunOptions | null;
  /** Versions of the workflows it calls, by `<kind>:<id>`. */
  pinnedCalls?: Record<string, number> | null;
  /** Higher goes first. */
  priority?: number;
}

/** What a worker needs of a run row. */
export interface RunRecord {
  id: number;
  kind: ExecutionKind;
  workflowId: number;
  workflowVersion: number;
  tenantId: number;
  input: JsonObject;
  principal: Principal;
  parent: ParentLink | null;
  /** The run at the top of its family; its own id when it is no child. */
  rootId: number;
  part: string | null;
  /** 0: not a child. */
  depth: number;
  options: RunOptions | null;
  pinnedCalls: Record<string, number> | null;
  agent: RunAgent | null;
  status: ExecutionStatus;
  createdAt: string;
  startedAt: string | null;
  epoch: number;
  seq: number;
  /** Whether the lease was taken from a worker that did not give it up: its calls in flight are lost. */
  takenOver: boolean;
  /** Whether it had signals when it was claimed that nobody has looked at. */
  signalled: boolean;
  /** Null until the first commit. */
  state: RunState | null;
  /** Of a run that takes another one over, until its first commit. */
  seed: { state: Seed; context: ContextSnapshot } | null;
  /** The last full snapshot; null: fold from the beginning. */
  snapshot: ContextSnapshot | null;
}

/** A run that was taken up. */
export interface ClaimedRun extends RunRecord {
  /** Where the store has read it along with the claim: it need not be asked for it again. */
  found?: FoundRun;
}

/** What was written of a run when it was claimed. */
export interface FoundRun {
  /** As `load` answers it, after the run's last full snapshot. */
  run: LoadedRun;
  signals: RunSignal[];
}

/** One entry of the patch log. */
export interface LogEntry {
  seq: number;
  ops: ContextOp[];
}

/** A node row as the engine reads it back after a takeover or a wait. */
export interface StoredRow {
  nodeId: string;
  visit: number;
  item: string | null;
  attempt: number;
  status: NodeStatus;
  input: Json;
  output: Json;
  wait: Wait | null;
  error: ErrorInfo | null;
  durationMs: number | null;
}

/** What the store knows of a run besides its row. */
export interface LoadedRun {
  log: LogEntry[];
  outputs: StoredOutput[];
  rows: StoredRow[];
  /** Of a run that was taken over, when read from the beginning: the context it began with. */
  seed: ContextSnapshot | null;
}

/** One entry of a run's log, as it was written. */
export interface HistoryEntry {
  seq: number;
  event: RunEventName;
  at: string;
  fields: JsonObject;
  patch: ContextOp[] | null;
  cause: Json;
}

/** All that is recorded of a run. */
export interface RunHistory {
  entries: HistoryEntry[];
  rows: StoredRow[];
  /** Those it has taken, in order. */
  signals: RunSignal[];
}

export interface StoredOutput {
  nodeId: string;
  visit: number;
  output: Json;
}

export interface RunSignalData {
  cancel: { reason: string | null; by: string };
  decision: {
    reviewId: number;
    nodeId: string;
    visit: number;
    item: string | null;
    action: string;
    data: Json;
    reason: string | null;
    reviewer: number | null;
    decidedAt: string;
    /** Of `{tool, proposal}` as it was released. */
    digest?: string;
    /** The deadline decided; with the action `expire` it was an error. */
    deadline?: true;
  };
  /** Something about one of its reviews that its log is to keep. */
  note: { event: "review.voted" | "review.delegated" | "review.commented"; fields: JsonObject };
  event: { event: string; payload: Json; correlation: string | null };
  /** What has become of a child: told when it ends, and when it begins or ceases to wait for the outside. */
  child: {
    executionId: number;
    status: "running" | "paused" | "completed" | "failed" | "cancelled";
    outcome: string | null;
    output: Json;
    error: ErrorInfo | null;
    tokenUsage: TokenUsage;
    costMicros: number;
    simulated: boolean;
  };
}
/** A message to a run, kept in order and consumed once by whoever holds the lease. */
export type RunSignal = {
  [K in keyof RunSignalData]: { id: number; type: K; data: RunSignalData[K] };
}[keyof RunSignalData];
export type NewSignal = { [K in keyof RunSignalData]: { type: K; data: RunSignalData[K] } }[keyof RunSignalData];

/** One entry of the run's log; the store gives it the next `seq`. */
export interface RunEventDraft {
  event: RunEventName;
  at: string;
  fields: JsonObject;
  /** The context patch that goes with it. */
  patch?: ContextOp[];
  /** Of the first entry of a move: what the move was made of, as `replay` reads it. */
  cause?: Json;
}

/** A domain event; the adapter names it for the run's kind (`execution.paused` → `agents-workflow.execution.paused`). */
export interface OutboxDraft {
  /** Engine events are neutral (`execution.completed`, `node.failed`, …); `custom` ones carry their full name. */
  name: string;
  custom: boolean;
  payload: JsonObject;
}

export type RowChange =
  | {
      type: "start";
      nodeId: string;
      parentNodeId: string | null;
      nodeType: string;
      nodeVersion: number;
      visit: number;
      attempt: number;
      item: string | null;
      input: Json;
      startedAt: string;
    }
  /** A further attempt, or the next step after a wait. */
  | { type: "attempt"; nodeId: string; visit: number; item: string | null; attempt: number; error: ErrorInfo | null }
  /** `wait` null: what the row says it waits for stays. */
  | {
      type: "wait";
      nodeId: string;
      visit: number;
      item: string | null;
      status: "paused" | "running";
      wait: Wait | null;
    }
  | {
      type: "finish";
      nodeId: string;
      visit: number;
      item: string | null;
      attempt: number;
      status: "completed" | "failed" | "cancelled" | "skipped";
      output: Json;
      error: ErrorInfo | null;
      tokenUsage: TokenUsage | null;
      toolCalls: ToolCallRecord[] | null;
      costMicros: number;
      durationMs: number;
      completedAt: string;
    };

export type ReviewChange =
  | {
      type: "open";
      id: number;
      nodeId: string;
      visit: number;
      item: string | null;
      request: ReviewRequest;
      /** SHA-256 (hex) of the RFC 8785 JSON of `{tool, proposal}`. */
      digest: string;
      createdAt: string;
    }
  | { type: "close"; id: number; status: "expired" | "cancelled"; at: string }
  /** Others are asked, if it is open still. */
  | { type: "escalate"; id: number; assignees: string[]; dueAt: string; at: string }
  /**
   * Its deadline has come: if it is open still, it is decided so, and the run gets the decision as a signal. An approval of
   * what somebody edited is left to people: that expires.
   */
  | { type: "due"; id: number; action: "approve" | "reject" | "expire"; reason: string | null; at: string };

/** The run row's columns after a commit. */
export interface RunColumns {
  status: ExecutionStatus;
  outcome: string | null;
  currentState: string;
  activeStates: string[];
  stateValue: Json;
  waitingUntil: string | null;
  checkpoint: Checkpoint | null;
  output: Json;
  tokenUsage: TokenUsage;
  costMicros: number;
  steps: number;
  simulated: boolean;
  startedAt: string | null;
  completedAt: string | null;
  errorInfo: ErrorInfo | null;
}

/** A child that a commit creates. Tenant, principal, family and priority are the parent's. */
export interface NewChild {
  id: number;
  nodeId: string;
  visit: number;
  item: string | null;
  depth: number;
  options: RunOptions | null;
  request: ChildRequest;
}

/** A message to another run, written in the same commit. */
export interface OutgoingSignal {
  executionId: number;
  signal: NewSignal;
  dedupeKey: string;
}

export interface RunCommit {
  executionId: number;
  epoch: number;
  /** `seq` before this commit; afterwards `seq + events.length`. */
  seq: number;
  columns: RunColumns;
  state: RunState;
  rows: RowChange[];
  reviews: ReviewChange[];
  events: RunEventDraft[];
  outbox: OutboxDraft[];
  children: NewChild[];
  outgoing: OutgoingSignal[];
  /** Signals this commit consumed. */
  signals: number[];
  /** When the run must be woken while nobody works on it; null: by a signal only; absent: as before. */
  wakeAt?: string | null;
  /** A new full snapshot (its `seq` is the one after this commit). */
  snapshot?: ContextSnapshot;
}

export interface StoredDecision {
  action: string;
  data: Json;
  reason: string | null;
  reviewer: number | null;
  decidedAt: string;
  digest?: string;
}

/** What a worker that extends its lease is answered. */
export interface Heartbeat {
  /** False: the lease was lost. */
  held: boolean;
  signals: boolean;
  /** The run begins no new step for now: its calls in flight are finished and recorded, and its lease is given up. */
  stops: boolean;
}

export interface ExecutionStore {
  /** Inserts a pending run and answers its id. */
  create(execution: NewExecution): Promise<number>;
  /** Takes the lease and raises the epoch; undefined when another worker holds it or the run has ended. */
  claim(executionId: number, worker: string, leaseMs: number): Promise<ClaimedRun | undefined>;
  /** The run as it is, without taking it. */
  read(executionId: number): Promise<RunRecord | undefined>;
  /** The patch log after `afterSeq`, the outputs it refers to, and the rows of nodes that have not ended, with all their items. */
  load(executionId: number, afterSeq: number): Promise<LoadedRun>;
  /** All that is recorded of a run, up to an entry of its log. */
  history(executionId: number, untilSeq: number): Promise<RunHistory>;
  /** False when the fence was lost; then nothing was written. A terminal status also gives the lease up. */
  commit(commit: RunCommit): Promise<boolean>;
  /** Log entries between commits (streamed text, tool calls). Fenced like a commit. */
  appendEvents(executionId: number, epoch: number, seq: number, events: RunEventDraft[]): Promise<boolean>;
  heartbeat(executionId: number, epoch: number, leaseMs: number): Promise<Heartbeat>;
  /** Gives the lease up; false (and still held) when signals came in meanwhile. */
  release(executionId: number, epoch: number): Promise<boolean>;
  /** Voids every lease: after the restart of a single-process installation. */
  voidLeases(): Promise<void>;
  signals(executionId: number): Promise<RunSignal[]>;
  /** False when a signal with this key is known already, or the run has ended. */
  sendSignal(executionId: number, signal: NewSignal, dedupeKey: string): Promise<boolean>;
  /** Closes an open review and signals its run in one transaction; false when it is no longer open. */
  decide(reviewId: number, decision: StoredDecision): Promise<boolean>;
  /** Runs whose wake-up instant has come. */
  dueRuns(now: string, limit: number): Promise<number[]>;
  /** The next wake-up instant of any run. */
  nextDue(): Promise<string | null>;
  /** Runs that should be worked on and are not: unleased with signals, pending, or running without a timer. */
  stuckRuns(now: string, limit: number): Promise<number[]>;
}
