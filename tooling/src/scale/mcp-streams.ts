import { setTimeout as pause } from "node:timers/promises";
import type { McpHarness } from "./mcp-calls.ts";
import { inParallel, send } from "./mcp-wire.ts";

const AT_ONCE = 50;
const READINGS = 8;
const READING_MS = 250;

/** Opens streams that stay open, closes them all, round after round. @returns bytes on the heap of the server after each round */
export async function openStreams(harness: McpHarness, streams: number, rounds: number): Promise<number[]> {
  const after: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const closing = new AbortController();
    await inParallel(streams, AT_ONCE, async (id) => {
      const notifications = { toolsListChanged: true };
      const params = { notifications };
      const response = await send(harness.target("echo"), id, "subscriptions/listen", params, closing.signal);
      const reader = response.body?.getReader();
      const first = await reader?.read();
      if (!response.ok || first?.done !== false) throw new Error(`stream ${id} did not open: ${response.status}`);
      // It is read until it is cut.
      reader?.read().catch(() => undefined);
    });
    closing.abort();
    after.push(await restingHeap(harness));
  }
  return after;
}

/** The least of several readings: closed connections take a moment to go. */
async function restingHeap({ server }: McpHarness): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < READINGS; reading++) {
    await pause(READING_MS);
    least = Math.min(least, await server.heapBytes());
  }
  return least;
}
