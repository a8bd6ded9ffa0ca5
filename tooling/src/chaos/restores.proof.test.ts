import { expect, inject, it } from "vitest";
import { RestoreCampaign } from "./restore-campaign.ts";

// One of what `pnpm restores --count 100` draws; the seed is one that kills the server during the backup.
it("restores every run that was accepted before a backup, whatever is killed", async () => {
  const postgresUrl = inject("postgresUrl");
  const campaign = new RestoreCampaign({ count: 1, seed: 22, source: "pglite", postgresUrl });
  const { kills, ...result } = await campaign.run();
  expect(result).toMatchObject({ problems: [], restores: 1, servers: 1 });
  expect(result.acknowledged).toBeGreaterThanOrEqual(6);
  expect(kills.server).toBe(1);
});
