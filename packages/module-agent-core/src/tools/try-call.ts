import { isOvenError, type Json } from "@oven/contract";
import type { TriedTool } from "@oven/contract/agent";

/** One call by hand: what the tool says went wrong is an answer too. */
export async function tryCall(call: () => Promise<Json>): Promise<TriedTool> {
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  try {
    return { result: await call(), error: null, durationMs: durationMs() };
  } catch (error) {
    if (!isOvenError(error)) throw error;
    const { code, message, fix = null } = error;
    return { result: null, error: { code, message, fix }, durationMs: durationMs() };
  }
}
