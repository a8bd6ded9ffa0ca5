import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTriggers, type TestClock, type TestTriggers } from "./triggers/testing/start-triggers.ts";

describe("a workflow runs", () => {
  const clock: TestClock = { now: new Date("2026-11-02T08:00:00Z") };
  let server: TestTriggers;
  let workflowId: number;
  beforeAll(async () => {
    server = await startTriggers(clock);
    workflowId = await server.workflow("Report");
  });
  afterAll(() => server.stop());

  const make = (name: string, config: object) =>
    server.make({ type: "schedule", name, target: { kind: "workflow", workflowId }, config });
  const at = async (instant: string) => {
    clock.now = new Date(instant);
    await server.tick();
  };
  const runs = async () =>
    (
      await server.oven.call("GET", `workflow-executions?filter={"workflowId":${workflowId}}&sort=["id","ASC"]`)
    ).body.map(({ triggerEvent }: { triggerEvent: string | null }) => triggerEvent);
  const scheduledAt = async (id: number) =>
    (await server.deliveries(id)).map(({ payload }) => (payload as { scheduledAt: string }).scheduledAt); // cast: of a schedule

  it("at once, once at an instant, and by a schedule, each at its time and not before [001-002] [001-158]", async () => {
    await server.oven.call("POST", `workflows/${workflowId}/execute?wait=10`, {});
    expect(await runs()).toEqual([null]);
    const once = await make("once", { at: "2026-11-03T09:00:00+01:00" });
    const weekly = await make("weekly", { cron: "0 9 * * TUE", timezone: "Europe/Vienna" });
    expect([once.dueAt, weekly.dueAt]).toEqual(["2026-11-03T08:00:00.000Z", "2026-11-03T08:00:00.000Z"]);
    await at("2026-11-03T07:59:59Z");
    expect(await runs()).toEqual([null]);
    await at("2026-11-03T08:00:00Z");
    expect(await runs()).toEqual([null, "schedule", "schedule"]);
    await at("2026-11-10T08:00:00Z");
    await at("2026-11-10T08:00:30Z");
    expect(await scheduledAt(once.id)).toEqual(["2026-11-03T08:00:00.000Z"]);
    expect(await scheduledAt(weekly.id)).toEqual(["2026-11-03T08:00:00.000Z", "2026-11-10T08:00:00.000Z"]);
    expect((await server.oven.call("GET", `triggers/${once.id}`)).body.dueAt).toBeNull();
  });

  it("not while its schedule is switched off, and from then on once it is on again", async () => {
    const { id } = await make("pausing", { cron: "0 12 * * *" });
    await server.oven.call("PUT", `triggers/${id}`, { enabled: false });
    await at("2026-11-11T12:00:00Z");
    await at("2026-11-12T12:00:00Z");
    expect(await server.deliveries(id)).toEqual([]);
    clock.now = new Date("2026-11-12T13:00:00Z");
    const { body } = await server.oven.call("PUT", `triggers/${id}`, { enabled: true });
    expect(body.dueAt).toBe("2026-11-13T12:00:00.000Z");
    await at("2026-11-13T12:00:00Z");
    expect(await scheduledAt(id)).toEqual(["2026-11-13T12:00:00.000Z"]);
  });

  it("by its new schedule alone once that was changed, also when the old one was due just then", async () => {
    const { id } = await make("changing", { cron: "0 15 * * *" });
    clock.now = new Date("2026-11-14T15:00:00Z");
    const { status } = await server.oven.call("PUT", `triggers/${id}`, { config: { cron: "0 18 * * *" } });
    expect(status).toBe(200);
    await server.tick();
    expect(await server.deliveries(id)).toEqual([]);
    await at("2026-11-14T18:00:00Z");
    expect(await scheduledAt(id)).toEqual(["2026-11-14T18:00:00.000Z"]);
  });
});
