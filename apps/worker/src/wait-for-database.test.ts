import { connectDatabase, databaseUnavailable } from "@oven/db";
import { expect, it } from "vitest";
import { waitForDatabase } from "./wait-for-database.ts";

/** A clock that only pauses move. */
function clock(limitMs: number) {
  let now = 0;
  const pauses: number[] = [];
  const lines: string[] = [];
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
    now += milliseconds;
  };
  return { pauses, lines, options: { limitMs, now: () => now, pause, say: (line: string) => void lines.push(line) } };
}

it("opens as soon as the database answers, after longer and longer pauses, and says so in one line each", async () => {
  const { pauses, lines, options } = clock(300_000);
  let attempts = 0;
  const opened = await waitForDatabase(async () => {
    attempts += 1;
    // Nobody listens on port 1.
    if (attempts < 9) await connectDatabase({ url: "postgres://oven@127.0.0.1:1/oven", dataDir: "unused" });
    return "open";
  }, options);
  expect(opened).toBe("open");
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  expect(lines).toHaveLength(8);
  for (const line of lines)
    expect(line).toMatch(/^oven worker: the database does not answer, trying again in [\d.]+ s$/);
});

it("gives up when its time is over", async () => {
  const { pauses, options } = clock(2_000);
  const open = async () => Promise.reject(databaseUnavailable(new Error("away")));
  await expect(waitForDatabase(open, options)).rejects.toMatchObject({ code: "DATABASE_UNAVAILABLE" });
  expect(pauses).toEqual([500, 1_000, 500]);
});

it("does not wait for what waiting does not mend", async () => {
  const { pauses, options } = clock(60_000);
  const refused = Object.assign(new Error("password authentication failed"), { code: "28P01" });
  await expect(waitForDatabase(async () => Promise.reject(refused), options)).rejects.toBe(refused);
  expect(pauses).toEqual([]);
});
