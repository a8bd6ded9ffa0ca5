import { expect, it } from "vitest";
import { RunSlots } from "./run-slots.ts";

it("lets in as many as there is room for, then by priority, then in order", async () => {
  const slots = new RunSlots(1);
  const entered: string[] = [];
  const enter = async (name: string, priority: number) => {
    if (await slots.enter(priority)) entered.push(name);
  };
  await enter("first", 0);
  expect(slots.hasRoom).toBe(false);
  const waiting = [enter("low", -1), enter("a", 0), enter("high", 5), enter("b", 0)];
  for (let left = 0; left < waiting.length; left++) slots.leave();
  await Promise.all(waiting);
  expect(entered).toEqual(["first", "high", "a", "b", "low"]);
  slots.leave();
  expect(slots.hasRoom).toBe(true);
});

it("sends away who waits and who comes once it is closed", async () => {
  const slots = new RunSlots(1);
  expect(await slots.enter(0)).toBe(true);
  const waiting = slots.enter(0);
  slots.close();
  expect([await waiting, await slots.enter(9)]).toEqual([false, false]);
  slots.leave();
  expect(slots.hasRoom).toBe(false);
});
