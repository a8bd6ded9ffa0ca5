import { AsyncLocalStorage } from "node:async_hooks";
import { currentTenant, withinTenant } from "@oven/db";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WorkLoop } from "./work-loop.ts";

describe("a loop that looks for work", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  const settle = () => vi.advanceTimersByTimeAsync(0);

  it("looks when it starts, when it is woken, and every five seconds", async () => {
    let looks = 0;
    const loop = new WorkLoop("counting", async () => {
      looks++;
    });
    loop.wake();
    await settle();
    expect(looks).toBe(0);
    loop.start();
    await settle();
    expect(looks).toBe(1);
    loop.wake();
    await settle();
    expect(looks).toBe(2);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(looks).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(looks).toBe(3);
    await loop.stop();
  });

  it("looks in its own context: a look does not join the transaction of the request that woke it", async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const loop = new WorkLoop("counting", async () => {
      seen.push(request.getStore());
    });
    loop.start();
    await settle();
    request.run("a request", () => loop.wake());
    await settle();
    expect(seen).toEqual([undefined, undefined]);
    await loop.stop();
  });

  it("looks sooner when something is due sooner, and never later than the sweep", async () => {
    const waits = [100, 60_000];
    let looks = 0;
    const loop = new WorkLoop(
      "counting",
      async () => {
        looks++;
      },
      { untilNext: async () => waits.shift() },
    );
    loop.start();
    await settle();
    await vi.advanceTimersByTimeAsync(100);
    expect(looks).toBe(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(looks).toBe(3);
    await loop.stop();
  });

  it("never looks twice at once, and looks once more when it was woken meanwhile", async () => {
    const gates: (() => void)[] = [];
    const loop = new WorkLoop("waiting", () => new Promise<void>((resolve) => gates.push(resolve)));
    loop.start();
    loop.wake();
    loop.wake();
    await settle();
    expect(gates).toHaveLength(1);
    gates[0]?.();
    await settle();
    expect(gates).toHaveLength(2);
    gates[1]?.();
    await settle();
    expect(gates).toHaveLength(2);
    await loop.stop();
  });

  it("goes on after a look that failed, and says so", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    let looks = 0;
    const loop = new WorkLoop("counting", async () => {
      looks++;
      if (looks === 1) throw new Error("no database");
    });
    loop.start();
    await settle();
    expect(said).toHaveBeenCalledWith("counting failed, trying again at the next sweep:", expect.any(Error));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(looks).toBe(2);
    await loop.stop();
  });

  it("stops once the look that is under way is over, and starts again", async () => {
    let open = () => {};
    let looks = 0;
    const loop = new WorkLoop("waiting", () => {
      looks++;
      return new Promise<void>((resolve) => {
        open = resolve;
      });
    });
    loop.start();
    let isStopped = false;
    const stopping = loop.stop().then(() => {
      isStopped = true;
    });
    await settle();
    expect(isStopped).toBe(false);
    open();
    await stopping;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(1);
    loop.start();
    await settle();
    expect(looks).toBe(2);
    open();
    await loop.stop();
  });

  it("works for all tenants, whoever wakes it", async () => {
    const seen: unknown[] = [];
    const loop = new WorkLoop("looking", async () => {
      seen.push(currentTenant());
    });
    await withinTenant(7, async () => loop.start());
    await settle();
    expect(seen).toEqual([undefined]);
    await loop.stop();
  });
});
