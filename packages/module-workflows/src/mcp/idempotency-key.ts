import { randomUUID } from "node:crypto";
import { OvenError } from "@oven/contract";

/** In `_meta` of a call; the header `Idempotency-Key` does the same. */
const KEY_IN_META = "oven/idempotencyKey";
const LONGEST_KEY = 200;

/**
 * What makes a call the same call again: the client's own key, else one that no other call has.
 * @throws OvenError INVALID_INPUT
 */
export function idempotencyKeyOf(meta: Record<string, unknown> | undefined, request: Request): string {
  const given = meta?.[KEY_IN_META] ?? request.headers.get("idempotency-key");
  if (given === undefined || given === null) return `call:${randomUUID()}`;
  if (typeof given === "string" && given !== "" && given.length <= LONGEST_KEY) return `id:${given}`;
  throw new OvenError("INVALID_INPUT", "The idempotency key is no text of 1 to 200 characters", {
    fix: `Send it as _meta["${KEY_IN_META}"] of the call, or in the header Idempotency-Key.`,
  });
}
