import { expect, it } from "vitest";
import { startDeadline } from "./deadline.ts";

it("aborts when its time is over, as a time-out", async () => {
  const { signal } = startDeadline(5);
  await new Promise((aborted) => signal.addEventListener("abort", aborted));
  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});

it("lets go of its timer once it is cleared", () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const deadline = startDeadline(300_000);
  deadline.clear();
  expect(timers()).toBe(before);
  expect(deadline.signal.aborted).toBe(false);
});

it("takes a limit that is longer than any timer", async () => {
  const { signal, clear } = startDeadline(Number.MAX_SAFE_INTEGER);
  await new Promise(setImmediate);
  expect(signal.aborted).toBe(false);
  clear();
});
