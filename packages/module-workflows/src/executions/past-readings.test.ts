import type { RunCheckpoint } from "@oven/contract/run";
import { expect, it } from "vitest";
import { PastReadings } from "./past-readings.ts";

/** A reading that lasts until `end`. */
function reading() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, ended };
}

it("lets two recordings be read at once, the others in the order of asking, and refuses when too many wait", async () => {
  const readings = new PastReadings();
  const begun: number[] = [];
  const open = Array.from({ length: 102 }, () => reading());
  const all = open.map(({ ended }, index) =>
    readings.take(async () => {
      begun.push(index);
      await ended;
      return index;
    }),
  );
  await expect(readings.take(async () => 0)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS", status: 429 });
  expect(begun).toEqual([0, 1]);
  open[1]?.end();
  await all[1];
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  for (const { end } of open) end();
  expect(await Promise.all(all)).toEqual(open.map((_, index) => index));
  // What failed gives its place up, too.
  await expect(readings.take(async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await Promise.all([1, 2, 3].map((value) => readings.take(async () => value)))).toEqual([1, 2, 3]);
});

it("reads a list of checkpoints once for all its pages, and again after it failed", async () => {
  const readings = new PastReadings();
  let reads = 0;
  const list: RunCheckpoint[] = [];
  const read = async () => {
    reads += 1;
    if (reads === 1) throw new Error("lost");
    return list;
  };
  await expect(readings.list("workflow 1 9", read)).rejects.toThrow("lost");
  const pages = await Promise.all([readings.list("workflow 1 9", read), readings.list("workflow 1 9", read)]);
  expect(pages).toEqual([list, list]);
  expect(reads).toBe(2);
  // Its log went on.
  await readings.list("workflow 1 10", read);
  expect(reads).toBe(3);
});
