import { createHash } from "node:crypto";
import type { Principal } from "@oven/contract";
import type { Canary } from "@oven/contract/workflow";

/** Shares are looked at in hundredths of a percent. */
const PARTS = 100;
const WHOLE = 100 * PARTS;

/**
 * Whether a new run takes the candidate.
 * @param key decides: the same key always takes the same version. The idempotency key, or the id of the run, so that the choice can be
 * computed again from its row
 */
export function takesCandidate(
  { version, share, callers, stopped }: Canary,
  workflowId: number,
  { userId, keyId }: Pick<Principal, "userId" | "keyId">,
  key: string,
): boolean {
  if (stopped !== undefined) return false;
  if (callers.length > 0) return callers.includes(`key:${keyId}`) || callers.includes(`user:${userId}`);
  const digest = createHash("sha256").update(`${workflowId}:${version}:${key}`).digest();
  return digest.readUInt32BE(0) % WHOLE < share * PARTS;
}
