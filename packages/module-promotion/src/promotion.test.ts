import type { PromotedItem, PromotedReference, PromotionFile } from "@oven/contract/workflow";
import type { TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startInstallation } from "./plan/testing/start-installation.ts";

/* A workflow of one installation, promoted to another one, in which models, agents and secrets are called otherwise. */

const SECRET = { value: "a-value-that-stays-where-it-is", hosts: ["api.example.com"] };
const final = { type: "final" };
const notify = {
  initial: "wanted",
  states: {
    wanted: {
      always: [{ target: "call", guard: { type: "condition", params: { key: "$.url", operator: "exists" } } }, "done"],
    },
    call: {
      invoke: {
        src: "core.http",
        input: {
          url: "$.trigger.url",
          urlSecrets: { hook: { $secret: "crm-key" } },
          query: { key: { $secret: "crm-key" } },
          headers: { authorization: { $secret: "crm-key", prefix: "Bearer " } },
        },
        onDone: "done",
      },
    },
    done: { ...final, output: "told" },
  },
};
const main = (clerk: string | number, inner: string | number) => ({
  initial: "ask",
  states: {
    ask: { invoke: { src: "agent.subagent", input: { agent: clerk, message: "Where is 7?" }, onDone: "each" } },
    each: {
      loop: {
        type: "forEach",
        collection: [1, 2],
        bodyInitial: "tell",
        bodyStates: {
          tell: { invoke: { src: "core.callWorkflow", input: { workflow: inner, input: {} }, onDone: "told" } },
          told: final,
        },
        onDone: "say",
      },
    },
    say: { invoke: { src: "agent.llm", input: { model: "house", prompt: "Say yes" }, onDone: "done" } },
    done: { ...final, output: "$.ask_output.text" },
  },
});

let from: TestOven;
let to: TestOven;
let file: PromotionFile;

