import type { JsonObject } from "@oven/contract";
import type { GraphPolicyRule } from "@oven/contract/workflow";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { invite, startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

const END = { type: "final" };
const emit = { invoke: { src: "core.emit", input: { event: "bank.paid" }, onDone: "end" }, label: "Pay it" };
const review = { invoke: { src: "agent.humanReview", input: { show: "it" }, onDone: "pay" } };
const PAYS = { initial: "pay", states: { pay: emit, end: END } };
const ASKS = { initial: "ask", states: { ask: review, pay: emit, end: END } };
const RULE: GraphPolicyRule = { kind: "review-before", target: { nodeTypes: ["core.emit"] } };

let oven: TestOven;
beforeAll(async () => {
  oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }) });
});
afterAll(() => oven.stop());

async function make(resource: string, name: string, definition: JsonObject): Promise<number> {
  const { status, body } = await oven.call("POST", resource, { name, definition });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}
const attempt = (rule: GraphPolicyRule, as?: Parameters<TestOven["call"]>[3]) =>
  oven.call("POST", "graph-policies/try", { rule }, as);

/** The same workflow so many times more, each under a name of its own. */
async function copy(table: string, times: number, tenant?: number): Promise<void> {
  const columns = (
    await oven.db.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_name = $1 and column_name not in ('id', 'slug', 'tenant_id')`,
      [table],
    )
  ).map(({ name }) => `"${name}"`);
  await oven.db.query(
    `insert into ${table} (tenant_id, slug, ${columns}) select coalesce($2, tenant_id), slug || '-' || n || '-' || coalesce($2, 0), ${columns}
     from (select * from ${table} order by id limit 1) one, generate_series(1, $1::int) n`,
    [times, tenant ?? null],
  );
}

it("says which of all workflows a rule would refuse, and at which step, without saving it", async () => {
  const paying = await make("workflows", "Pays", PAYS);
  const asking = await make("agent-workflows", "Asks first", ASKS);
  await make("agent-workflows", "Another one that asks", ASKS);
  const draft = (definition: JsonObject) => ({ definition, baseVersion: 1, revision: 0 });
  expect((await oven.call("PUT", `agent-workflows/${asking}/draft`, draft(PAYS))).status).toBe(200);
  const broken = { initial: "gone", states: { end: END } };
  expect((await oven.call("PUT", `workflows/${paying}/draft`, draft(broken))).status).toBe(200);
  const { status, body } = await attempt(RULE);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({
    // With the two that all tenants share.
    published: { checked: 5, refused: 1 },
    drafts: { checked: 1, refused: 1 },
    invalidDrafts: 1,
    undecided: [],
    left: 0,
  });
  const problem = { step: "Pay it", path: "$.states.pay", message: expect.stringContaining("without a review") };
  expect(body.refused).toMatchObject([
    { kind: "workflow", id: paying, name: "Pays", of: "published", found: 1, problems: [problem] },
    { kind: "agent-workflow", id: asking, name: "Asks first", of: "draft", found: 1, problems: [problem] },
  ]);
  expect((await oven.call("GET", "graph-policies")).body).toEqual([]);
  expect((await oven.call("POST", `workflows/${paying}/execute`, { input: {} })).status).toBe(202);
  // The rule alone: what is saved already has no part in it.
  const saved = await oven.call("POST", "graph-policies", { name: "Mine", severity: "warning", rule: RULE });
  const other = await attempt({ kind: "forbidden-nodes", nodeTypes: ["agent.humanReview"] });
  expect(other.body.published).toEqual({ checked: 5, refused: 2 });
  await oven.call("DELETE", `graph-policies/${saved.body.id}`);
  expect((await attempt({ kind: "review-before", target: {} } as GraphPolicyRule)).status).toBe(400);
});

it("takes the permission to change policies, and those to see every kind of workflow", async () => {
  const editor = await invite(oven, "eva@example.com", ["editor"]);
  expect((await attempt(RULE, editor)).status).toBe(403);
  const keyOf = async (permissions: string[]) =>
    (await oven.call("POST", "api-keys", { name: permissions.join(), permissions })).body.key;
  const half = await keyOf(["policies.update", "workflows.read"]);
  const refused = await attempt(RULE, { key: half });
  expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining("agent-workflows.read")]);
  const whole = await keyOf(["policies.update", "workflows.read", "agent-workflows.read"]);
  expect((await attempt(RULE, { key: whole })).status).toBe(200);
});

it("sees no workflow of another tenant, and says how many were too many", async () => {
  const before = (await attempt(RULE)).body.published;
  await copy("workflows", 30, 2);
  expect((await attempt(RULE)).body.published).toEqual(before);
  await copy("workflows", 2_000);
  const { published, refused, left } = (await attempt(RULE)).body;
  expect([published.checked, left]).toEqual([2_000, before.checked]);
  expect(refused).toHaveLength(200);
});
