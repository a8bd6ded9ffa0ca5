import type { JsonObject } from "@oven/contract";
import { isObject } from "../expressions/json-access.ts";
import type { CatalogEntry, NodeRunner } from "../ports.ts";
import type { BegunUnit } from "./journey.ts";

/** What rehearsals may spend together on models that are really asked. */
export interface LiveBudget {
  /** 10⁻⁶ USD. No call begins once that much is spent; the one that goes beyond it is the last. */
  maxCostMicros: number;
  maxCalls: number;
}

/** Asks models where no answer was recorded, within a budget that several rehearsals share. */
export class LiveCalls {
  readonly nodes: NodeRunner;
  readonly signal: AbortSignal;
  /** Milliseconds, from anywhere. */
  readonly now: () => number;
  readonly #budget: LiveBudget;
  #calls = 0;
  #costMicros = 0;

  constructor(deps: { budget: LiveBudget; nodes: NodeRunner; signal: AbortSignal; now: () => number }) {
    this.nodes = deps.nodes;
    this.signal = deps.signal;
    this.now = deps.now;
    this.#budget = deps.budget;
  }

  get spent(): { calls: number; costMicros: number } {
    return { calls: this.#calls, costMicros: this.#costMicros };
  }

  /** Counts a call that is about to be made; false where the budget is used up. */
  begin(): boolean {
    const { maxCalls, maxCostMicros } = this.#budget;
    if (this.#calls >= maxCalls || this.#costMicros >= maxCostMicros) return false;
    this.#calls += 1;
    return true;
  }

  pay(costMicros: number): void {
    this.#costMicros += costMicros;
  }
}

/** Whether a call only asks a model. */
export function asksModelOnly(
  entry: CatalogEntry | undefined,
  { item, input }: Pick<BegunUnit, "item" | "input">,
): boolean {
  if (item !== null || !isObject(input)) return false;
  return entry?.asksModelOnly?.(input as JsonObject) === true;
}
