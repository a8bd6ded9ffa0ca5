import type { Json, JsonObject } from "@oven/contract";
import type { Effect, NodeSignal, TokenUsage } from "@oven/contract/node";
import type { OnDeadline } from "@oven/contract/review";
import type { ErrorInfo } from "@oven/contract/run";

/**
 * What a run knows besides its context; stored whole with every commit, so it stays small: counters, the XState
 * value and the units that have not ended. Plain JSON.
 */
export interface RunState {
  /** XState's state value. */
  value: Json;
  /** What history states remember; absent: nothing yet. */
  history?: Readonly<Record<string, readonly string[]>>;
  /** Timers of `after` that have not fired. */
  timers?: Timer[];
  timersFired?: number;
  /** Loops that are being gone through, with the iteration each is at. */
  loops?: LoopRun[];
  /** Active leaves in which no node runs, and what moves them. */
  idle?: IdleLeaf[];
  /** The configuration values that the definition reads, as they were when the run began. */
  config?: JsonObject;
  visits: Record<string, number>;
  units: Unit[];
  steps: number;
  tokenUsage: TokenUsage;
  costMicros: number;
  simulated: boolean;
  /** Active milliseconds before `activeSince`. */
  activeMs: number;
  /** Since when something is active; null while everything waits. */
  activeSince: number | null;
  startedAt: string;
  /** When the run must be woken while nobody works on it; ISO-8601. */
  wakeAt: string | null;
  /** Bytes of patches since the last full snapshot, and of that snapshot. */
  patchBytes: number;
  snapshotBytes: number;
  /** The run is to end, and its steps are undone before. */
  undoing?: Undoing;
  /** The last completed step of a run that executes a loop's body. */
  last?: string;
}

export interface Undoing {
  /** How the run ends then. */
  end: RunEnd;
  /** How many of the steps that can be undone have not been begun with. */
  left: number;
  /** Steps that were not undone, and why. */
  failed: { step: Json; visit: Json; message: string }[];
  /** Steps and active milliseconds of the run before. */
  steps: number;
  activeMs: number;
}

export interface RunEnd {
  status: "completed" | "failed" | "cancelled";
  outcome: string | null;
  output: Json;
  error: ErrorInfo | null;
}

export interface Timer {
  stateId: string;
  /** As written in `after`. */
  key: string;
  /** Epoch milliseconds. */
  at: number;
  /** Counts only time in which steps work. */
  active?: true;
  /** Held while none works: the milliseconds it still has; `at` means nothing meanwhile. */
  left?: number;
}

export interface LoopRun {
  stateId: string;
  /** From 0; -1 before the first iteration. */
  index: number;
  failed: number;
  /** The step of this iteration that was done last. */
  last: string | null;
}

export interface IdleLeaf {
  stateId: string;
  for: "event" | "timer";
  /** Every event that is handled here, nearest first. */
  events: string[];
  /** The earliest timer around it. */
  dueAt: string | null;
}

/** A node run (or one item of it, or a composite's or loop's parent row) that has not ended. */
export interface Unit {
  nodeId: string;
  visit: number;
  item: string | null;
  src: string;
  version: number;
  effect: Effect;
  /**
   * `planned`: to be started · `running`: its start is recorded · `backoff`: waits for its next attempt ·
   * `waiting`: for a person, an event, a time, a child or its items · `open`: a composite or loop whose inner states run.
   */
  status: "planned" | "running" | "backoff" | "waiting" | "open";
  attempt: number;
  failures: number;
  takeovers: number;
  startedAt: number;
  /** Back-off end, or the deadline of a wait, in epoch milliseconds. */
  wakeAt?: number;
  wait?: UnitWait;
  /** What the next call of `resume` gets; of `items` the runner fills in the results from the item rows. */
  resume?: NodeSignal;
  /** Composites: active milliseconds of the run at which the time-out strikes, and what inner nodes spent. */
  deadlineActiveMs?: number;
  tokenUsage?: TokenUsage;
  costMicros?: number;
}

export type UnitWait =
  | { for: "review" | "input"; reviewId: number; dueAt: string | null; lost?: true; onDeadline?: OnDeadline }
  | { for: "timer"; dueAt: string }
  | { for: "event"; event: string; correlation: string | null; dueAt: string | null }
  | { for: "child"; executionId: number; paused: boolean; dueAt: string | null }
  | ItemsWait;

/** Items that have begun are units of their own; those that have ended are rows only. */
export interface ItemsWait {
  for: "items";
  concurrency: number;
  failFast?: true;
  /** The items are runs of their own. */
  children?: true;
  /** Items that have not begun, in order. */
  queue?: QueuedItem[];
  /** The same, where the keys are numbers: from the first to before the second. */
  range?: readonly [number, number];
}

export interface QueuedItem {
  key: string;
  effect?: Effect;
}
