import type { Attempts } from "./attempts.ts";
import { placeOf } from "./caller-place.ts";

/** Wrong one-time tokens from one address within 15 minutes before it has to wait. */
const FREE = 20;

/**
 * Counts somebody who comes with a one-time token; call what it answers when the token is right.
 * @throws OvenError TOO_MANY_ATTEMPTS 429
 */
export function beginTokenAttempt(attempts: Attempts, address: string | undefined): () => void {
  const place = placeOf(address);
  return attempts.begin(place === undefined ? [] : [{ key: `token at ${place}`, free: FREE }]);
}
