import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const schema = {
  type: "object",
  properties: { address: { type: "string", minLength: 3 } },
  required: ["address"],
  additionalProperties: false,
};

describe("core.requestInput", () => {
  let oven: TestOven;
  beforeAll(async () => {
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules });
    await oven.db.query(
      `with olga as (insert into users (name, email, tenant_id) values ('Olga', 'olga@example.com', 1) returning id)
       insert into user_roles (user_id, role, tenant_id) select id, 'operator', 1 from olga`,
    );
    const definition = {
      initial: "ask",
      states: {
        ask: {
          invoke: {
            src: "core.requestInput",
            input: {
              title: "Where to?",
              schema: { $literal: schema },
              proposal: { address: "{{ $.trigger.guess }}" },
              context: "$.trigger",
              assignees: ["role:operator"],
            },
            onDone: "done",
          },
        },
        done: { type: "final", output: "$.ask_output" },
      },
    };
    const created = await oven.call("POST", "workflows", { name: "Ask", definition });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
  });
  afterAll(() => oven.stop());

  const start = async () =>
    (await oven.call("POST", "workflows/ask/execute?wait=20", { input: { guess: "Bern" } })).body;
  const resume = (id: number, body: object) => oven.call("POST", `workflow-executions/${id}/resume`, body);

  it("waits with a form in the inbox, and goes on with what was sent", async () => {
    const run = await start();
    expect(run.status).toBe("paused");
    const [review] = (await oven.call("GET", `reviews?filter={"executionId":${run.id}}`)).body;
    expect(review).toMatchObject({
      title: "Where to?",
      schema,
      proposal: { address: "Bern" },
      context: { guess: "Bern" },
      assignees: ["role:operator"],
      actions: ["submit"],
      tool: null,
    });
    const detail = await oven.call("GET", `workflow-executions/${run.id}`);
    expect(detail.body.checkpoint.waiting).toMatchObject([{ nodeId: "ask", for: "input", reviewId: review.id }]);
    const sent = await resume(run.id, { action: "submit", data: { address: "Thun 3" } });
    expect(sent.body).toMatchObject({ status: "completed", output: { data: { address: "Thun 3" } } });
    expect((await resume(run.id, { action: "submit", data: { address: "again" } })).body.error.code).toBe(
      "REVIEW_DECIDED",
    );
  });

  it("takes only submit, and only what fits the form", async () => {
    const run = await start();
    expect((await resume(run.id, { action: "approve" })).body.error.code).toBe("ACTION_UNKNOWN");
    const wrong = await resume(run.id, { action: "submit", data: { address: "x" } });
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: "INVALID_EDIT", path: "$.data.address" } } });
    expect((await oven.call("GET", `workflow-executions/${run.id}`)).body.status).toBe("paused");
    const sent = await resume(run.id, { action: "submit" });
    expect(sent.body).toMatchObject({ status: "completed", output: { data: { address: "Bern" } } });
  });
});
