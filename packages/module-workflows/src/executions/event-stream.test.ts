import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { followRun, streamEvents } from "./event-stream.ts";
import { RunWatch } from "./run-watch.ts";

describe("a run's stream", () => {
  let db: Database;
  beforeAll(async () => {
    db = await createTestPglite({ migrated: false });
    await db.query("create table run_events (execution_id bigint, seq int, event text, at timestamptz, fields json)");
    await db.query(
      `insert into run_events select 1, n, 'log', '2026-01-01T00:00:00Z', json_build_object('message', 'm' || n) from generate_series(1, 1200) n`,
    );
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => db.close());

  function open(
    options: { afterSeq?: number; status?: "running" | "completed"; fails?: boolean; executionId?: number } = {},
  ) {
    const state = { looks: 0 };
    const watch = new RunWatch();
    const request = new AbortController();
    const log = followRun(db, options.executionId ?? 1, options.afterSeq ?? 0, async () => {
      state.looks++;
      if (options.fails) throw new Error("the run is gone");
      return { status: options.status ?? "running", seq: 1_200 };
    });
    const response = streamEvents(watch, { ...log, signal: request.signal });
    const body = response.body;
    if (body === null) throw new Error("no body");
    return { state, watch, request, reader: body.getReader() };
  }

  it("hands on a log of many pages without gap, and closes at its end", async () => {
    const { reader } = open({ status: "completed" });
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += new TextDecoder().decode(part.value);
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: 1_200 }, (_, index) => index + 1));
  });

  it("reads no further ahead than its reader does", async () => {
    const { reader, state } = open();
    await reader.read();
    await reader.read();
    await vi.waitUntil(() => state.looks === 2, { timeout: 120_000 });
    // A page lies ready for the reader; a third is not asked for.
    await new Promise(setImmediate);
    expect(state.looks).toBe(2);
    await reader.cancel();
  });

  it("stops looking when its reader goes away, though the request was never told", async () => {
    const { reader, state, watch } = open({ afterSeq: 1_200 });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await reader.read();
    const next = reader.read();
    await vi.waitUntil(() => state.looks >= 1, { interval: 1, timeout: 120_000 });
    await reader.cancel();
    expect((await next).done).toBe(true);
    const before = state.looks;
    watch.notify(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(state.looks).toBe(before);
  });

  it("ends when the request does", async () => {
    const { reader, request } = open({ afterSeq: 1_200 });
    await reader.read();
    const next = reader.read();
    request.abort();
    expect((await next).done).toBe(true);
  });

  it("shows that it is still there while nothing happens", async () => {
    const { reader } = open({ afterSeq: 1_200 });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    await reader.read();
    const next = reader.read();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(new TextDecoder().decode((await next).value)).toBe(": still here\n\n");
    await reader.cancel();
  });

  it("takes a cursor beyond every id", async () => {
    const { reader } = open({ afterSeq: 2 ** 45, status: "completed" });
    await reader.read();
    expect((await reader.read()).done).toBe(true);
  });

  it("breaks off when the run is gone", async () => {
    const { reader } = open({ fails: true });
    await reader.read();
    await expect(reader.read()).rejects.toThrow("gone");
  });
});
