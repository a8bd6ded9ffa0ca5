import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NextLook } from "./next-look.ts";

/** What a driver says of its statements. */
function ownWrites() {
  const listeners = new Set<() => void>();
  const writes = {
    count: 0,
    next(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const write = () => {
    writes.count += 1;
    for (const listener of [...listeners]) {
      listeners.delete(listener);
      listener();
    }
  };
  return { writes, write, listeners };
}

describe("the next look", () => {
  let looks = 0;
  beforeEach(() => {
    looks = 0;
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

  /** One that looks once when it is told to, and sets the next. */
  function start(db: object | undefined, untilNext?: number) {
    const next = new NextLook(
      () => {
        looks += 1;
        next.begin();
        next.end();
      },
      { db },
    );
    next.begin();
    next.end(untilNext);
    return next;
  }

  it.each([
    ["without a database", undefined],
    ["on a database that others write to", {}],
  ])("comes every five seconds %s", async (_name, db) => {
    const next = start(db);
    await pass(4_999);
    expect(looks).toBe(0);
    await pass(10_001);
    expect(looks).toBe(3);
    next.cancel();
    await pass(60_000);
    expect(looks).toBe(3);
  });

  it("rests for a minute when nobody else can write and nothing was written", async () => {
    const { writes } = ownWrites();
    const next = start({ writes });
    expect(next.longestMs).toBe(60_000);
    await pass(59_999);
    expect(looks).toBe(0);
    await pass(1);
    expect(looks).toBe(1);
    next.cancel();
  });

  it("comes when something is due, however long it would rest", async () => {
    const { writes } = ownWrites();
    const next = start({ writes }, 20_000);
    await pass(19_999);
    expect(looks).toBe(0);
    await pass(1);
    expect(looks).toBe(1);
    next.cancel();
  });

  it("comes within a second of a write after a rest, and never sooner than the sweep after the last look", async () => {
    const { writes, write } = ownWrites();
    const next = start({ writes });
    await pass(1_000);
    write();
    await pass(3_999);
    expect(looks).toBe(0);
    await pass(1);
    expect(looks).toBe(1);
    await pass(30_000);
    write();
    await pass(500);
    write();
    await pass(499);
    expect(looks).toBe(1);
    await pass(1);
    expect(looks).toBe(2);
    next.cancel();
  });

  it("is not put off by a write when something is due before", async () => {
    const { writes, write } = ownWrites();
    const next = start({ writes }, 2_000);
    write();
    await pass(2_000);
    expect(looks).toBe(1);
    next.cancel();
  });

  it("does not rest after a look during which something was written", async () => {
    const { writes, write } = ownWrites();
    const next = start({ writes });
    next.begin();
    write();
    next.end();
    await pass(5_000);
    expect(looks).toBe(1);
    next.cancel();
  });

  it("listens to nobody any more once it is cancelled", async () => {
    const { writes, write, listeners } = ownWrites();
    start({ writes }).cancel();
    expect(listeners.size).toBe(0);
    write();
    await pass(60_000);
    expect(looks).toBe(0);
  });
});
