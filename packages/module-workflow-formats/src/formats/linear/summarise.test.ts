import { createOvenClient } from "@oven/client";
import { expect, it } from "vitest";
import { startFormats } from "../../shared/testing/start-formats.ts";

it("a summary is asked for again when the connection was gone, and is the beginning when it is gone again", async () => {
  let broken = 0;
  const oven = await startFormats(() => {
    broken -= 1;
    return broken >= 0 ? { text: "cut", breakAfter: 0 } : { text: "In short." };
  });
  try {
    const key = await oven.keyFor("admin");
    const fetch = (request: Request) => oven.handle(request);
    const client = createOvenClient({ url: "http://localhost:3000", key, fetch }).linear.workflow;
    const { uuid } = await client.create("Kept", "");
    await client.setTrigger(uuid, "manual");
    const summaryOf = async (data: string) => {
      const run = await client.createInstance(uuid, data);
      const kept = async () => (await client.listData(run.uuid))[0]?.generated_summary;
      await expect.poll(kept).toBeTypeOf("string");
      return kept();
    };
    broken = 1;
    expect(await summaryOf("some data")).toBe("In short.");
    broken = 2;
    expect(await summaryOf("other data")).toBe("other data [truncated]");
    expect(oven.server.requests).toHaveLength(4);
  } finally {
    await oven.stop();
  }
});
