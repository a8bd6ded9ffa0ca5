import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startTriggers, type TestClock, type TestTriggers } from "./triggers/testing/start-triggers.ts";

const HOUR = 3_600_000;
const target = (workflowId: number) => ({ kind: "workflow", workflowId });

describe.each(testDatabases(inject("postgresUrl")))("schedules on $name", ({ name, open }) => {
  const clock: TestClock = { now: new Date("2026-10-23T12:00:00Z") };
  let database: TestDatabase;
  let first: TestTriggers;
  /** Three on PostgreSQL; PGlite is one process's. */
  let all: TestTriggers[];
  beforeAll(async () => {
    database = await open();
    first = await startTriggers(clock, database.db);
    all = [first];
    if (name === "PostgreSQL") for (let more = 0; more < 2; more++) all.push(await startTriggers(clock, database.db));
  });
  afterAll(async () => {
    for (const one of all) await one.stop();
    await database.close();
  });

  /** All schedulers look at once, again and again, until the clock shows a later time. */
  async function pass(hours: number, step = HOUR): Promise<void> {
    for (const end = clock.now.getTime() + hours * HOUR; clock.now.getTime() < end; ) {
      clock.now = new Date(clock.now.getTime() + step);
      await Promise.all(all.map((one) => one.tick()));
    }
  }
  const started = async (id: number) =>
    (await first.deliveries(id)).filter(({ decision }) => decision === "started").map(({ key }) => key);

  it("one run per due instant over a week with a change of the clocks, however many look [001-159] [001-042]", async () => {
    const workflowId = await first.workflow("Report");
    const daily = await first.make({
      type: "schedule",
      name: "Every weekday at nine",
      target: target(workflowId),
      config: { cron: "0 9 * * MON-FRI", timezone: "Europe/Vienna" },
    });
    expect(daily.dueAt).toBe("2026-10-26T08:00:00.000Z");
    const hourly = await first.make({
      type: "schedule",
      name: "Every six hours",
      target: target(workflowId),
      config: { cron: "0 */6 * * *" },
    });
    await pass(7 * 24);
    expect(await started(daily.id)).toEqual(
      ["26", "27", "28", "29", "30"].map((day) => `at:2026-10-${day}T08:00:00.000Z`),
    );
    expect(await started(hourly.id)).toHaveLength(28);
    const runs = await first.oven.call("GET", `workflow-executions?filter={"workflowId":${workflowId}}&range=[0,99]`);
    expect(runs.body).toHaveLength(33);
    expect(runs.body[0]).toMatchObject({ triggerEvent: "schedule" });
    await first.oven.call("DELETE", `triggers/${daily.id}`);
    await first.oven.call("DELETE", `triggers/${hourly.id}`);
  });

  it("moves on to the next instant once it has fired", async () => {
    const workflowId = await first.workflow(`Moves on ${name}`);
    const { id } = await first.make({
      type: "schedule",
      name: "moves",
      target: target(workflowId),
      config: { cron: "0 * * * *" },
    });
    await pass(1);
    const { dueAt } = (await first.oven.call("GET", `triggers/${id}`)).body;
    expect(Date.parse(dueAt)).toBeGreaterThan(clock.now.getTime());
    await first.oven.call("DELETE", `triggers/${id}`);
  });

  it("after six hours down: none, one, or one for each, as each schedule says", async () => {
    const workflowId = await first.workflow("Catch up");
    const make = (misfire: string) =>
      first.make({
        type: "schedule",
        name: misfire,
        target: target(workflowId),
        config: { cron: "30 * * * *", misfire, misfireLimit: 4 },
      });
    const [skip, once, each] = [await make("skip"), await make("once"), await make("all")];
    clock.now = new Date(clock.now.getTime() + 6 * HOUR);
    await Promise.all(all.map((one) => one.tick()));
    expect([(await started(skip.id)).length, (await started(once.id)).length, (await started(each.id)).length]).toEqual(
      [0, 1, 4],
    );
    await pass(1, HOUR / 2);
    expect([(await started(skip.id)).length, (await started(once.id)).length, (await started(each.id)).length]).toEqual(
      [1, 2, 5],
    );
    for (const { id } of [skip, once, each]) await first.oven.call("DELETE", `triggers/${id}`);
  });

  it.each([
    ["skip", ["started", "skipped", "skipped"]],
    ["queue", ["started", "queued", "received"]],
    ["cancel", ["started", "started", "started"]],
    ["allow", ["started", "started", "started"]],
  ])("that overlap: %s", async (overlap, decisions) => {
    const workflowId = await first.workflow(`Slow ${overlap} ${name}`, true);
    const { id } = await first.make({
      type: "schedule",
      name: overlap,
      target: target(workflowId),
      overlap,
      config: { cron: "0 * * * *" },
    });
    await pass(3);
    const deliveries = await first.deliveries(id);
    expect(deliveries.map(({ decision }) => decision)).toEqual(decisions);
    const statuses = [];
    for (const { executionId } of deliveries)
      if (executionId !== null)
        statuses.push((await first.oven.call("GET", `workflow-executions/${executionId}`)).body.status);
    if (overlap === "cancel") {
      expect(statuses.slice(0, 2)).toEqual(["cancelled", "cancelled"]);
      expect(statuses[2]).not.toBe("cancelled");
    }
    if (overlap === "skip") expect(deliveries[1]?.reason).toContain(`Run ${deliveries[0]?.executionId} is still`);
    if (overlap === "queue") {
      await first.oven.call("POST", `workflow-executions/${deliveries[0]?.executionId}/events`, {
        event: "go",
        payload: null,
      });
      await expect
        .poll(async () => {
          clock.now = new Date(clock.now.getTime() + 20_000);
          await first.tick();
          return (await first.deliveries(id)).map(({ decision }) => decision);
        })
        .toEqual(["started", "started", "queued"]);
    }
    await first.oven.call("DELETE", `triggers/${id}`);
  });

  it("does not count a run that waits for a person, when the author says so", async () => {
    const workflowId = await first.workflow(`Parked ${name}`, true);
    const { id } = await first.make({
      type: "schedule",
      name: "parked",
      target: target(workflowId),
      overlap: "skip",
      overlapCountsPaused: false,
      config: { cron: "0 * * * *" },
    });
    await pass(1);
    const [run] = await first.deliveries(id);
    await expect
      .poll(async () => (await first.oven.call("GET", `workflow-executions/${run?.executionId}`)).body.status)
      .toBe("paused");
    await pass(1);
    expect((await first.deliveries(id)).map(({ decision }) => decision)).toEqual(["started", "started"]);
    await first.oven.call("DELETE", `triggers/${id}`);
  });

  it("a scheduler that dies between writing a delivery and starting its run: another one starts it, once", async () => {
    const workflowId = await first.workflow(`Crash ${name}`);
    const { id } = await first.make({
      type: "schedule",
      name: "crash",
      target: target(workflowId),
      config: { cron: "0 * * * *" },
    });
    await database.db.query(
      `insert into trigger_deliveries (tenant_id, trigger_id, key, payload, attempts, received_at, next_attempt_at)
       values (1, $1, 'at:earlier', '{}', 1, $2, $3)`,
      [id, clock.now.toISOString(), new Date(clock.now.getTime() + 30_000).toISOString()],
    );
    await Promise.all(all.map((one) => one.tick()));
    expect((await first.deliveries(id)).map(({ decision }) => decision)).toEqual(["received"]);
    clock.now = new Date(clock.now.getTime() + 31_000);
    await Promise.all(all.map((one) => one.tick()));
    expect((await first.deliveries(id)).map(({ decision }) => decision)).toEqual(["started"]);
    await first.oven.call("DELETE", `triggers/${id}`);
  });

  it.each([
    ["a cron every second", { cron: "* * * * * *" }, "at least 60 s must lie between", "$.config.cron"],
    ["a date in the past", { at: "2020-01-01T09:00:00Z" }, "is in the past", "$.config.at"],
    ["an unknown zone", { cron: "0 9 * * *", timezone: "Mars/Olympus" }, "is not a time zone", "$.config.timezone"],
    ["no cron expression at all", { cron: "often" }, "is not a cron expression", "$.config.cron"],
    ["a day that never comes", { cron: "0 0 30 2 *" }, "never fires", "$.config.cron"],
    ["both a cron and an instant", { cron: "0 9 * * *", at: "2030-01-01T00:00:00Z" }, "either cron or at", "$.config"],
    ["an unknown setting", { cron: "0 9 * * *", often: true }, "often", "$.config"],
  ])("refuses %s, starts nothing, and writes down who tried", async (_case, config, message, path) => {
    const workflowId = await first.workflow(`Bad ${_case} ${name}`);
    const tried = () =>
      database.db.query(
        "select action, outcome, status from audit_log where action = 'POST triggers' and status = 400",
      );
    const before = (await tried()).length;
    const { status, body } = await first.oven.call("POST", "triggers", {
      type: "schedule",
      name: "bad",
      target: target(workflowId),
      config,
    });
    expect([status, body.error.path]).toEqual([400, path]);
    expect(body.error.message).toContain(message);
    expect((await tried()).slice(before)).toEqual([{ action: "POST triggers", outcome: "refused", status: 400 }]);
    const runs = await first.oven.call("GET", `workflow-executions?filter={"workflowId":${workflowId}}`);
    expect(runs.body).toEqual([]);
  });
});
