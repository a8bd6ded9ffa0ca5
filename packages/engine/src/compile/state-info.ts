import type { Json } from "@oven/contract";
import type { Effect } from "@oven/contract/node";
import type { CompiledGuard } from "../expressions/guard.ts";
import type { CompiledValue } from "../expressions/value.ts";

export interface RetryPolicy {
  maxAttempts: number;
  backoff: "exponential" | "fixed";
  initialMs: number;
  maxMs: number;
}

/** A node call as the plan needs it. */
export interface CompiledInvoke {
  src: string;
  version: number;
  effect: Effect;
  /** Key → value; resolved when the state is entered. */
  input: readonly (readonly [string, CompiledValue])[];
  /** The input as written; keys that are exactly `$.messages` are stored as a reference. */
  rawInput: Record<string, Json>;
  retry: RetryPolicy;
  timeoutMs: number | undefined;
  /** Whether a guard of `onDone` reads the decision, so that rejections are routed there. */
  readsDecision: boolean;
}

/** A loop as the plan needs it. */
export interface CompiledLoop {
  type: "forEach" | "while";
  collection: CompiledValue | undefined;
  condition: CompiledGuard | undefined;
  itemVariable: string;
  indexVariable: string;
  maxIterations: number;
  continueOnError: boolean;
  onLimit: "fail" | "continue";
  concurrency: number;
}

/** One entry of `after`; `key` as written. */
export interface CompiledTimer {
  key: string;
  milliseconds: number;
  /** Counts only time in which steps work. */
  active?: true;
}

/** One state of the compiled machine, the inner states of composites and loops included. */
export interface StateInfo {
  /** `draft`, or `draft.llm` for an inner state of a composite. */
  id: string;
  /**
   * `next`, `body` and `end` are the inner states of a `loop`; the states of its body are children of `body`. The body of a
   * `fanOut` is a machine of its own.
   */
  kind:
    | "root"
    | "plain"
    | "node"
    | "composite"
    | "compound"
    | "parallel"
    | "final"
    | "history"
    | "loop"
    | "fanOut"
    | "next"
    | "body"
    | "end";
  label: string | undefined;
  parent: StateInfo | undefined;
  children: StateInfo[];
  /** The composite or loop whose row is the parent of this state's. */
  row: StateInfo | undefined;
  /** The innermost loop this state is in the body of. */
  loop: StateInfo | undefined;
  invoke: CompiledInvoke | undefined;
  /** The compiled loop; undefined: the state is no loop. */
  looping: CompiledLoop | undefined;
  /** The output of a final state or of a composite state. */
  output: CompiledValue | undefined;
  outcome: string | undefined;
  /** The state at the top level that undoes what this one did. */
  undo: string | undefined;
  /** Names of the outside events it handles. */
  on: readonly string[];
  after: readonly CompiledTimer[];
  /** Of a composite: how often it enters an inner state at most, by its short name, where it sees to that itself. */
  visits: Readonly<Record<string, number>> | undefined;
}

/** XState reads a dot in an id as a step down; inner ids have dots. */
export function toMachineId(id: string): string {
  return id.replaceAll(".", "/");
}

export function fromMachineId(id: string): string {
  return id.replaceAll("/", ".");
}

/** Whether `state` is `ancestor` or lies inside it. */
export function isWithin(state: StateInfo | undefined, ancestor: StateInfo): boolean {
  for (let at = state; at; at = at.parent) if (at === ancestor) return true;
  return false;
}
