import type { JsonObject } from "@oven/contract";
import { installedModules } from "@oven/installation";
import { createRuntime, defineModule, defineTool } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

const bank = defineModule({
  name: "module-bank",
  namespace: "bank",
  description: "For tests.",
  dependencies: [],
  permissions: [{ id: "bank.use", title: "Use the bank" }],
  tools: ["bank.pay", "bank.askedPay"].map((id) =>
    defineTool({
      id,
      title: id,
      description: "Pays",
      input: z.strictObject({}),
      output: z.strictObject({}),
      effect: "at-most-once",
      tags: ["money"],
      needsApproval: id === "bank.askedPay",
      permission: "bank.use",
      run: async () => ({}),
    }),
  ),
});

const MONEY = { kind: "review-before", target: { tags: ["money"] } };
const END = { type: "final" };
const invoke = (src: string, onDone: string, input: JsonObject = {}) => ({ invoke: { src, input, onDone } });
const paying = (tools: string[]) => ({
  initial: "draft",
  states: {
    draft: invoke("agent.toolLoop", "end", { prompt: "Pay", tools, model: "simulated:echo" }),
    end: END,
  },
});

let oven: TestOven;
let count = 0;

beforeAll(async () => {
  oven = await startTestOven({
    createRuntime,
    modules: [...installedModules({ demo: false }), bank],
  });
});
afterAll(() => oven.stop());
afterEach(async () => {
  for (const { id } of (await oven.call("GET", "graph-policies")).body)
    await oven.call("DELETE", `graph-policies/${id}`);
});

const publish = (definition: JsonObject, kind = "agent-workflows") =>
  oven.call("POST", kind, { name: `Bound ${++count}`, definition });
