import { isConnectionLost } from "@oven/db";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

export interface WaitOptions {
  /** From the first attempt on; 0: one attempt. */
  limitMs: number;
  now: () => number;
  pause: (milliseconds: number) => Promise<unknown>;
  say: (line: string) => void;
}

/**
 * Opens what needs the database, and tries again while there is no connection, after longer and longer pauses: services that
 * start together need not start in order.
 * @throws what `open` throws when it is something else, or when the time is over
 */
export async function waitForDatabase<Opened>(
  open: () => Promise<Opened>,
  { limitMs, now, pause, say }: WaitOptions,
): Promise<Opened> {
  const until = now() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await open();
    } catch (error) {
      const left = until - now();
      if (left <= 0 || !isAway(error)) throw error;
      const next = Math.min(pauseMs, left);
      say(`oven worker: the database does not answer, trying again in ${(next / 1_000).toFixed(1)} s`);
      await pause(next);
    }
  }
}

/** Not when it answers and refuses: a wrong password stays wrong. */
function isAway(error: unknown): boolean {
  return isConnectionLost(error) || (error instanceof Error && isConnectionLost(error.cause));
}
