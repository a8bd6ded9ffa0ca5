import { expect, it } from "vitest";
import { startImports } from "./testing/import-story.ts";

it("workflows of other products are made only by those who may", async () => {
  const { oven, stop } = await startImports();
  try {
    const viewer = await oven.keyFor("viewer");
    for (const path of ["workflow-imports/preview", "workflow-imports"])
      expect((await oven.call("POST", path, { source: "{}" }, { key: viewer })).status, path).toBe(403);
  } finally {
    await stop();
  }
});
