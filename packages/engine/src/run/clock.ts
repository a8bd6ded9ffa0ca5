import type { Clock } from "../ports.ts";

/** Node's timers fire at once beyond this. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** The clock of this machine; timers may lie further ahead than `setTimeout` allows. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(at, callback) {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (): void => {
      const left = Math.max(0, at - Date.now());
      timer = left > MAX_TIMEOUT ? setTimeout(arm, MAX_TIMEOUT) : setTimeout(callback, left);
    };
    arm();
    return () => clearTimeout(timer);
  },
};
