import { type Credentials, invite } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTriggers, type TestTriggers } from "./triggers/testing/start-triggers.ts";

const KEY_SCOPES = [
  "workflows.create",
  "workflows.read",
  "workflows.execute",
  "workflows.update",
  "triggers.create",
  "triggers.read",
  "triggers.fire",
  "executions.read",
];
/** Its step reads the log of events, which takes `events.read`; of the roles only owner and admin have that. */
const READS_EVENTS = {
  initial: "read",
  states: {
    read: { invoke: { src: "system.events.list", onDone: "done" } },
    done: { type: "final" },
  },
};
const HARMLESS = { initial: "done", states: { done: { type: "final" } } };

describe("a run may do what its starter and its version may do", () => {
  let triggers: TestTriggers;
  let editor: Credentials;
  beforeAll(async () => {
    triggers = await startTriggers(undefined);
    editor = await invite(triggers.oven, "ed@example.com", ["editor"]);
  });
  afterAll(() => triggers.stop());

  const call = (method: string, path: string, body?: unknown, as?: Credentials) =>
    triggers.oven.call(method, path, body, as);

  async function newKey(permissions: string[]): Promise<{ id: number; as: Credentials }> {
    const { body } = await call("POST", "api-keys", { name: "Narrow", permissions });
    return { id: body.id, as: { key: body.key } };
  }

  async function workflow(definition: object, as?: Credentials): Promise<number> {
    const { status, body } = await call("POST", "workflows", { name: "Reads events", definition }, as);
    expect(status).toBe(201);
    return body.id;
  }

  async function trigger(workflowId: number, as?: Credentials): Promise<number> {
    const target = { kind: "workflow", workflowId };
    const { status, body } = await call("POST", "triggers", { type: "manual", name: "Go", target }, as);
    expect(status).toBe(201);
    return body.id;
  }

  async function end(executionId: number) {
    const path = `workflow-executions/${executionId}`;
    await expect.poll(async () => (await call("GET", path)).body.status).toMatch(/^(completed|failed)$/);
    return (await call("GET", path)).body;
  }

  const fire = async (id: number, as?: Credentials) => (await call("POST", `triggers/${id}/fire`, {}, as)).body;

  it("does not lend a key's trigger the other rights of the key's owner", async () => {
    const { as } = await newKey(KEY_SCOPES);
    const id = await trigger(await workflow(READS_EVENTS, as), as);
    const { executionId } = await fire(id, as);
    const run = await end(executionId);
    expect(run).toMatchObject({ status: "failed", errorInfo: { code: "FORBIDDEN", nodeId: "read" } });
    expect(run.error).toContain("events.read");
  });

  it("ends a key's trigger with its key", async () => {
    const { id: keyId, as } = await newKey(KEY_SCOPES);
    const id = await trigger(await workflow(HARMLESS, as), as);
    expect(await fire(id)).toMatchObject({ decision: "started" });
    await call("DELETE", `api-keys/${keyId}`);
    expect(await fire(id)).toMatchObject({
      decision: "refused",
      reason: expect.stringContaining("API key that saved this trigger"),
    });
  });

  it("does not lend an administrator's rights to a version that an editor published", async () => {
    const workflowId = await workflow(HARMLESS, editor);
    const id = await trigger(workflowId);
    expect((await call("PUT", `workflows/${workflowId}`, { definition: READS_EVENTS }, editor)).status).toBe(200);
    const fired = await end((await fire(id, editor)).executionId);
    expect(fired.errorInfo).toMatchObject({ code: "FORBIDDEN", nodeId: "read" });
    expect(fired.error).toContain("version 2 of Reads events");
    const direct = await call("POST", `workflows/${workflowId}/execute`, { input: {} });
    expect((await end(direct.body.id)).errorInfo).toMatchObject({ code: "FORBIDDEN" });
    const again = await call("POST", `workflow-executions/${direct.body.id}/retry`, {});
    expect((await end(again.body.id)).errorInfo).toMatchObject({ code: "FORBIDDEN" });
  });

  it("does not lend an administrator's rights to a draft that an editor saved", async () => {
    const workflowId = await workflow(HARMLESS, editor);
    const draft = { definition: READS_EVENTS, baseVersion: 1, revision: 0 };
    expect((await call("PUT", `workflows/${workflowId}/draft`, draft, editor)).status).toBe(200);
    const { status, body } = await call("POST", `workflows/${workflowId}/draft/execute`, { input: {} });
    expect(status).toBe(202);
    const run = await end(body.id);
    expect(run.errorInfo).toMatchObject({ code: "FORBIDDEN" });
    expect(run.error).toContain("the draft of Reads events");
  });

  it("does not give a child more than its parent", async () => {
    const { body: child } = await call("POST", "workflows", { name: "Child", definition: READS_EVENTS });
    const calls = {
      initial: "call",
      states: {
        call: { invoke: { src: "core.callWorkflow", input: { workflow: child.slug, input: {} }, onDone: "done" } },
        done: { type: "final" },
      },
    };
    const parent = await workflow(calls, editor);
    const { body } = await call("POST", `workflows/${parent}/execute`, { input: {} });
    expect(await end(body.id)).toMatchObject({ status: "failed" });
  });

  it("gives a version more only when a person who may do more publishes the whole definition", async () => {
    const workflowId = await workflow(READS_EVENTS, editor);
    const run = async () => end((await call("POST", `workflows/${workflowId}/execute`, { input: {} })).body.id);
    await call("PUT", `workflows/${workflowId}`, { name: "Renamed" });
    await call("PUT", `workflows/${workflowId}`, { mcpExport: true });
    expect(await run()).toMatchObject({ status: "failed", errorInfo: { code: "FORBIDDEN" } });
    const { body } = await call("GET", `workflows/${workflowId}`);
    const published = await call("PUT", `workflows/${workflowId}`, { definition: body.definition });
    expect(published.body.version).toBe(body.version + 1);
    expect(await run()).toMatchObject({ status: "completed" });
    await call("PUT", `workflows/${workflowId}`, { definition: body.definition }, editor);
    expect(await run()).toMatchObject({ status: "completed", workflowVersion: body.version + 1 });
  });

  it("does what both may do", async () => {
    const { body } = await call("POST", `workflows/${await workflow(READS_EVENTS)}/execute`, { input: {} });
    expect(await end(body.id)).toMatchObject({ status: "completed" });
  });
});
