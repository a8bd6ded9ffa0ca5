import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createUsageService } from "../usage/usage-service.ts";
import { createWorkflowsModule } from "../workflows.module.ts";

describe("usage and quotas", () => {
  let oven: TestOven;
  beforeAll(async () => {
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules });
  });
  afterAll(() => oven.stop());

  let count = 0;
  async function run(src: string, input: object) {
    count++;
    const definition = {
      initial: "one",
      states: { one: { invoke: { src, input, onDone: "done" } }, done: { type: "final", output: "$.one_output" } },
    };
    const created = await oven.call("POST", "workflows", { name: `Usage ${count}`, definition });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    return (await oven.call("POST", `workflows/${created.body.id}/execute?wait=20`, {})).body;
  }
  const check = async (input: object) => (await run("core.checkQuota", input)).output;

  it("core.trackUsage counts per metric and subject, and core.checkQuota reads what is left", async () => {
    await run("core.trackUsage", { metric: "mails.sent", subject: "acme", amount: 3, metadata: { to: "a@b" } });
    await run("core.trackUsage", { metric: "mails.sent", subject: 7 });
    expect(await check({ metric: "mails.sent", subject: "acme", limit: 4 })).toEqual({
      allowed: true,
      used: 3,
      limit: 4,
      remaining: 1,
    });
    expect(await check({ metric: "mails.sent", subject: "acme", limit: 4, amount: 2 })).toMatchObject({
      allowed: false,
      remaining: 1,
    });
    expect(await check({ metric: "mails.sent", subject: "7", limit: 1 })).toMatchObject({ allowed: false, used: 1 });
    expect(await check({ metric: "mails.sent", limit: 1 })).toMatchObject({ allowed: true, used: 0 });
    expect(await check({ metric: "mails.sent", subject: "acme", limit: 1 })).toMatchObject({ remaining: 0 });
  });

  it("counts only the period that runs now, of the own tenant", async () => {
    const insert = (key: string, tenant: number, age: string) =>
      oven.db.query(
        `insert into usage_records (tenant_id, metric, subject, amount, execution_id, dedupe_key, created_at)
         values ($1, 'calls', '', 1, 1, $2, date_trunc('month', now(), 'UTC') + $3::interval)`,
        [tenant, key, age],
      );
    await insert("before", 1, "-1 second");
    await insert("within", 1, "0 seconds");
    await insert("other", 2, "0 seconds");
    expect(await check({ metric: "calls", limit: 9, period: "month" })).toMatchObject({ used: 1 });
    expect(await check({ metric: "calls", limit: 9, period: "total" })).toMatchObject({ used: 2 });
    await oven.db.query(
      "update usage_records set created_at = date_trunc('hour', now(), 'UTC') where dedupe_key = 'within'",
    );
    expect(await check({ metric: "calls", limit: 9, period: "hour" })).toMatchObject({ used: 1 });
    await oven.db.query(
      "update usage_records set created_at = date_trunc('hour', now(), 'UTC') - interval '1 second' where dedupe_key = 'within'",
    );
    expect(await check({ metric: "calls", limit: 9, period: "hour" })).toMatchObject({ used: 0 });
  });

  it("a repeated step counts once", async () => {
    const usage = createUsageService(oven.db);
    const entry = { tenantId: 1, metric: "once", subject: "", amount: 5, executionId: 1, dedupeKey: "k" };
    expect([await usage.record(entry), await usage.record(entry)]).toEqual([true, false]);
    expect(await usage.used(entry, "total")).toBe(5);
    expect(await usage.record({ ...entry, tenantId: 2 })).toBe(true);
    const { id } = await run("core.trackUsage", { metric: "keyed" });
    const [row] = await oven.db.query(
      "select execution_id, length(dedupe_key) as length from usage_records where metric = 'keyed'",
    );
    expect(row).toEqual({ execution_id: id, length: 64 });
  });

  it("refuses what cannot be counted, when it is published", async () => {
    for (const input of [
      { metric: "" },
      { metric: "a b" },
      { metric: "a", amount: -1 },
      { metric: "a", subject: "x".repeat(201) },
    ]) {
      const definition = {
        initial: "one",
        states: { one: { invoke: { src: "core.trackUsage", input, onDone: "done" } }, done: { type: "final" } },
      };
      expect((await oven.call("POST", "workflows", { name: "Refused", definition })).status).toBe(400);
    }
  });
});