async function ok(oven: TestOven, method: string, path: string, body?: unknown) {
  const answer = await oven.call(method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}
const exported = (oven: TestOven, path = "agent-workflows/main") => ok(oven, "GET", `${path}/promotion`);
const changes = (items: PromotedItem[]) =>
  Object.fromEntries(items.map(({ kind, name, change }) => [`${kind} ${name}`, change]));
const missing = (references: PromotedReference[]) =>
  references.flatMap(({ kind, name, state }) => (state === "missing" ? [`${kind} ${name}`] : []));
/** Everything that an import writes. */
const rows = async (oven: TestOven) => {
  const tables = ["workflows", "workflow_versions", "agent_workflows", "agent_workflow_versions", "agents"];
  const all = [...tables, "agent_versions", "triggers", "outbox_events"];
  return Promise.all(all.map((table) => oven.db.query(`select * from ${table} order by 1`)));
};

beforeAll(async () => {
  [from, to] = await Promise.all([startInstallation(), startInstallation()]);
  await ok(from, "POST", "ai-aliases", { name: "house", model: "simulated:clerk" });
  await ok(from, "POST", "secrets", { name: "crm-key", ...SECRET });
  const inner = await ok(from, "POST", "workflows", { name: "Notify", tags: ["b", "a"], definition: notify });
  const clerk = await ok(from, "POST", "agents", {
    ...{ name: "Clerk", model: "house", systemPrompt: "You know orders.", toolBindings: ["shop.*"] },
  });
  const definition = main(clerk.id, inner.id);
  const { id: workflowId } = await ok(from, "POST", "agent-workflows", { name: "Main", definition });
  await ok(from, "POST", "triggers", {
    ...{ type: "webhook", name: "Orders", target: { kind: "agent-workflow", workflowId } },
    config: { signature: { style: "github", secret: "crm-key" } },
  });
  file = await exported(from);
});
afterAll(async () => {
  await Promise.all([from.stop(), to.stop()]);
});

it("a file has what the workflow calls and whom it asks, by slugs and names, and no secret's value", async () => {
  expect(file.root).toEqual({ kind: "agent-workflow", slug: "main" });
  expect(file.workflows.map(({ kind, slug }) => `${kind} ${slug}`)).toEqual(["agent-workflow main", "workflow notify"]);
  expect(file.agents).toMatchObject([{ slug: "clerk", workflow: null, settings: { toolBindings: ["shop.*"] } }]);
  expect(file.triggers).toMatchObject([{ type: "webhook", name: "Orders", target: { slug: "main" } }]);
  const text = JSON.stringify(file);
  expect(text).toContain('"agent":"clerk"');
  expect(text).toContain('"workflow":"notify"');
  expect(text).toContain('"$secret":"crm-key"');
  expect(text).not.toContain(SECRET.value);
  expect(text).not.toMatch(/"(token|enabled|workflowId)"/);
});

it("a plan says what is not here, and nothing is written before all is mapped", async () => {
  const before = await rows(to);
  const plan = await ok(to, "POST", "promotions/plan", { file });
  expect(missing(plan.references)).toEqual(["model house", "secret crm-key"]);
  expect(plan.references).toContainEqual(
    expect.objectContaining({ kind: "tool", name: "shop.*", state: "found", usedBy: ["clerk"] }),
  );
  expect(plan.references).toContainEqual(expect.objectContaining({ kind: "agent", name: "clerk", state: "included" }));
  expect(plan.choices.model).toContain("fast");
  const refused = await to.call("POST", "promotions/apply", { file, digest: plan.digest });
  expect(refused.body.error).toMatchObject({ code: "PROMOTION_UNMAPPED", details: { missing: [{}, {}] } });
  const unknown = await to.call("POST", "promotions/plan", { file, mapping: { model: { none: "fast" } } });
  expect(unknown.body.error).toMatchObject({ code: "PROMOTION_MAPPING_UNKNOWN", path: "$.mapping.model" });
  expect(await rows(to)).toEqual(before);
});

const mapping = { model: { house: "eu" }, secret: { "crm-key": "crm-eu" } };

it("a fault at any table leaves nothing, and what was shown is what is applied", async () => {
  await ok(to, "POST", "ai-aliases", { name: "eu", model: "simulated:clerk" });
  await ok(to, "POST", "secrets", { name: "crm-eu", ...SECRET });
  const { digest, missing: count } = await ok(to, "POST", "promotions/plan", { file, mapping });
  expect(count).toBe(0);
  await to.db.query(
    "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$",
  );
  const before = await rows(to);
  for (const table of ["agent_workflow_versions", "agents", "agent_versions", "triggers", "outbox_events"]) {
    await to.db.query(
      `create trigger refuse before insert or update on ${table} for each row execute function refuse()`,
    );
    expect((await to.call("POST", "promotions/apply", { file, mapping, digest })).status, table).toBeGreaterThan(399);
    await to.db.query(`drop trigger refuse on ${table}`);
    expect(await rows(to), `half of it is there when ${table} refuses`).toEqual(before);
  }
  const other = await to.call("POST", "promotions/apply", { file, mapping: {}, digest, allowMissing: true });
  expect(other.body.error).toMatchObject({ code: "PROMOTION_CHANGED" });
  await ok(to, "POST", "workflows", { name: "Notify", definition: { initial: "d", states: { d: final } } });
  const stale = await to.call("POST", "promotions/apply", { file, mapping, digest });
  expect(stale.status).toBe(409);
});

it("what was promoted runs to its end, differs as the plan showed, and its trigger waits to be switched on", async () => {
  const plan = await ok(to, "POST", "promotions/plan", { file, mapping });
  expect(changes(plan.items)).toEqual({
    "agent-workflow main": "create",
    "workflow notify": "update",
    "agent clerk": "create",
    "trigger Orders": "create",
  });
  const notified = plan.items.find(({ name }: PromotedItem) => name === "notify");
  expect(notified.definition).toMatchObject({ added: expect.arrayContaining(["wanted", "call"]), removed: ["d"] });
  const report = await ok(to, "POST", "promotions/apply", { file, mapping, digest: plan.digest });
  expect(report.root).toMatchObject({ kind: "agent-workflow", slug: "main", id: expect.any(Number) });

  const run = await ok(to, "POST", "agent-workflows/main/execute?wait=20", {});
  expect(run).toMatchObject({ status: "completed", output: "It is order 7, delivered." });
  const [trigger] = await ok(to, "GET", "triggers");
  expect(trigger).toMatchObject({ enabled: false, config: { signature: { secret: "crm-eu" } } });
  const { definition } = await ok(to, "GET", "workflows/notify");
  expect(definition.states.call.invoke.input).toMatchObject({
    urlSecrets: { hook: { $secret: "crm-eu" } },
    query: { key: { $secret: "crm-eu" } },
    headers: { authorization: { $secret: "crm-eu" } },
  });
  expect(await ok(to, "GET", "agents/clerk")).toMatchObject({ model: "eu", version: 1 });
  const [audit] = await to.db.query(
    "select outcome from audit_log where action = 'POST promotions/apply' order by id desc",
  );
  expect(audit).toEqual({ outcome: "done" });
});

it("the same once more changes nothing, and what is exported there is the same file with its names", async () => {
  const plan = await ok(to, "POST", "promotions/plan", { file, mapping });
  expect(new Set(Object.values(changes(plan.items)))).toEqual(new Set(["same"]));
  const before = await rows(to);
  await ok(to, "POST", "promotions/apply", { file, mapping, digest: plan.digest });
  expect(await rows(to)).toEqual(before);
  const there = await exported(to);
  const renamed = JSON.parse(JSON.stringify(file).replaceAll("crm-key", "crm-eu").replaceAll('"house"', '"eu"'));
  expect(there).toEqual(renamed);
  expect(await exported(from)).toEqual(file);
});

it("an agent that is here takes the place of the file's, and a draft leaves what is published alone", async () => {
  await ok(to, "POST", "agents", { name: "Own clerk", model: "eu", toolBindings: ["shop.find"] });
  const mapped = { ...mapping, agent: { clerk: "own-clerk" } };
  const given = { file, mapping: mapped, publish: false };
  const plan = await ok(to, "POST", "promotions/plan", given);
  expect(changes(plan.items)).toMatchObject({ "agent-workflow main": "draft", "agent clerk": "mapped" });
  await ok(to, "POST", "promotions/apply", { ...given, digest: plan.digest });
  const { version, definition } = await ok(to, "GET", "agent-workflows/main");
  expect([version, definition.states.ask.invoke.input.agent]).toEqual([1, "clerk"]);
  const draft = await ok(to, "GET", "agent-workflows/main/draft");
  expect(draft.definition.states.ask.invoke.input.agent).toBe("own-clerk");
  expect(changes((await ok(to, "POST", "promotions/plan", given)).items)["agent-workflow main"]).toBe("same");
});

it("a call of a numbered version is no reference that another installation knows", async () => {
  const states = {
    call: { invoke: { src: "core.callWorkflow", input: { workflow: "notify", workflowVersion: 1 }, onDone: "d" } },
    d: final,
  };
  await ok(from, "POST", "workflows", { name: "Numbered", definition: { initial: "call", states } });
  const { body } = await from.call("GET", "workflows/numbered/promotion");
  expect(body.error).toMatchObject({ code: "PROMOTION_VERSION_NAMED" });
});

it("a plan shows what is here only to those who may read it, and a file has each item once", async () => {
  const { key } = await ok(to, "POST", "api-keys", { name: "Importer", permissions: ["promotions.create"] });
  const plan = (given: unknown) => to.call("POST", "promotions/plan", given, { key });
  for (const permission of ["agent-workflows.read", "agents.read", "triggers.read"]) {
    const others = ["workflows.read", "agent-workflows.read", "agents.read", "triggers.read"].filter(
      (one) => one !== permission,
    );
    const made = await ok(to, "POST", "api-keys", {
      ...{ name: `Without ${permission}`, permissions: ["promotions.create", ...others] },
    });
    const refused = await to.call("POST", "promotions/plan", { file, mapping }, { key: made.key });
    expect([refused.status, refused.body.error?.code], permission).toEqual([403, "FORBIDDEN"]);
  }
  expect((await plan({ file, mapping })).status).toBe(403);
  const twice = await to.call("POST", "promotions/plan", {
    file: { ...file, workflows: [...file.workflows, ...file.workflows], agents: [...file.agents, ...file.agents] },
  });
  expect(twice.status).toBe(400);
});
