import { OvenError } from "@oven/contract";
import { createRuntime, createSystemModule, defineModule, defineNode, done } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createWorkflowsModule } from "../workflows.module.ts";

const VALUE = "sk-live-0123456789-told";

/** Takes a secret, as a node that calls a service may, and tells it wherever a node can tell something. */
const tellNode = defineNode({
  id: "vault.tell",
  version: 1,
  title: "Tell",
  docs: "For tests.",
  category: "data",
  kind: "tool",
  effect: "pure",
  input: z.strictObject({ how: z.enum(["answer", "error", "cause"]) }),
  output: z.looseObject({}),
  async run({ input: { how }, principal, services, log, emit, event, text }) {
    const told = await services.secrets.use(principal.tenantId, "secret:shop", "api.example.com");
    if (how === "error") throw new OvenError("TOLD", `no ${told}`, { fix: told, details: { told } });
    if (how === "cause") throw new OvenError("TOLD", "no", { cause: new Error(told) });
    log("info", told, { told });
    emit("vault.told", { told });
    event("message.added", { message: { role: "user", content: told } });
    text("part", told);
    return done({ told, [told]: [told] }, { patch: [{ op: "add", path: "/kept", value: told }] });
  },
});

describe("what a node tells of a secret", () => {
  let oven: TestOven;
  let count = 0;
  beforeAll(async () => {
    const vault = defineModule({
      name: "module-vault",
      namespace: "vault",
      description: "For tests.",
      dependencies: [],
      nodes: [tellNode],
      // Without a listener an event is not kept at all.
      events: { emits: { "vault.told": z.looseObject({}) }, listeners: { "vault.told": async () => {} } },
    });
    oven = await startTestOven({
      createRuntime,
      modules: [createSystemModule(), createRolesModule(), createWorkflowsModule(), vault],
    });
    await oven.call("POST", "secrets", { name: "shop", value: VALUE, hosts: ["api.example.com"] });
  });
  afterAll(() => oven.stop());

  async function run(how: string) {
    count++;
    const tell = { invoke: { src: "vault.tell", input: { how }, retry: { maxAttempts: 1 }, onDone: "done" } };
    const states = { tell, done: { type: "final", output: "$" } };
    const { body } = await oven.call("POST", "workflows", {
      name: `Tell ${count}`,
      definition: { initial: "tell", states },
    });
    const started = await oven.call("POST", `workflows/${body.id}/execute?wait=30`, { input: {} });
    const { body: record } = await oven.call("GET", `workflow-executions/${started.body.id}`);
    const stream = await (await oven.fetch(`workflow-executions/${started.body.id}/events`)).text();
    return { record, stream };
  }

  it("is replaced in results, writes, events, texts and log lines", async () => {
    const { record, stream } = await run("answer");
    expect(record.output.kept).toBe("[secret:shop]");
    expect(record.nodes[0].output).toEqual({ told: "[secret:shop]", "[secret:shop]": ["[secret:shop]"] });
    expect(stream).not.toContain(VALUE);
    for (const event of ["log", "message.added"])
      expect(stream).toMatch(new RegExp(`event: ${event}\\ndata: .*\\[secret:shop\\]`));
    const outbox = JSON.stringify(await oven.db.query("select * from outbox_events"));
    expect(outbox).toContain('"told":"[secret:shop]"');
    expect(outbox).not.toContain(VALUE);
  });

  it("is replaced in errors, with their fix and details", async () => {
    const { record, stream } = await run("error");
    expect(record.errorInfo).toMatchObject({
      code: "TOLD",
      message: "no [secret:shop]",
      details: { told: "[secret:shop]" },
    });
    expect(JSON.stringify(record) + stream).not.toContain(VALUE);
    expect((await run("cause")).record.errorInfo).toMatchObject({ code: "TOLD", message: "no" });
  });
});
