import { setTimeout as pause } from "node:timers/promises";
import type { BuiltServer } from "./built-server.ts";
import { followRun } from "./event-stream-client.ts";
import { percentile, slopeOf } from "./figures.ts";

export interface LoadOptions {
  minutes: number;
  /** Starts a second. */
  rate: number;
  /** Open streams at once. */
  streams: number;
}

export interface LoadResult {
  started: number;
  /** Starts that were answered with anything but success, by what they were answered. */
  refused: Record<string, number>;
  completed: number;
  failed: number;
  /** Runs that had not ended a while after the last start. */
  open: number;
  startP50Ms: number;
  startP99Ms: number;
  loopP99Ms: number;
  loopMaxMs: number;
  /** Megabytes a minute after the warm-up, by least squares. */
  heapSlope: number;
  rssSlope: number;
  heapBytes: number;
  rssBytes: number;
  /** Streams that ended, and of them those that had not all events in order. */
  streamsRead: number;
  streamsBroken: number;
  mostStreams: number;
}

const WAIT_MS = 4_000;
/** Three nodes and a timer: it is open for as long as the streams need to be as many as they are meant to be. */
const DEFINITION = {
  initial: "note",
  states: {
    note: { invoke: { src: "core.transform", input: { mapping: { text: "$.trigger.text" } }, onDone: "wait" } },
    wait: { invoke: { src: "core.delay", input: { ms: WAIT_MS }, onDone: "again" } },
    again: { invoke: { src: "core.transform", input: { mapping: { text: "$.note_output.text" } }, onDone: "done" } },
    done: { type: "final" },
  },
};
const SAMPLE_MS = 5_000;
/** Of the time, at most so many minutes: until then caches fill and code is compiled. */
const WARM_UP_MINUTES = 5;
const WARM_UP_SHARE = 0.25;
const ENDING_MS = 60_000;
const LOOK_MS = 500;
const MEGABYTE = 1e6;

/** Starts runs at a fixed rate, follows as many of them as there are to be streams, and reads the server's memory meanwhile. */
export async function measureLoad(server: BuiltServer, { minutes, rate, streams }: LoadOptions): Promise<LoadResult> {
  const workflow = await server.workflow(`Load ${Date.now()}`, DEFINITION);
  const latencies: number[] = [];
  const refused: Record<string, number> = {};
  const under = new Set<Promise<void>>();
  const seen = { open: 0, most: 0, read: 0, broken: 0, started: 0 };
  const samples: { x: number; heap: number; rss: number; p99: number; max: number }[] = [];
  const text = "x".repeat(500);

  const follow = async (run: number): Promise<void> => {
    seen.open += 1;
    seen.most = Math.max(seen.most, seen.open);
    try {
      const { complete } = await followRun(server, run);
      seen.read += 1;
      if (!complete) seen.broken += 1;
    } catch (error) {
      seen.broken += 1;
      console.warn(`a stream broke: ${String(error)}`);
    } finally {
      seen.open -= 1;
    }
  };
  const startOne = async (): Promise<void> => {
    const from = performance.now();
    const { status, body } = await server.call("POST", `workflows/${workflow}/execute`, { input: { text } });
    latencies.push(performance.now() - from);
    if (status >= 300) {
      const what = `${status} ${body?.error?.code ?? ""}`.trim();
      refused[what] = (refused[what] ?? 0) + 1;
      return;
    }
    seen.started += 1;
    if (seen.open < streams) await follow(body.id);
  };

  await server.read();
  const begin = performance.now();
  const end = begin + minutes * 60_000;
  let sampleAt = begin + SAMPLE_MS;
  for (let sent = 0; performance.now() < end; sent += 1) {
    const dueAt = begin + (sent * 1_000) / rate;
    if (dueAt > performance.now()) await pause(dueAt - performance.now());
    const one = startOne();
    under.add(one);
    void one.finally(() => under.delete(one));
    if (performance.now() < sampleAt) continue;
    sampleAt += SAMPLE_MS;
    const { heapBytes, rssBytes, loopP99Ms, loopMaxMs } = await server.read();
    const x = (performance.now() - begin) / 60_000;
    samples.push({ x, heap: heapBytes / MEGABYTE, rss: rssBytes / MEGABYTE, p99: loopP99Ms, max: loopMaxMs });
  }
  await Promise.all(under);
  const counts = await countRuns(server, workflow, seen.started);
  const from = Math.min(WARM_UP_MINUTES, minutes * WARM_UP_SHARE);
  const later = samples.filter(({ x }) => x >= from);
  const last = samples.at(-1);
  return {
    started: seen.started,
    refused,
    ...counts,
    startP50Ms: percentile(latencies, 0.5),
    startP99Ms: percentile(latencies, 0.99),
    // Of the worst five seconds but one in a hundred, not of all readings: a server that is slow for a minute is slow.
    loopP99Ms: percentile(
      later.map(({ p99 }) => p99),
      0.99,
    ),
    loopMaxMs: Math.max(...later.map(({ max }) => max)),
    heapSlope: slopeOf(later.map(({ x, heap }) => ({ x, y: heap }))),
    rssSlope: slopeOf(later.map(({ x, rss }) => ({ x, y: rss }))),
    heapBytes: (last?.heap ?? Number.NaN) * MEGABYTE,
    rssBytes: (last?.rss ?? Number.NaN) * MEGABYTE,
    streamsRead: seen.read,
    streamsBroken: seen.broken,
    mostStreams: seen.most,
  };
}

async function countRuns(server: BuiltServer, workflowId: number, started: number) {
  const count = async (status: string): Promise<number> => {
    const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
    return (await server.ask("GET", `workflow-executions?filter=${filter}&range=[0,0]`)).total ?? 0;
  };
  for (const until = performance.now() + ENDING_MS; ; ) {
    const [completed, failed] = [await count("completed"), await count("failed")];
    const open = started - completed - failed;
    if (open <= 0 || performance.now() > until) return { completed, failed, open };
    await pause(LOOK_MS);
  }
}
