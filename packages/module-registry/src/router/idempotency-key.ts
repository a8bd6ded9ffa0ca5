import { OvenError } from "@oven/contract";

/** The caller's `Idempotency-Key`; null: none. @throws OvenError INVALID_REQUEST */
export function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null || (key !== "" && key.length <= 200)) return key;
  throw new OvenError("INVALID_REQUEST", "Idempotency-Key must have 1 to 200 characters", {
    path: "$headers.idempotency-key",
  });
}
