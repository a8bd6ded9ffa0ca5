import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AgentOven, startAgentOven } from "../agents/testing/agent-oven.ts";

let oven: AgentOven;
let viewer: string;
let operator: string;
/** May call tools by hand, and none of the shop. */
let outsider: string;

beforeAll(async () => {
  oven = await startAgentOven(() => ({ text: "Yes." }));
  const permissions = ["tools.read", "tools.call"];
  const role = await oven.call("POST", "roles", { name: "outsider", title: "Outsider", permissions });
  expect(role.status, JSON.stringify(role.body)).toBe(201);
  [viewer, operator, outsider] = await Promise.all([
    oven.keyFor("viewer"),
    oven.keyFor("operator"),
    oven.keyFor("outsider"),
  ]);
});
beforeEach(() => {
  oven.calls.length = 0;
});
afterAll(() => oven.stop());

const both = encodeURIComponent(JSON.stringify({ group: "shop", granted: [true, false] }));
const shop = encodeURIComponent(JSON.stringify({ group: "shop" }));

test("the catalogue shows what may be called, and the rest when asked, each with what it needs", async () => {
  const ids = async (filter: string, key: string) => {
    const { body } = await oven.call("GET", `tools?filter=${filter}`, undefined, { key });
    return body.map(({ id, granted }: { id: string; granted: boolean }) => [id, granted]);
  };
  expect(await ids(shop, operator)).toEqual([
    ["shop.get", true],
    ["shop.list", true],
    ["shop.pay", true],
  ]);
  expect(await ids(shop, outsider)).toEqual([]);
  expect(await ids(both, outsider)).toEqual([
    ["shop.get", false],
    ["shop.list", false],
    ["shop.pay", false],
  ]);
  const one = await oven.call("GET", "tools/shop.pay", undefined, { key: outsider });
  expect(one.body).toMatchObject({ id: "shop.pay", permission: "shop.use", granted: false, effect: "at-most-once" });
  expect((await oven.call("GET", "tools/shop.none")).body.error).toMatchObject({ code: "TOOL_UNKNOWN" });
});

test("a tool is called by hand as whoever is signed in, checked as a model's call, and written down", async () => {
  const call = (id: string, args: object, key: string) =>
    oven.call("POST", `tools/${id}/call`, { arguments: args }, { key });
  const done = await call("shop.get", { id: 7 }, operator);
  expect(done.body).toMatchObject({ result: { seen: 7 }, error: null, durationMs: expect.any(Number) });
  expect(oven.calls).toEqual([["shop.get", { id: 7 }]]);

  expect((await call("shop.get", { id: "7" }, operator)).body.error).toMatchObject({
    code: "TOOL_INPUT_INVALID",
    path: "$.id",
  });
  expect((await call("shop.get", { id: 7 }, outsider)).body.error).toMatchObject({
    code: "FORBIDDEN",
    details: { permission: "shop.use" },
  });
  expect((await call("shop.get", { id: 7 }, viewer)).body.error).toMatchObject({
    code: "FORBIDDEN",
    details: { permission: "tools.call" },
  });
  expect(oven.calls).toHaveLength(1);
  const written = await oven.db.query(
    "select action, outcome, target_id from audit_log where action like 'POST tools%' order by id",
  );
  expect(written).toEqual([
    { action: "POST tools/[id]/call", outcome: "done", target_id: "shop.get" },
    { action: "POST tools/[id]/call", outcome: "refused", target_id: "shop.get" },
    { action: "POST tools/[id]/call", outcome: "refused", target_id: "shop.get" },
    { action: "POST tools/[id]/call", outcome: "refused", target_id: "shop.get" },
  ]);
});

test("a tool that needs approval is not called by hand: neither an operator nor an owner approves it alone", async () => {
  const pay = (args: object, key?: string) =>
    oven.call("POST", "tools/shop.pay/call", { arguments: args }, key === undefined ? {} : { key });
  for (const key of [operator, undefined]) {
    const refused = await pay({ id: 7 }, key);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({ code: "APPROVAL_NEEDED", message: expect.stringContaining("shop.pay") });
  }
  expect((await pay({ id: 7 }, outsider)).body.error).toMatchObject({ code: "FORBIDDEN" });
  expect((await pay({ id: "7" }, operator)).body.error).toMatchObject({ code: "TOOL_INPUT_INVALID" });
  expect(oven.calls).toEqual([]);
});

test("no model can reach every tool by the route that calls them by hand", async () => {
  const { body } = await oven.call("GET", `tools?filter=${encodeURIComponent('{"group":"agents"}')}&range=[0,99]`);
  const ids = body.map(({ id }: { id: string }) => id);
  expect(ids).toContain("agents.tools.uses");
  expect(ids.filter((id: string) => /tools\.call/.test(id))).toEqual([]);
});

test("who uses a tool or a model is told once each, by the words that name it", async () => {
  const node = { src: "agent.toolLoop", input: { prompt: "Hi", model: "openai:house", tools: ["shop.get"] } };
  const states = { ask: { invoke: { ...node, onDone: "end" } }, end: { type: "final" } };
  const workflow = await oven.call("POST", "agent-workflows", { name: "Asks", definition: { initial: "ask", states } });
  expect(workflow.status, JSON.stringify(workflow.body)).toBe(201);
  const settings = { model: "openai:house", toolBindings: ["shop.*", "!shop.pay"] };
  const agent = await oven.call("POST", "agents", { name: "Clerk", ...settings });
  const said = { ...node, input: { ...node.input, model: "fast", tools: ["shop.getter"] } };
  const unlike = { ask: { invoke: { ...said, onDone: "end" } }, end: { type: "final" } };
  await oven.call("POST", "agent-workflows", { name: "Other", definition: { initial: "ask", states: unlike } });

  const uses = async (path: string, key?: string) =>
    (await oven.call("GET", path, undefined, key === undefined ? {} : { key })).body;
  const clerk = { kind: "agent", id: agent.body.id, slug: "clerk", name: "Clerk" };
  const asks = { kind: "agent-workflow", id: workflow.body.id, slug: "asks", name: "Asks" };
  expect(await uses("tools/shop.get/uses")).toEqual({
    uses: [
      { ...clerk, as: "shop.*" },
      { ...asks, as: "shop.get" },
    ],
    truncated: false,
  });
  expect(await uses("tools/shop.pay/uses")).toEqual({ uses: [], truncated: false });
  expect(await uses("tools/shop.get/uses", outsider)).toEqual({ uses: [], truncated: false });
  expect(await uses("model-uses?model=openai:house")).toMatchObject({ uses: [clerk, asks] });
});