async function policy(rule: JsonObject, more: JsonObject = {}): Promise<number> {
  const made = await oven.call("POST", "graph-policies", { name: `Policy ${++count}`, rule, ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}
const codeOf = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
];

describe("a policy on graphs", () => {
  it("is told while editing and refuses publishing, with the way that it refuses", async () => {
    await policy(MONEY);
    const definition = paying(["bank.pay"]);
    const problem = {
      path: "$.states.draft",
      rule: "policy",
      severity: "error",
      message: expect.stringContaining(
        "the tool bank.pay is reached without a review: draft → draft.start → draft.llm → draft.tools",
      ),
    };
    const checked = await oven.call("POST", "agent-workflows/validate", { definition });
    expect([checked.status, checked.body.problems]).toEqual([200, [expect.objectContaining(problem)]]);
    const refused = await publish(definition);
    expect(codeOf(refused)).toEqual([400, "INVALID_DEFINITION"]);
    expect(refused.body.error.details.problems).toEqual([expect.objectContaining(problem)]);
    expect((await publish(paying(["bank.askedPay"]))).status).toBe(201);
    // What is computed may be any tool.
    const computed = paying([]);
    expect(
      codeOf(
        await publish({
          ...computed,
          states: { ...computed.states, draft: invoke("agent.toolLoop", "end", { tools: "$.trigger.tools" }) },
        }),
      )[0],
    ).toBe(400);
  });

  it("holds for the calls of programs, and for the model that writes them", async () => {
    await policy(MONEY);
    const program = (tools: string[], more: JsonObject = {}) => ({
      initial: "draft",
      states: {
        draft: invoke("agent.code", "end", { prompt: "Pay", tools, model: "simulated:echo", ...more }),
        end: END,
      },
    });
    const given: JsonObject[] = [{}, { code: "await bank_pay()" }];
    for (const more of given) {
      const refused = await publish(program(["bank.pay"], more));
      expect(codeOf(refused)).toEqual([400, "INVALID_DEFINITION"]);
      expect(JSON.stringify(refused.body)).toContain("the tool bank.pay is reached without a review");
    }
    expect((await publish(program(["bank.askedPay"]))).status).toBe(201);
    await policy({ kind: "allowed-models", models: ["openai:*"] });
    expect(JSON.stringify((await publish(program(["bank.askedPay"]))).body)).toContain("simulated:echo");
  });

  it("that wants a role takes only a stage without a condition for a review by it", async () => {
    await policy({ ...MONEY, role: "finance" });
    const asking = (stages: JsonObject[]) => {
      const { initial, states } = paying(["bank.askedPay"]);
      const { draft } = states;
      return {
        initial,
        states: { ...states, draft: { invoke: { ...draft.invoke, input: { ...draft.invoke.input, stages } } } },
      };
    };
    const lead = { assignees: ["role:lead"] };
    const finance = { assignees: ["role:finance"] };
    const problems = async (stages: JsonObject[]) =>
      (await oven.call("POST", "agent-workflows/validate", { definition: asking(stages) })).body.problems
        .filter(({ rule }: { rule: string }) => rule === "policy")
        .map(({ message }: { message: string }) => message.includes("without a review by finance"));
    expect(await problems([{ ...lead, when: "args.vip" }, finance])).toEqual([]);
    expect(await problems([{ ...finance, when: "args.amount > 1000" }])).toEqual([true]);
    expect(
      await problems([
        { ...lead, when: "args.vip" },
        { ...finance, when: "!args.vip" },
      ]),
    ).toEqual([true]);
  });

  it("as a warning is only said", async () => {
    await policy(MONEY, { severity: "warning" });
    const definition = paying(["bank.pay"]);
    const checked = await oven.call("POST", "agent-workflows/validate", { definition });
    expect(checked.body.problems).toMatchObject([{ rule: "policy", severity: "warning" }]);
    const { body } = await publish(definition);
    expect((await oven.call("POST", `agent-workflows/${body.id}/execute`, { input: {} })).status).toBe(202);
  });

  it("made after publishing refuses to start, to retry and to fork; renaming and disabling stay possible", async () => {
    const published = await publish(paying(["bank.pay"]));
    const { id } = published.body;
    const run = await oven.call("POST", `agent-workflows/${id}/execute?wait=20`, { input: {} });
    expect(run.body.status).toBe("completed");
    const [{ seq: checkpoint }] = (await oven.call("GET", `agent-workflow-executions/${run.body.id}/checkpoints`)).body;
    const made = await policy(MONEY);
    const refused = await oven.call("POST", `agent-workflows/${id}/execute`, { input: {} });
    expect(codeOf(refused)).toEqual([409, "POLICY_VIOLATED"]);
    expect(refused.body.error.details.problems[0].message).toContain("draft.llm → draft.tools");
    const forked = await oven.call("POST", `agent-workflow-executions/${run.body.id}/fork`, { checkpoint });
    expect(codeOf(forked)).toEqual([409, "POLICY_VIOLATED"]);
    const again = await oven.call("POST", `agent-workflow-executions/${run.body.id}/retry`, { nodeId: "draft.llm" });
    expect(codeOf(again)).toEqual([409, "POLICY_VIOLATED"]);
    const { definition } = published.body;
    expect(
      (await oven.call("PUT", `agent-workflows/${id}`, { name: "Renamed", definition, enabled: true })).status,
    ).toBe(200);
    await oven.call("PUT", `graph-policies/${made}`, { enabled: false });
    expect((await oven.call("POST", `agent-workflows/${id}/execute`, { input: {} })).status).toBe(202);
  });

  it("asks again where a fork or a retry goes on behind a review, and lets what failed there be tried again", async () => {
    await policy({ kind: "review-before", target: { nodeTypes: ["core.transform"] } });
    const states = {
      review: invoke("agent.humanReview", "pay", { show: "it" }),
      pay: invoke("core.transform", "check", { mapping: { paid: { $cel: "ctx.amount" } } }),
      check: invoke("core.transform", "end", { mapping: { ok: { $cel: "ctx.ok ? 1 : [][1]" } } }),
      end: END,
    };
    const { body } = await publish({ initial: "review", states });
    const run = async (input: JsonObject) => {
      const started = await oven.call("POST", `agent-workflows/${body.id}/execute?wait=20`, { input });
      const path = `agent-workflow-executions/${started.body.id}`;
      expect((await oven.call("POST", `${path}/resume`, { action: "approve" })).status).toBe(200);
      await expect.poll(async () => (await oven.call("GET", path)).body.status).toMatch(/^(completed|failed)$/);
      return path;
    };
    const done = await run({ amount: 5, ok: true });
    const checkpoints = (await oven.call("GET", `${done}/checkpoints`)).body;
    const at = (state: string) =>
      checkpoints.find(({ activeStates }: { activeStates: string[] }) => activeStates.includes(state)).seq;
    const patch = [{ op: "replace", path: "/amount", value: 999_999 }];
    expect(codeOf(await oven.call("POST", `${done}/fork`, { checkpoint: at("pay"), patch }))).toEqual([
      409,
      "POLICY_VIOLATED",
    ]);
    expect(codeOf(await oven.call("POST", `${done}/fork`, { checkpoint: at("pay") }))[1]).toBe("POLICY_VIOLATED");
    expect(codeOf(await oven.call("POST", `${done}/retry`, { nodeId: "pay" }))[1]).toBe("POLICY_VIOLATED");
    const asked = await oven.call("POST", `${done}/fork`, { checkpoint: at("review") });
    expect(asked.status).toBeLessThan(300);
    const path = `agent-workflow-executions/${asked.body.id}`;
    await expect.poll(async () => (await oven.call("GET", path)).body.status).toBe("paused");
    const failed = await run({ amount: 5, ok: false });
    expect((await oven.call("GET", failed)).body).toMatchObject({ status: "failed", errorInfo: { nodeId: "check" } });
    expect((await oven.call("POST", `${failed}/retry`, {})).status).toBeLessThan(300);
    expect(codeOf(await oven.call("POST", `${failed}/retry`, { nodeId: "pay" }))[1]).toBe("POLICY_VIOLATED");
  });

  it("holds for runs that begin past the review, or have its answer given", async () => {
    await policy({ kind: "review-before", target: { nodeTypes: ["core.emit"] } });
    const states = {
      review: invoke("agent.humanReview", "send", { show: "it" }),
      send: invoke("core.emit", "end", { event: "bank.paid" }),
      end: END,
    };
    const { body } = await publish({ initial: "review", states });
    const start = (options: object) =>
      oven.call("POST", `agent-workflows/${body.id}/execute`, { input: {}, ...options });
    expect((await start({})).status).toBe(202);
    expect(codeOf(await start({ options: { from: "send" } }))).toEqual([409, "POLICY_VIOLATED"]);
    expect(codeOf(await start({ options: { pins: { review: { action: "approve" } } } }))).toEqual([
      409,
      "POLICY_VIOLATED",
    ]);
  });

  it.each<[string, JsonObject["onDeadline"], number]>([
    ["an approval", { action: "approve" }, 1],
    ["what only the run knows", "$.trigger.deadline", 1],
    ["an action that only the run knows", { action: "$.trigger.action" }, 1],
    ["an error", "error", 0],
    ["a rejection", { action: "reject" }, 0],
    ["other reviewers", { escalateTo: ["user:1"], dueIn: "PT1H" }, 0],
  ])("counts no review whose deadline leads to an approval: %s", async (_name, onDeadline = "error", refused) => {
    await policy({ kind: "review-before", target: { nodeTypes: ["core.emit"], tags: ["money"] } });
    const deadline = { dueIn: "PT1S", onDeadline };
    const review = invoke("agent.humanReview", "send", { show: "it", ...deadline });
    const send = invoke("core.emit", "end", { event: "bank.paid" });
    const pay = invoke("agent.toolExecutor", "end", { tools: ["bank.askedPay"], ...deadline });
    const definitions: JsonObject[] = [
      { initial: "review", states: { review, send, end: END } },
      { initial: "pay", states: { pay, end: END } },
    ];
    for (const definition of definitions) {
      const { body } = await oven.call("POST", "agent-workflows/validate", { definition });
      const errors = body.problems.filter(({ severity }: { severity: string }) => severity === "error");
      expect(errors.map(({ rule }: { rule: string }) => rule)).toEqual(Array(refused).fill("policy"));
      expect((await publish(definition)).status).toBe(refused === 0 ? 201 : 400);
    }
  });

  it("holds for what is called, also where only the run knows what that is", async () => {
    const child = await publish(paying(["bank.pay"]));
    const { slug } = child.body;
    const calling = (workflow: string) => ({
      initial: "call",
      states: {
        call: invoke("core.callWorkflow", "end", { kind: "agent-workflow", workflow }),
        end: { ...END, output: {} },
      },
    });
    const computed = await publish(calling("$.trigger.workflow"));
    const literal = await publish(calling(slug));
    await policy(MONEY);
    const refused = await oven.call("POST", `agent-workflows/${literal.body.id}/execute`, { input: {} });
    expect(codeOf(refused)).toEqual([409, "POLICY_VIOLATED"]);
    expect(refused.body.error.message).toContain(`call → call/draft`);
    const run = await oven.call("POST", `agent-workflows/${computed.body.id}/execute?wait=20`, {
      input: { workflow: slug },
    });
    expect([run.body.status, run.body.errorInfo?.code]).toEqual(["failed", "POLICY_VIOLATED"]);
  });

  it("about models and node types holds at each call of a run that is on its way", async () => {
    const states = {
      wait: invoke("core.requestInput", "ask"),
      ask: invoke("agent.llm", "end", { prompt: "hi", model: "$.trigger.model" }),
      end: END,
    };
    const { body } = await publish({ initial: "wait", states });
    const begin = async () =>
      (await oven.call("POST", `agent-workflows/${body.id}/execute?wait=20`, { input: { model: "simulated:echo" } }))
        .body.id;
    const finish = async (id: number) => {
      await oven.call("POST", `agent-workflow-executions/${id}/resume?wait=20`, { action: "submit", data: {} });
      const stream = await oven.fetch(`agent-workflow-executions/${id}/events`);
      await stream.text();
      return (await oven.call("GET", `agent-workflow-executions/${id}`)).body;
    };
    const [allowed, modelled, typed] = [await begin(), await begin(), await begin()];
    expect((await finish(allowed)).status).toBe("completed");
    const models = await policy({ kind: "allowed-models", models: ["openai:*"] });
    expect((await finish(modelled)).errorInfo).toMatchObject({
      code: "POLICY_VIOLATED",
      message: expect.stringContaining("simulated:echo is not allowed"),
    });
    await oven.call("DELETE", `graph-policies/${models}`);
    await policy({ kind: "forbidden-nodes", nodeTypes: ["agent.llm"] });
    expect((await finish(typed)).errorInfo?.code).toBe("POLICY_VIOLATED");
  });

  it("about scores holds for the version after a live one, and never for runs", async () => {
    const version = (n: number) => ({
      initial: "end",
      context: { n },
      states: { end: { ...END, output: n } },
    });
    await policy({ kind: "scores", name: "outcome", samples: 2, days: 30, atLeast: 0.5 });
    const first = await publish(version(1));
    expect(first.status, JSON.stringify(first.body)).toBe(201);
    const change = (n: number) => oven.call("PUT", `agent-workflows/${first.body.id}`, { definition: version(n) });
    const run = async () =>
      (await oven.call("POST", `agent-workflows/${first.body.id}/execute?wait=20`, { input: {} })).body;
    const score = (id: number, value: number) =>
      oven.call("POST", `agent-workflow-executions/${id}/scores`, { name: "outcome", value });
    const refused = await change(2);
    expect([refused.status, refused.body.error.code]).toEqual([400, "INVALID_DEFINITION"]);
    expect(JSON.stringify(refused.body)).toContain("version 1 has 0 scores");
    const [one, two] = [await run(), await run()];
    expect(one.status).toBe("completed");
    await score(one.id, 0);
    await score(two.id, 0.2);
    expect(JSON.stringify((await change(2)).body)).toContain("with a mean of 0.10, and 0.5 is demanded");
    await score(one.id, 1);
    const changed = await change(2);
    expect([changed.status, changed.body.version], JSON.stringify(changed.body)).toEqual([200, 2]);
    // The new version has no scores yet: it runs, and nothing takes its place.
    expect((await run()).status).toBe("completed");
    expect((await change(3)).status).toBe(400);
    const { body } = await oven.call("POST", "graph-policies/try", {
      rule: { kind: "scores", name: "outcome", samples: 1, days: 30 },
    });
    expect(
      body.refused.some(
        ({ id, kind }: { id: number; kind: string }) => kind === "agent-workflow" && id === first.body.id,
      ),
    ).toBe(true);
  });

  it("of another tenant neither holds nor is seen, one of the installation is not for a tenant to change", async () => {
    const rule = JSON.stringify(MONEY);
    await oven.db.query(
      `insert into graph_policies (tenant_id, name, severity, rule) values (2, 'theirs', 'error', $1), (0, 'all', 'warning', $1)`,
      [rule],
    );
    // Written past the service, which therefore remembers that there are none.
    await oven.call("DELETE", `graph-policies/${await policy(MONEY)}`);
    const { body: seen } = await oven.call("GET", "graph-policies");
    expect(seen).toMatchObject([{ name: "all", tenantId: null }]);
    const checked = await oven.call("POST", "agent-workflows/validate", { definition: paying(["bank.pay"]) });
    expect(checked.body.problems).toMatchObject([{ message: expect.stringContaining('"all"'), severity: "warning" }]);
    expect(codeOf(await oven.call("PUT", `graph-policies/${seen[0].id}`, { enabled: false }))).toEqual([
      403,
      "FORBIDDEN",
    ]);
    expect(codeOf(await oven.call("DELETE", `graph-policies/${seen[0].id}`))).toEqual([403, "FORBIDDEN"]);
    await oven.db.query("delete from graph_policies");
  });
});
