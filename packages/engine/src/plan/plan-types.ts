import type { Json, JsonObject } from "@oven/contract";
import type { ChildRequest, NodeDone, Spend, Wait } from "@oven/contract/node";
import type { ErrorInfo, ExecutionKind, RunOptions } from "@oven/contract/run";
import type { RunContext } from "../expressions/scope.ts";
import type { OutboxDraft, ReviewChange, RowChange, RunEventDraft, RunSignalData } from "../store.ts";
import type { RunEnd, RunState, Unit } from "./run-state.ts";

export type { RunEnd };

/** What never changes during a run. */
export interface RunFacts {
  id: number;
  kind: ExecutionKind;
  workflowId: number;
  /** The trigger payload; of a run of a loop's body, its parent's. */
  input: JsonObject;
  /** The depth of a child run, and its parent's context when it began. */
  depth?: number;
  parent?: JsonObject | undefined;
  /** The item and the index of a run that executes a loop's body, under each of their names. */
  variables?: ReadonlyMap<string, Json> | undefined;
  options?: RunOptions | null;
  /** What `$config` reads; taken once, when the run begins. */
  config?: JsonObject;
}

/** A run between two moves. Immutable: planning makes a new one. */
export interface RunSnapshot {
  readonly state: RunState;
  readonly context: RunContext;
}

/** Time and ids, injected. */
export interface PlanEnvironment {
  now: number;
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
  /** The call may have had its effect. */
  uncertain?: true;
}

export type PlanEvent =
  | { type: "done"; unit: UnitKey; result: NodeDone; emits: OutboxDraft[] }
  | { type: "wait"; unit: UnitKey; wait: Wait; spend: Spend | undefined; emits: OutboxDraft[] }
  | { type: "failed"; unit: UnitKey; failure: NodeFailure; emits: OutboxDraft[]; discardText: boolean }
  /** `signalId`: the message's place in the signal table. */
  | { type: "decision"; decision: RunSignalData["decision"]; signalId?: number }
  | { type: "note"; note: RunSignalData["note"]; signalId?: number }
  | { type: "event"; event: string; payload: Json; correlation: string | null; signalId?: number }
  | { type: "child"; child: RunSignalData["child"]; signalId?: number }
  | { type: "cancel"; reason: string | null; by: string; signalId?: number }
  /** An at-most-once node is about to be called. */
  | { type: "starting"; unit: UnitKey }
  /** Time has passed: back-offs, deadlines and limits are looked at. */
  | { type: "clock" }
  /** A worker has taken the run over: calls in flight are lost. */
  | { type: "takeover" }
  /** A worker goes on with steps that another one had put down in order: the time between does not count as active. */
  | { type: "resumed" };

/** A child to be created; it has no id yet. Its unit and its event get it together with the row. */
export interface PlannedChild {
  unit: Unit;
  event: RunEventDraft;
  depth: number;
  options: RunOptions | null;
  /** Null: the item's, which the runner has. */
  request: ChildRequest | null;
}

export interface Plan {
  snapshot: RunSnapshot;
  /** Ordered; what one commit writes. */
  rows: RowChange[];
  reviews: ReviewChange[];
  events: RunEventDraft[];
  outbox: OutboxDraft[];
  children: PlannedChild[];
  /** Children that are not waited for any more. */
  cancelled: number[];
  end: RunEnd | null;
  /** The ids of the states that are active, and XState's value. */
  activeStates: string[];
  /** False when the event was late and nothing changed. */
  changed: boolean;
}
