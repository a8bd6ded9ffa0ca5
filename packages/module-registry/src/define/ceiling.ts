import type { JsonObject } from "@oven/contract";
import type { AgentConfig, UnboundedCode } from "@oven/contract/workflow";

/** So much at most; or why nothing bounds it, and what that is about besides the step. */
export type Most = number | { code: UnboundedCode; about?: string };

/**
 * Of what a step needs: `modelCalls`, `tokens`, `costMicros`, `reviews`, `toolCalls`, `tool:<id>`; `active` and `waiting` in
 * milliseconds.
 */
export type MostByQuantity = Readonly<Record<string, Most>>;

/** What a step needs at most. What is left out is zero, but `active`, which the time-outs of step and run bound. */
export interface Ceiling {
  /** By one call of the node. A call that fails may be repeated. */
  perCall?: MostByQuantity;
  /** In one visit of the step, however often its calls are repeated: what it waits for is asked once. */
  perVisit?: MostByQuantity;
  /** Items that it waits for and that follow one another: the calls of each are repeated with pauses of its own. */
  inARow?: Most;
  /** Milliseconds after which it waits no longer, whatever it waits for. */
  longestWait?: number;
}

/** A tool as a ceiling sees it. */
export interface CeilingTool {
  id: string;
  /** A call of it that fails is not repeated. */
  once: boolean;
  /** It may ask models or start runs, and nothing says how much that is. */
  spends: boolean;
  /** A call of it may wait for an approval. */
  needsApproval: boolean;
  /** It may ask people any number of questions before it answers. */
  asksPeople: boolean;
}

/** What a node may ask while it says what a step needs: what the tenant has set up now. */
export interface CeilingFacts {
  /**
   * One question to a model, by alias or `providerId:modelId`, with all models that are asked where one fails.
   * @param most tokens that the question asks for or sends at most, where the step bounds them
   */
  ask(model: string, most: { answer?: number | undefined; question?: number }): MostByQuantity;
  /** The tools that patterns choose; undefined: any. */
  tools(patterns: readonly string[] | undefined): readonly CeilingTool[];
  /** Whether what needs these permissions asks models. */
  spends(permissions: readonly string[]): boolean;
  /** The settings of an agent, by id or slug; undefined: there is none. */
  agent(name: string): AgentConfig | undefined;
}

/** A step as its definition writes it. */
export interface CeilingRequest {
  /** Literals, paths and templates, unresolved. */
  input: JsonObject;
  agentConfig: AgentConfig;
}

/** Several times as much. */
export function timesMost(given: MostByQuantity, count: number): MostByQuantity {
  const entries = Object.entries(given);
  return Object.fromEntries(entries.map(([name, most]) => [name, typeof most === "number" ? most * count : most]));
}

/** All of them, one after the other. */
export function sumMost(list: readonly MostByQuantity[]): MostByQuantity {
  return merge(list, (one, other) => one + other);
}

/** The larger of each. */
export function largerMost(list: readonly MostByQuantity[]): MostByQuantity {
  return merge(list, Math.max);
}

/** What is not bounded in one of them is not bounded. */
function merge(list: readonly MostByQuantity[], join: (one: number, other: number) => number): MostByQuantity {
  const merged: Record<string, Most> = {};
  for (const [name, most] of list.flatMap((given) => Object.entries(given))) {
    const before = merged[name] ?? 0;
    if (typeof before === "number") merged[name] = typeof most === "number" ? join(before, most) : most;
  }
  return merged;
}

/** Nothing bounds what models, tools and people are asked. */
export function unknownMost(most: Exclude<Most, number>): MostByQuantity {
  const names = ["modelCalls", "tokens", "costMicros", "toolCalls", "reviews", "waiting"];
  return Object.fromEntries(names.map((name) => [name, most]));
}
