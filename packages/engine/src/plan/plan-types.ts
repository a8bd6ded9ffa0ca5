import type { ErrorInfo, ExecutionKind, Json, JsonObject, NodeDone, Spend, Wait } from "@oven/contract";
import type { RunContext } from "../expressions/scope.ts";
import type { OutboxDraft, ReviewChange, RowChange, RunEventDraft, RunSignalData } from "../store.ts";
import type { RunState } from "./run-state.ts";

/** What never changes during a run. */
export interface RunFacts {
  id: number;
  kind: ExecutionKind;
  workflowId: number;
  input: JsonObject;
}

/** A run between two moves. Immutable: planning makes a new one. */
export interface RunSnapshot {
  readonly state: RunState;
  readonly context: RunContext;
}

/** Time, chance and ids, injected. */
export interface PlanEnvironment {
  now: number;
  /** In [0, 1). */
  random(): number;
  /** Ids for the reviews this plan may open; taken from the front. */
  reviewIds: number[];
}

/** Names one call: a result that fits no open unit is late and changes nothing. */
export interface UnitKey {
  nodeId: string;
  visit: number;
  item: string | null;
  attempt: number;
}

export interface NodeFailure {
  error: ErrorInfo;
  retryable: boolean;
  retryAfterMs: number | undefined;
}

export type PlanEvent =
  | { type: "done"; unit: UnitKey; result: NodeDone; emits: OutboxDraft[] }
  | { type: "wait"; unit: UnitKey; wait: Wait; spend: Spend | undefined; emits: OutboxDraft[] }
  | { type: "failed"; unit: UnitKey; failure: NodeFailure; emits: OutboxDraft[]; discardText: boolean }
  | { type: "decision"; decision: RunSignalData["decision"] }
  | { type: "event"; event: string; payload: Json; correlation: string | null }
  | { type: "cancel"; reason: string | null; by: string }
  /** An at-most-once node is about to be called. */
  | { type: "starting"; unit: UnitKey }
  /** Time has passed: back-offs, deadlines and limits are looked at. */
  | { type: "clock" }
  /** A worker has taken the run over: calls in flight are lost. */
  | { type: "takeover" };

export interface RunEnd {
  status: "completed" | "failed" | "cancelled";
  outcome: string | null;
  output: Json;
  error: ErrorInfo | null;
}

export interface Plan {
  snapshot: RunSnapshot;
  /** Ordered; what one commit writes. */
  rows: RowChange[];
  reviews: ReviewChange[];
  events: RunEventDraft[];
  outbox: OutboxDraft[];
  end: RunEnd | null;
  /** The ids of the states that are active, and XState's value. */
  activeStates: string[];
  /** False when the event was late and nothing changed. */
  changed: boolean;
}
