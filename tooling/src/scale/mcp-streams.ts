import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { McpHarness } from "./mcp-calls.ts";
import { inParallel, send } from "./mcp-wire.ts";

const AT_ONCE = 50;
const OPEN_MS = 1_000;
const READINGS = 8;
const READING_MS = 250;

export interface StreamRound {
  /** How many the server ended by itself while all of them were meant to be open. */
  cut: number;
  /** Bytes of the server once they were closed. */
  heap: number;
  resident: number;
}

/** Opens streams that stay open, closes them all, round after round. @throws Error when one does not open */
export async function openStreams(harness: McpHarness, streams: number, rounds: number): Promise<StreamRound[]> {
  const after: StreamRound[] = [];
  for (let round = 0; round < rounds; round++) {
    const closing = new AbortController();
    let cut = 0;
    const readings: Promise<void>[] = [];
    await inParallel(streams, AT_ONCE, async (id) => {
      const notifications = { toolsListChanged: true };
      const params = { notifications };
      const response = await send(harness.target("echo"), id, "subscriptions/listen", params, closing.signal);
      const reader = response.body?.getReader();
      const first = await reader?.read();
      if (!response.ok || reader === undefined || first?.done !== false)
        throw new Error(`stream ${id} did not open: ${response.status}`);
      const read = async () => {
        if (!(await isReadUntilClosed(reader, closing.signal))) cut++;
      };
      readings.push(read());
    });
    await pause(OPEN_MS);
    closing.abort();
    await Promise.all(readings);
    after.push({ cut, ...(await atRest(harness)) });
  }
  return after;
}

/** False when it ended, or broke, before it was closed here. */
async function isReadUntilClosed(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  closed: AbortSignal,
): Promise<boolean> {
  const done = await (async () => {
    while (!(await reader.read()).done) {}
  })().catch((error: unknown) => error);
  if (done !== undefined && !closed.aborted) console.warn(`a stream broke: ${String(done)}`);
  return closed.aborted;
}

/** The least of several readings: closed connections take a moment to go. */
async function atRest({ server }: McpHarness): Promise<{ heap: number; resident: number }> {
  let [heap, resident] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let reading = 0; reading < READINGS; reading++) {
    await pause(READING_MS);
    heap = Math.min(heap, await server.heapBytes());
    resident = Math.min(resident, residentBytes(server.pid));
  }
  return { heap, resident };
}

function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1_024;
}
