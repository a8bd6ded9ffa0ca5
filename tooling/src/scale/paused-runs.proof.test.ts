import { createTestPostgres } from "@oven/db/testing";
import { expect, inject, it } from "vitest";
import { measurePaused } from "./paused-runs.ts";

/* The short form of `pnpm scale:paused`. */

it("paused runs cost a restart nothing, and go on after it", async () => {
  const { url, drop } = await createTestPostgres(inject("postgresUrl"));
  try {
    const { problems, resumed, rssBytes, emptyRssBytes } = await measurePaused(100, 10, url);
    expect(problems).toEqual([]);
    expect(resumed).toBe(10);
    expect(rssBytes - emptyRssBytes).toBeLessThan(50 * 1_048_576);
  } finally {
    await drop();
  }
});
