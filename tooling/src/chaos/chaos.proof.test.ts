import { createTestPostgres } from "@oven/db/testing";
import { expect, inject, it } from "vitest";
import { cancelCampaign } from "./cancel-campaign.ts";
import { CODE_SHAPE } from "./code-shape.ts";
import { KillCampaign } from "./kill-campaign.ts";
import { runPoison } from "./poison.ts";
import { raceClaims } from "./race-claims.ts";
import { zombieCampaign } from "./zombies.ts";

/* Short forms of `pnpm chaos`: real processes, so each takes seconds. */

async function onPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  const { url, drop } = await createTestPostgres(inject("postgresUrl"));
  try {
    return await work(url);
  } finally {
    await drop();
  }
}

it("a server that is killed again and again loses no run and repeats no recorded call, on PGlite", async () => {
  // Killed at a decision, and right after a call.
  const campaign = { databaseUrl: undefined, runs: 5, seed: 2, concurrency: 3, maxKills: 2 };
  const { problems, kills, effects } = await new KillCampaign(campaign).run();
  expect(problems).toEqual([]);
  expect(kills).toBe(2);
  expect(effects).toBeGreaterThanOrEqual(80);
});

it("a server that is killed again and again loses no run and repeats no recorded call, on PostgreSQL", () =>
  onPostgres(async (databaseUrl) => {
    // Killed at a time of its start, and in the middle of a call.
    const campaign = { databaseUrl, runs: 5, seed: 4, concurrency: 3, maxKills: 2 };
    const { problems, kills } = await new KillCampaign(campaign).run();
    expect(problems).toEqual([]);
    expect(kills).toBe(2);
  }));

it("a program over tools goes on in the middle of its loop after each kill, and repeats no recorded call", async () => {
  // Killed in the middle of a call, and right after one.
  const campaign = { databaseUrl: undefined, runs: 3, seed: 23, concurrency: 3, maxKills: 2, shape: CODE_SHAPE };
  const { problems, kills, effects } = await new KillCampaign(campaign).run();
  expect(problems).toEqual([]);
  expect(kills).toBe(2);
  expect(effects).toBeGreaterThanOrEqual(40);
});

it("two processes that claim 500 runs at once share them without a double", async () => {
  // On a busy machine one may be through before the other was let run: that was no race, and is run again.
  for (let attempt = 1; ; attempt += 1) {
    const { problems, wins } = await onPostgres((url) => raceClaims(url, 500));
    expect(problems).toEqual([]);
    expect(wins.reduce((sum, own) => sum + own, 0)).toBe(500);
    if (wins.every((own) => own > 0)) return;
    expect(attempt).toBeLessThan(5);
  }
});

it("a process that slept through its lease writes nothing when it wakes up", () =>
  onPostgres(async (url) => {
    expect(await zombieCampaign(url, 3, 1)).toEqual({ stopped: 3, problems: [] });
  }));

it("a run that is cancelled at any moment calls nothing any more", async () => {
  expect(await cancelCampaign(4, 1)).toEqual({ cancelled: 4, problems: [] });
});

it.each(["throwsNothing", "huge"])("a node that misbehaves (%s) fails its run, and the others go on", async (node) => {
  expect((await runPoison(node)).problems).toEqual([]);
});
