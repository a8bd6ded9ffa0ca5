import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

describe.each(testDatabases(inject("postgresUrl")))("what runs came to on $name", ({ open }) => {
  let test: TestDatabase;
  let oven: TestOven;
  let ids: number[];
  let workflows: number[];
  beforeAll(async () => {
    test = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, db: test.db, modules });
    const definition = { initial: "done", states: { done: { type: "final" } } };
    ids = [];
    workflows = [];
    for (const name of ["One", "Other"]) {
      const { body: workflow } = await oven.call("POST", "workflows", { name, definition });
      workflows.push(workflow.id);
      for (let run = 0; run < 3; run += 1)
        ids.push((await oven.call("POST", `workflows/${workflow.id}/execute?wait=20`, {})).body.id);
    }
    // Of One: 1 s today, 3 s today, failed yesterday. Of Other: today, forty days ago, and one that is a child.
    await test.db.query(
      `update workflow_executions set created_at = v.at, started_at = v.at, completed_at = v.at + make_interval(secs => v.n),
         status = case when v.n = 5 then 'failed' else status end, cost_micros = v.n * 10,
         token_usage = json_build_object('input', v.n, 'output', 0, 'total', v.n), parent_id = case when v.n = 9 then 1 end
       from unnest($1::bigint[], array[1, 3, 5, 7, 8, 9]::int[], array[now(), now(), now() - interval '1 day', now(), now() - interval '40 days', now()])
         as v (id, n, at) where workflow_executions.id = v.id`,
      [ids],
      "spread-stats",
    );
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });
  const stats = async (query: string) => (await oven.call("GET", `workflow-executions/stats?${query}`)).body;

  it("is told by workflow, with the newest run of each, without children and without what is older", async () => {
    const [one, other] = await stats("by=workflow&days=30");
    expect(one).toMatchObject({
      ...{ key: String(workflows[0]), name: "One", runs: 3, completed: 2, failed: 1 },
      ...{ tokens: 9, costMicros: 90, medianMs: 3_000, p95Ms: 4_800, last: { id: ids[2], status: "failed" } },
    });
    expect(other).toMatchObject({ name: "Other", runs: 1, completed: 1, failed: 0, tokens: 7, last: { id: ids[3] } });
    expect(await stats("by=workflow&days=60")).toMatchObject([{ runs: 3 }, { runs: 2 }]);
  });

  it("is told by day, in order", async () => {
    const days = await stats("by=day&days=7");
    expect(
      days.map(({ runs, failed, name }: { runs: number; failed: number; name: null }) => [runs, failed, name]),
    ).toEqual([
      [1, 1, null],
      [3, 0, null],
    ]);
    expect(days[0].key < days[1].key).toBe(true);
    expect((await oven.call("GET", "workflow-executions/stats?days=0")).body.error.code).toBe("INVALID_REQUEST");
  });

  it("counts nothing for a key that is bound to another workflow", async () => {
    const [user] = await test.db.query<{ id: number }>("select id from users limit 1");
    await test.db.query(
      "insert into api_keys (name, key, reference_id, permissions, tenant_id, workflows) values ('bound', $1, $2::text, $3, 1, $4)",
      [await hash("bound-key"), user?.id, JSON.stringify({ "*": ["*"] }), [`workflow:${workflows[1]}`]],
    );
    const { body } = await oven.call("GET", "workflow-executions/stats?by=workflow&days=30", undefined, {
      key: "bound-key",
    });
    expect(body).toMatchObject([{ name: "Other", runs: 1 }]);
    expect(body).toHaveLength(1);
  });
});

async function hash(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return Buffer.from(digest).toString("base64url");
}
