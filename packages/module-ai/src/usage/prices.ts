import type { TokenUsage } from "@oven/contract";

/** 10⁻⁶ USD per million tokens. */
export interface Price {
  input: number;
  cachedInput: number;
  output: number;
}

const usd = (input: number, cachedInput: number, output: number): Price => ({
  input: input * 1e6,
  cachedInput: cachedInput * 1e6,
  output: output * 1e6,
});

/**
 * List prices of OpenAI's own endpoint. A model that is not listed costs 0 here: an unknown price is shown as none
 * rather than guessed.
 */
const OPENAI_PRICES: Record<string, Price> = {
  "gpt-4o": usd(2.5, 1.25, 10),
  "gpt-4o-mini": usd(0.15, 0.075, 0.6),
  "gpt-4.1": usd(2, 0.5, 8),
  "gpt-4.1-mini": usd(0.4, 0.1, 1.6),
  "gpt-4.1-nano": usd(0.1, 0.025, 0.4),
  "gpt-5": usd(1.25, 0.125, 10),
  "gpt-5-mini": usd(0.25, 0.025, 2),
  "gpt-5-nano": usd(0.05, 0.005, 0.4),
  "text-embedding-3-small": usd(0.02, 0.02, 0),
  "text-embedding-3-large": usd(0.13, 0.13, 0),
};

/** The price of a model; a dated release (`gpt-5-2025-08-07`) costs what its model costs. */
export function openaiPrice(modelId: string): Price | undefined {
  return OPENAI_PRICES[modelId.replace(/-\d{4}-\d{2}-\d{2}$/, "")];
}

/** Integer 10⁻⁶ USD, rounded up: many small calls never add up to nothing. */
export function toCostMicros(usage: TokenUsage, price: Price | undefined): number {
  if (price === undefined) return 0;
  const cached = usage.cached ?? 0;
  const total = (usage.input - cached) * price.input + cached * price.cachedInput + usage.output * price.output;
  return Math.ceil(total / 1e6);
}
