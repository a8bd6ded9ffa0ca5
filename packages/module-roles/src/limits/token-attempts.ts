import type { AttemptCounter, Succeeded } from "./attempts.ts";
import { placeOf } from "./caller-place.ts";

/** Wrong one-time tokens from one address within 15 minutes before it has to wait. */
const FREE = 20;

/**
 * Counts somebody who comes with a one-time token; call what it answers when the token is right.
 * @throws OvenError TOO_MANY_ATTEMPTS 429
 */
export async function beginTokenAttempt(attempts: AttemptCounter, address: string | undefined): Promise<Succeeded> {
  const place = placeOf(address);
  return attempts.begin(place === undefined ? [] : [{ key: `token at ${place}`, free: FREE }]);
}
