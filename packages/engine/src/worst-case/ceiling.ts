import type { JsonObject } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";

/** So much at most; or why nothing bounds it: a code, and what it is about besides the step. */
export type Most = number | { code: string; about?: string | undefined };

/**
 * What a step needs at most, by quantity. The names are those of the node that declares it; `active` and `waiting` are milliseconds.
 * What is left out is zero, but `active`: only the limits of time on the step and the run bound that.
 */
export interface Ceiling {
  /** By one call of the node. A call that fails may be repeated. */
  perCall?: Readonly<Record<string, Most>>;
  /** In one visit of the step, however often its calls are repeated: what it waits for is asked once. */
  perVisit?: Readonly<Record<string, Most>>;
  /** Items that it waits for and that follow one another: the calls of each are repeated with pauses of its own. */
  inARow?: Most;
  /** Milliseconds after which it waits no longer, whatever it waits for. */
  longestWait?: number;
}

/** One call of a node, as a definition writes it. */
export interface CeilingCall {
  src: string;
  version: number;
  /** Literals, paths and templates, unresolved. */
  input: JsonObject;
  settings: Pick<Definition, "agentConfig" | "maxToolIterations">;
}

/** What a worst case needs from outside: what nodes need, and which workflows they run. */
export interface WorstCaseFacts {
  ceiling(call: CeilingCall): Ceiling;
  /** The workflows that one visit runs, each once and to its end; `key` is one name for each however it is called. */
  called(call: CeilingCall): readonly { key: string; definition: Definition }[];
}
