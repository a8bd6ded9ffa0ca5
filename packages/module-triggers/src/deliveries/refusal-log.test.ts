import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTriggers, type TestTriggers } from "../triggers/testing/start-triggers.ts";
import { RefusalLog } from "./refusal-log.ts";

describe("the log of what was turned away", () => {
  const now = new Date("2026-11-01T12:00:00Z");
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  let server: TestTriggers;
  let ids: number[];
  beforeAll(async () => {
    server = await startTriggers({ now });
    const target = { kind: "workflow", workflowId: await server.workflow("Any") };
    ids = [];
    for (const name of ["One", "Two"]) ids.push((await server.make({ type: "webhook", name, target })).id);
  });
  afterAll(() => server.stop());

  it("has 120 rows a minute of one trigger at most, whoever floods it, and those of another one besides", async () => {
    const log = new RefusalLog(server.db);
    const [one = 0, two = 0] = ids;
    const refuse = (id: number, at: Date) =>
      log.write({ id, tenantId: 1 }, { decision: "refused", reason: "BAD: no", payload: {} }, at);
    const count = async (id: number) => (await server.deliveries(id)).length;
    for (let request = 0; request < 130; request++) await refuse(one, later(request / 10));
    expect(await count(one)).toBe(120);
    await refuse(two, later(13));
    expect(await count(two)).toBe(1);
    await refuse(one, later(59));
    expect(await count(one)).toBe(120);
    await refuse(one, later(60));
    expect(await count(one)).toBe(121);
  });
});
