import type { Effect, Json } from "@oven/contract";
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

/** One state of the compiled machine, composites' inner states included. */
export interface StateInfo {
  /** `draft`, or `draft.llm` for an inner state of a composite. */
  id: string;
  kind: "root" | "plain" | "node" | "composite" | "compound" | "parallel" | "final";
  label: string | undefined;
  parent: StateInfo | undefined;
  children: StateInfo[];
  /** The composite this state is inside of. */
  composite: StateInfo | undefined;
  invoke: CompiledInvoke | undefined;
  /** Of a final state; of a composite: its output. */
  output: CompiledValue | undefined;
  outcome: string | undefined;
}

/** XState reads a dot in an id as a step down; inner ids have dots. */
export function toMachineId(id: string): string {
  return id.replaceAll(".", "/");
}
