import { monitorEventLoopDelay } from "node:perf_hooks";

/*
 * Loaded into a server with `--import`: on each message of its parent it answers with what its event loop and its memory were like since
 * the one before.
 */
export interface ProbeReading {
  /** Milliseconds that the event loop was late, beyond the probe's own interval. */
  loopP99Ms: number;
  loopMaxMs: number;
  heapBytes: number;
  rssBytes: number;
}

const RESOLUTION_MS = 10;
const NANOSECONDS = 1e6;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const late = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS);
process.on("message", () => {
  const [p99, max] = [delay.percentile(99), delay.max];
  // Its own collection of garbage is none of the server's delays.
  delay.disable();
  // Only where the parent asks for it: what is not collected yet says nothing of a leak.
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const reading: ProbeReading = {
    loopP99Ms: late(p99),
    loopMaxMs: late(max),
    heapBytes: heapUsed,
    rssBytes: rss,
  };
  delay.reset();
  delay.enable();
  process.send?.(reading);
});
// The parent's end of the channel holds no server back from its end.
process.channel?.unref();
