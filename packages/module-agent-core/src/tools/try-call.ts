import { isOvenError, type Json, type Principal } from "@oven/contract";
import type { TriedTool } from "@oven/contract/agent";
import type { ServiceMap } from "@oven/module-registry";

/** One call by hand: what the tool says went wrong is an answer too, without the secrets of the tenant. */
export async function tryCall(
  { secrets }: Pick<ServiceMap, "secrets">,
  { tenantId }: Pick<Principal, "tenantId">,
  call: () => Promise<Json>,
): Promise<TriedTool> {
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  try {
    return { result: await call(), error: null, durationMs: durationMs() };
  } catch (thrown) {
    const error = secrets.redactError(tenantId, thrown);
    if (!isOvenError(error)) throw error;
    const { code, message, fix = null } = error;
    return { result: null, error: { code, message, fix }, durationMs: durationMs() };
  }
}
