/** Clock and waiting, so that tests need not wait. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason when it aborts. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  pause: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
    }),
};
