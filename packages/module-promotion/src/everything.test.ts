import type { PromotedEverything } from "@oven/contract/workflow";
import type { TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startInstallation } from "./plan/testing/start-installation.ts";

const definition = { initial: "done", states: { done: { type: "final" } } };

let oven: TestOven;
beforeAll(async () => {
  oven = await startInstallation();
});
afterAll(() => oven.stop());

async function ok(method: string, path: string, body?: unknown, options: { key?: string } = {}) {
  const answer = await oven.call(method, path, body, options);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}
const everything = (): Promise<PromotedEverything> => ok("GET", "promotions/everything");
const keyWith = async (permissions: string[]): Promise<string> =>
  (await ok("POST", "api-keys", { name: "Reader", permissions })).key;

it("has each item of the tenant once, with names for ids, and nothing of other tenants", async () => {
  await ok("POST", "ai-aliases", { name: "house", model: "simulated:clerk" });
  const inner = await ok("POST", "workflows", { name: "Inner", definition });
  const shared = await ok("POST", "workflows", { name: "Shared", definition });
  const foreign = await ok("POST", "workflows", { name: "Foreign", definition });
  await oven.db.query("update workflows set tenant_id = 0 where id = $1", [shared.id]);
  await oven.db.query("update workflows set tenant_id = 77 where id = $1", [foreign.id]);
  const call = (workflow: number) => ({
    initial: "call",
    states: {
      call: { invoke: { src: "core.callWorkflow", input: { workflow, input: {} }, onDone: "done" } },
      done: { type: "final" },
    },
  });
  await ok("POST", "workflows", { name: "First", definition: call(inner.id) });
  await ok("POST", "workflows", { name: "Second", definition: call(shared.id) });
  const { workflows } = await everything();
  expect(workflows.map(({ slug }) => slug)).toEqual(["first", "inner", "second"]);
  const called = workflows.map(({ definition: { states } }) => /"workflow":"(\w+)"/.exec(JSON.stringify(states))?.[1]);
  expect(called).toEqual(["inner", undefined, "shared"]);
});

it("leaves out the workflow that an agent's settings make, and says so where it has triggers", async () => {
  await ok("POST", "agents", { name: "Quiet", model: "house" });
  const { runsWorkflowId } = await ok("POST", "agents", { name: "Busy", model: "house" });
  const given = { target: { kind: "agent-workflow", workflowId: runsWorkflowId }, config: {}, input: { messages: [] } };
  for (const name of ["Mail", "Form"]) await ok("POST", "triggers", { type: "webhook", name, ...given });
  const { workflows, agents, triggers, notExported } = await everything();
  expect(agents.map(({ slug }) => slug)).toEqual(["busy", "quiet"]);
  expect(workflows.filter(({ kind }) => kind === "agent-workflow")).toEqual([]);
  expect(triggers).toEqual([]);
  expect(notExported).toMatchObject([{ kind: "agent-workflow", slug: "busy" }]);
});

it("withholds what the caller may not read, and says so", async () => {
  const all = ["workflows.read", "agent-workflows.read", "agents.read", "triggers.read", "tables.read"];
  await ok("POST", "tables", { name: "Orders", columns: [] });
  const target = { kind: "workflow", workflowId: (await ok("GET", "workflows/first")).id };
  await ok("POST", "triggers", { type: "webhook", name: "Own", target, config: {} });
  await ok("POST", "agent-workflows", { name: "Asking", definition });
  const seen = async (permissions: string[]) => {
    const answer: PromotedEverything = await ok("GET", "promotions/everything", undefined, {
      key: await keyWith(permissions),
    });
    const { workflows, agents, triggers, tables, withheld } = answer;
    const kinds = [
      ...workflows.map(({ kind }) => kind),
      ...agents.map(() => "agent"),
      ...triggers.map(() => "trigger"),
      ...tables.map(() => "table"),
    ];
    return { kinds: [...new Set(kinds)], withheld };
  };
  const kinds = ["agent-workflow", "workflow", "agent", "trigger", "table"];
  expect(await seen(all)).toEqual({ kinds, withheld: [] });
  for (const [permission, without] of [
    ["agent-workflows.read", ["agent-workflow", "agent"]],
    ["agents.read", ["agent"]],
    ["triggers.read", ["trigger"]],
    ["tables.read", ["table"]],
  ] as const)
    expect(await seen(all.filter((one) => one !== permission))).toEqual({
      kinds: kinds.filter((kind) => !without.some((one) => one === kind)),
      withheld: without,
    });
  const refused = await oven.call("GET", "promotions/everything", undefined, { key: await keyWith(all.slice(1)) });
  expect([refused.status, refused.body.error?.code]).toEqual([403, "FORBIDDEN"]);
});

it("leaves the id of what the caller may not read where it stands", async () => {
  const { id } = await ok("GET", "agents/quiet");
  const ask = { invoke: { src: "agent.subagent", input: { agent: id, message: "Hello" }, onDone: "done" } };
  const asking = { initial: "ask", states: { ask, done: { type: "final" } } };
  await ok("POST", "agent-workflows", { name: "Names it", definition: asking });
  const key = await keyWith(["workflows.read", "agent-workflows.read"]);
  const named = async (options: { key?: string }) => {
    const { workflows }: PromotedEverything = await ok("GET", "promotions/everything", undefined, options);
    return /"agent":"?(\w+)/.exec(JSON.stringify(workflows.find(({ slug }) => slug === "names-it")))?.[1];
  };
  expect([await named({}), await named({ key })]).toEqual(["quiet", String(id)]);
});
