import type {
  Checkpoint,
  ErrorInfo,
  ExecutionKind,
  ExecutionStatus,
  Json,
  JsonObject,
  JsonPatchOp,
  NodeStatus,
  Principal,
  ReviewRequest,
  RunEventName,
  TokenUsage,
  ToolCallRecord,
  Wait,
} from "@oven/contract";
import type { RunState } from "./plan/run-state.ts";

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

export interface NewExecution {
  kind: ExecutionKind;
  workflowId: number;
  workflowVersion: number;
  tenantId: number;
  input: JsonObject;
  principal: Principal;
  triggerEvent?: string | null;
  agentId?: number | null;
  sessionId?: number | null;
  parentId?: number | null;
  rootId?: number | null;
  retryOf?: number | null;
  forkOf?: number | null;
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
  status: ExecutionStatus;
  createdAt: string;
  startedAt: string | null;
  epoch: number;
  seq: number;
  /** Whether the lease was taken from a worker that did not give it up: its calls in flight are lost. */
  takenOver: boolean;
  /** Null until the first commit. */
  state: RunState | null;
  /** The last full snapshot; null: fold from the beginning. */
  snapshot: ContextSnapshot | null;
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
  };
  event: { event: string; payload: Json; correlation: string | null };
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
  | { type: "wait"; nodeId: string; visit: number; item: string | null; status: "paused" | "running"; wait: Wait }
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
  | { type: "close"; id: number; status: "expired" | "cancelled"; at: string };

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
}

export interface ExecutionStore {
  /** Inserts a pending run and answers its id. */
  create(execution: NewExecution): Promise<number>;
  /** Takes the lease and raises the epoch; undefined when another worker holds it or the run has ended. */
  claim(executionId: number, worker: string, leaseMs: number): Promise<RunRecord | undefined>;
  /** The patch log after `afterSeq`, the outputs it refers to, and the rows of nodes that have not ended, with all their items. */
  load(executionId: number, afterSeq: number): Promise<{ log: LogEntry[]; outputs: StoredOutput[]; rows: StoredRow[] }>;
  /** False when the fence was lost; then nothing was written. A terminal status also gives the lease up. */
  commit(commit: RunCommit): Promise<boolean>;
  /** Log entries between commits (streamed text, tool calls). Fenced like a commit. */
  appendEvents(executionId: number, epoch: number, seq: number, events: RunEventDraft[]): Promise<boolean>;
  /** Extends the lease; `held` false when it was lost. */
  heartbeat(executionId: number, epoch: number, leaseMs: number): Promise<{ held: boolean; signals: boolean }>;
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
