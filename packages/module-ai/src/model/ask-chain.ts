import type { ModelFallback } from "@oven/contract/ai";
import { type Candidate, type Chain, mayFallBack, toFallback } from "../aliases/resolve-model.ts";

/** One model's turn. */
export interface Turn {
  candidate: Candidate;
  /** 0 for the first of the chain. */
  index: number;
  /** Nobody comes after it. */
  last: boolean;
  fallbackFrom: string | null;
}

interface Asking<T> {
  chain: Chain;
  ask(turn: Turn): Promise<T>;
  /** Called before the next one is asked. False: what was shown cannot be taken back, so nobody else may be. */
  leave?(): boolean;
}

/**
 * Asks the models of a chain in turn until one answers.
 * @throws what the last of them threw, or the first whose failure is not one that another model could help with
 */
export async function askChain<T>(
  asking: Asking<T>,
): Promise<{ value: T; fallbacks: { fallbacks?: ModelFallback[] } }> {
  const { chain, ask, leave } = asking;
  const fallbacks: ModelFallback[] = [];
  for (const [index, name] of chain.names.entries()) {
    const last = index === chain.names.length - 1;
    try {
      const candidate = await chain.candidate(name);
      const value = await ask({ candidate, index, last, fallbackFrom: fallbacks.at(-1)?.model ?? null });
      return { value, fallbacks: fallbacks.length === 0 ? {} : { fallbacks } };
    } catch (error) {
      if (last || !mayFallBack(error) || leave?.() === false) throw error;
      fallbacks.push(toFallback(name, error));
    }
  }
  throw new Error("a chain has at least one model");
}
