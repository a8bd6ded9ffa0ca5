import type { Json, JsonObject } from "@oven/contract";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { type Credentials, invite, startTestOven, type TestAnswer, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const END = { type: "final" };
const invoke = (src: string, onDone: Json, input: JsonObject = {}) => ({ invoke: { src, input, onDone } });
const REVIEW = invoke("agent.humanReview", "pay", { show: { amount: "$.amount" } });
const PAY = invoke("core.transform", "check", { mapping: { paid: { $cel: "ctx.amount" } } });
const CHECK = invoke("core.transform", "end", { mapping: { ok: { $cel: "ctx.ok ? 1 : [][1]" } } });
const PAYING = { initial: "review", states: { review: REVIEW, pay: PAY, check: CHECK, end: END } };
const PASSED = [403, "REVIEW_PASSED_OVER"];

describe("a review is a release of what was shown", () => {
  let oven: TestOven;
  let operator: Credentials;
  let editor: Credentials;
  let count = 0;
  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }) });
    operator = await invite(oven, "olga@example.com", ["operator"]);
    editor = await invite(oven, "ed@example.com", ["editor"]);
  });
  afterAll(() => oven.stop());

  const codeOf = ({ status, body }: TestAnswer) => [status, body.error?.code];
  async function publish(definition: JsonObject): Promise<number> {
    const { status, body } = await oven.call("POST", "agent-workflows", { name: `Pays ${++count}`, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  }
  const statusOf = async (path: string) => (await oven.call("GET", path)).body.status;
  /** Runs it, approves it where it asks, and waits for its end. @returns its path */
  async function run(workflow: number, input: JsonObject, as: Credentials = operator): Promise<string> {
    const started = await oven.call("POST", `agent-workflows/${workflow}/execute`, { input }, as);
    expect(started.status, JSON.stringify(started.body)).toBe(202);
    const path = `agent-workflow-executions/${started.body.id}`;
    await expect.poll(() => statusOf(path)).toMatch(/^(paused|completed|failed)$/);
    const family = encodeURIComponent(JSON.stringify({ status: "open" }));
    for (const { id } of (await oven.call("GET", `reviews?filter=${family}`)).body)
      await oven.call("POST", `reviews/${id}/decide`, { action: "approve" });
    await expect.poll(() => statusOf(path)).toMatch(/^(completed|failed)$/);
    return path;
  }
  async function checkpointAt(path: string, state: string): Promise<number> {
    const { body } = await oven.call("GET", `${path}/checkpoints`);
    return body.find(({ activeStates }: { activeStates: string[] }) => activeStates.includes(state)).seq;
  }
  const fork = async (path: string, state: string, as: Credentials, patch: JsonObject[] = []) =>
    oven.call("POST", `${path}/fork`, { checkpoint: await checkpointAt(path, state), patch }, as);
  const MORE = [{ op: "replace", path: "/amount", value: 999_999 }];

  it("a fork or retry behind it needs executions.override, before it the review is asked again", async () => {
    const path = await run(await publish(PAYING), { amount: 5, ok: true });
    const refused = await fork(path, "pay", operator, MORE);
    expect(codeOf(refused)).toEqual(PASSED);
    expect(refused.body.error.details).toEqual({ permission: "executions.override", reviews: ["review"] });
    expect(codeOf(await fork(path, "pay", operator))).toEqual(PASSED);
    expect(codeOf(await oven.call("POST", `${path}/retry`, { nodeId: "pay" }, operator))).toEqual(PASSED);
    expect(codeOf(await fork(path, "pay", editor))).toEqual(PASSED);
    const scopes = ["agent-workflows.execute", "agent-workflows.read", "executions.read"];
    const { body: key } = await oven.call("POST", "api-keys", { name: "Narrow", permissions: scopes });
    expect(codeOf(await fork(path, "pay", { key: key.key }, MORE))).toEqual(PASSED);
    const asked = await fork(path, "review", operator, MORE);
    expect(asked.status).toBe(202);
    await expect.poll(() => statusOf(`agent-workflow-executions/${asked.body.id}`)).toBe("paused");
  });

  it("an owner may pass over it, and the audit log says over what", async () => {
    const path = await run(await publish(PAYING), { amount: 5, ok: true });
    expect((await fork(path, "pay", await owner(), MORE)).status).toBe(202);
    const { body: log } = await oven.call("GET", `audit-log?sort=["id","DESC"]&range=[0,20]`);
    expect(log).toContainEqual(
      expect.objectContaining({
        action: "executions.override review",
        targetType: "agent-workflow-executions",
        targetId: path.split("/")[1],
      }),
    );
  });
  const owner = () => invite(oven, `owner${++count}@example.com`, ["admin"]);

  it.each<[string, JsonObject]>([
    ["begin behind it", { from: "pay" }],
    ["have its answer given", { pins: { review: { action: "approve" } } }],
    ["have an output given that comes behind it", { pins: { pay: { paid: 999_999 } } }],
  ])("a run that would %s needs it, of a draft too", async (_what, options) => {
    const id = await publish(PAYING);
    const input = { amount: 5, ok: true };
    expect(codeOf(await oven.call("POST", `agent-workflows/${id}/execute`, { input, options }, operator))).toEqual(
      PASSED,
    );
    const draft = { input, ...options, revision: 0 };
    expect(codeOf(await oven.call("POST", `agent-workflows/${id}/draft/execute`, draft, editor))).toEqual(PASSED);
    const dry = { input, options: { ...options, dryRun: true } };
    expect((await oven.call("POST", `agent-workflows/${id}/execute`, dry, operator)).status).toBe(202);
    expect((await oven.call("POST", `agent-workflows/${id}/execute`, { input, options })).status).toBe(202);
  });

  it("the version before the review was there needs it", async () => {
    const id = await publish({ initial: "pay", states: { pay: PAY, check: CHECK, end: END } });
    const path = await run(id, { amount: 5, ok: true });
    expect((await fork(path, "pay", operator)).status).toBe(202);
    expect((await oven.call("PUT", `agent-workflows/${id}`, { definition: PAYING, version: 1 })).status).toBe(200);
    expect(codeOf(await fork(path, "pay", operator, MORE))).toEqual(PASSED);
    expect(codeOf(await oven.call("POST", `${path}/retry`, { nodeId: "pay" }, operator))).toEqual(PASSED);
  });

  it("what failed behind it is tried again with its release once", async () => {
    const path = await run(await publish(PAYING), { amount: 5, ok: false });
    expect(await statusOf(path)).toBe("failed");
    expect(codeOf(await oven.call("POST", `${path}/retry`, { nodeId: "pay" }, operator))).toEqual(PASSED);
    const answers = await Promise.all([1, 2, 3, 4].map(() => oven.call("POST", `${path}/retry`, {}, operator)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 403, 403, 403]);
    expect(codeOf(await oven.call("POST", `${path}/retry`, { nodeId: "check" }, operator))).toEqual(PASSED);
  });

  it("its answer is not taken over into another version: it is asked again, or passed over", async () => {
    const broken = invoke("core.transform", "end", { mapping: { ok: "{{ $.nothing.here }}" } });
    const id = await publish({ initial: "review", states: { review: REVIEW, pay: broken, end: END } });
    const path = await run(id, { amount: 5, ok: true });
    expect((await oven.call("GET", path)).body).toMatchObject({ status: "failed", errorInfo: { nodeId: "pay" } });
    expect((await oven.call("PUT", `agent-workflows/${id}`, { definition: PAYING, version: 1 })).status).toBe(200);
    const body = { version: "current" };
    const asked = await oven.call("POST", `${path}/retry`, body, operator);
    expect(asked.status, JSON.stringify(asked.body)).toBe(202);
    await expect.poll(() => statusOf(`agent-workflow-executions/${asked.body.id}`)).toBe("paused");
    const passed = await oven.call("POST", `${path}/retry`, body, await owner());
    await expect.poll(() => statusOf(`agent-workflow-executions/${passed.body.id}`)).toBe("completed");
    const rule = { kind: "review-before", target: { nodeTypes: ["core.transform"] } };
    const { body: policy } = await oven.call("POST", "graph-policies", { name: "Money", rule });
    const bound = await oven.call("POST", `${path}/retry`, body, await owner());
    await oven.call("DELETE", `graph-policies/${policy.id}`);
    expect(codeOf(bound)).toEqual([409, "POLICY_VIOLATED"]);
  });

  it("holds for a review in a called workflow, also where only the run knows which", async () => {
    const child = await publish({
      initial: "review",
      states: { review: { invoke: { ...REVIEW.invoke, onDone: "end" } }, end: END },
    });
    for (const workflow of [String(child), "$.trigger.child"]) {
      const input = { kind: "agent-workflow", workflow, input: { amount: "$.trigger.amount" } };
      const states = { ask: invoke("core.callWorkflow", "pay", input), pay: PAY, check: CHECK, end: END };
      const id = await publish({ initial: "ask", states });
      const path = await run(id, { amount: 5, ok: true, child: String(child) });
      const refused = await fork(path, "pay", operator, MORE);
      expect(codeOf(refused), JSON.stringify(refused.body)).toEqual(PASSED);
      for (const options of [{ pins: { ask: {} } }, { from: "pay" }]) {
        const body = { input: { amount: 999_999, ok: true, child: String(child) }, options };
        expect(codeOf(await oven.call("POST", `agent-workflows/${id}/execute`, body, operator))).toEqual(PASSED);
      }
    }
  });

  it("the version of a called workflow before the review was there needs it, and a policy refuses it", async () => {
    const child = await publish({ initial: "end", states: { end: END } });
    const input = { kind: "agent-workflow", workflow: String(child), input: { amount: "$.trigger.amount" } };
    const states = { ask: invoke("core.callWorkflow", "pay", input), pay: PAY, check: CHECK, end: END };
    const path = await run(await publish({ initial: "ask", states }), { amount: 5, ok: true });
    expect((await fork(path, "ask", operator)).status).toBe(202);
    const asking = { initial: "review", states: { review: { invoke: { ...REVIEW.invoke, onDone: "end" } }, end: END } };
    expect((await oven.call("PUT", `agent-workflows/${child}`, { definition: asking, version: 1 })).status).toBe(200);
    const refused = await fork(path, "ask", operator, MORE);
    expect(codeOf(refused)).toEqual(PASSED);
    expect(refused.body.error.details.reviews).toEqual(["ask/review"]);
    const rule = { kind: "review-before", target: { nodeTypes: ["core.transform"] } };
    const { body: policy } = await oven.call("POST", "graph-policies", { name: "Money", rule });
    const bound = await fork(path, "ask", await owner());
    await oven.call("DELETE", `graph-policies/${policy.id}`);
    expect(codeOf(bound)).toEqual([409, "POLICY_VIOLATED"]);
  });

  it("a state that the run comes to again does not hide the review that was asked in between", async () => {
    const asked = { type: "cel", params: { expression: "has(ctx.review_output)" } };
    const states = {
      hub: invoke("core.transform", [{ target: "pay", guard: asked }, { target: "review" }], { mapping: {} }),
      ...PAYING.states,
      review: { invoke: { ...REVIEW.invoke, onDone: "hub" } },
    };
    const path = await run(await publish({ initial: "hub", states }), { amount: 5, ok: true });
    const { body: checkpoints } = await oven.call("GET", `${path}/checkpoints`);
    const [first, again] = checkpoints.filter(
      ({ activeStates }: { activeStates: string[] }) => activeStates[0] === "hub",
    );
    const at = (checkpoint: { seq: number }) =>
      oven.call("POST", `${path}/fork`, { checkpoint: checkpoint.seq, patch: MORE }, operator);
    expect(codeOf(await at(again))).toEqual(PASSED);
    expect((await at(first)).status).toBe(202);
  });

  it("a way without a review is gone again, but not with another context", async () => {
    const small = { type: "cel", params: { expression: "ctx.amount < 100" } };
    const states = {
      look: invoke("core.transform", [{ target: "pay", guard: small }, { target: "review" }], { mapping: {} }),
      ...PAYING.states,
    };
    const path = await run(await publish({ initial: "look", states }), { amount: 5, ok: true });
    expect((await fork(path, "pay", operator)).status).toBe(202);
    expect(codeOf(await fork(path, "pay", operator, MORE))).toEqual(PASSED);
  });

  it("neither who started a run nor who goes on with it may decide for them", async () => {
    const review = invoke("agent.humanReview", "end", { show: 1, notRequester: true });
    const id = await publish({ initial: "review", states: { review, end: END } });
    const { body } = await oven.call("POST", `agent-workflows/${id}/execute`, {}, operator);
    const path = `agent-workflow-executions/${body.id}`;
    await expect.poll(() => statusOf(path)).toBe("paused");
    const forked = await fork(path, "review", editor);
    const next = `agent-workflow-executions/${forked.body.id}`;
    await expect.poll(() => statusOf(next)).toBe("paused");
    for (const asker of [operator, editor])
      expect(codeOf(await oven.call("POST", `${next}/resume`, { action: "approve" }, asker))).toEqual([
        403,
        "REVIEW_NOT_YOURS",
      ]);
    expect((await oven.call("POST", `${next}/resume`, { action: "approve" }, await owner())).status).toBe(200);
  });
});
