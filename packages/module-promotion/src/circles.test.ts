import type { PromotionFile } from "@oven/contract/workflow";
import { testDatabases } from "@oven/db/testing";
import type { TestOven } from "@oven/testing";
import { expect, inject, it } from "vitest";
import { startInstallation } from "./plan/testing/start-installation.ts";

/* Workflows that call each other, promoted by two people at once. */

const calling = (workflow: string) => ({
  initial: "go",
  states: {
    go: {
      always: [
        { target: "call", guard: { type: "condition", params: { key: "$.trigger.more", operator: ">", value: 0 } } },
        "done",
      ],
    },
    call: {
      invoke: {
        src: "core.callWorkflow",
        input: { workflow, input: { more: { $cel: "trigger.more - 1" } } },
        onDone: "done",
      },
    },
    done: { type: "final" },
  },
});

async function ok(oven: TestOven, method: string, path: string, body?: unknown) {
  const answer = await oven.call(method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

async function exportPingPong(): Promise<PromotionFile> {
  const from = await startInstallation();
  await ok(from, "POST", "workflows", {
    name: "Ping",
    definition: { initial: "done", states: { done: { type: "final" } } },
  });
  await ok(from, "POST", "workflows", { name: "Pong", definition: calling("ping") });
  await ok(from, "PUT", "workflows/ping", { definition: calling("pong") });
  const file = await ok(from, "GET", "workflows/ping/promotion");
  await from.stop();
  return file;
}

it.each(testDatabases(inject("postgresUrl")))("arrive whole, once, and run on $name", async ({ open }) => {
  const file = await exportPingPong();
  expect(file.workflows.map(({ slug }) => slug).toSorted()).toEqual(["ping", "pong"]);
  const test = await open();
  const to = await startInstallation(test.db);
  const plan = await ok(to, "POST", "promotions/plan", { file });
  expect(plan).toMatchObject({ missing: 0, items: [{ change: "create" }, { change: "create" }] });
  const apply = () => to.call("POST", "promotions/apply", { file, digest: plan.digest });
  const both = await Promise.all([apply(), apply()]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)?.body.error.code).toBe("PROMOTION_CHANGED");
  expect(await to.db.query("select slug from workflows order by slug")).toEqual([{ slug: "ping" }, { slug: "pong" }]);
  const again = await ok(to, "POST", "promotions/plan", { file });
  expect(again.items.map(({ change }: { change: string }) => change)).toEqual(["same", "same"]);
  const run = await ok(to, "POST", "workflows/ping/execute?wait=30", { input: { more: 2 } });
  expect(run).toMatchObject({ status: "completed", error: null });
  expect(await to.db.query("select 1 from workflow_executions")).toHaveLength(3);
  await to.stop();
  await test.close();
});
