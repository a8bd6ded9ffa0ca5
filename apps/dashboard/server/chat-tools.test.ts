import type { JsonObject } from "@oven/contract";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { type ModelReply, type ModelServer, startModelServer, startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { insertKey } from "./testing/strangers.ts";

/* In the chat, in the whole product: an agent makes a workflow and sees to it, as the person who writes to it. */

const TOOLS = ["create_workflow", "schedule_workflow", "run_workflow", "get_workflow_run", "cancel_workflow"];
const CHAIN = {
  name: "Price check",
  description: "Checks prices",
  executors: [
    {
      executor_id: "fetch",
      name: "Fetcher",
      model: "openai:house-model",
      tools: [],
      system_prompt: "Fetch the price.",
      output_schema: { price: "float" },
    },
  ],
};

let oven: TestOven;
let server: ModelServer;
let replies: ModelReply[] = [];
let agent: number;
beforeAll(async () => {
  server = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
    models: ["house-model"],
  });
  const environment = { variables: { OPENAI_BASE_URL: server.url } };
  oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }), environment });
  const made = { name: "Cassey", model: "openai:house-model", systemPrompt: "Help.", toolBindings: TOOLS };
  agent = (await oven.call("POST", "agents", made)).body.id;
});
afterAll(async () => {
  await oven.stop();
  await server.close();
});

const calling = (name: string, args: JsonObject): ModelReply => ({
  toolCalls: [{ id: `call-${name}`, name, arguments: args }],
});

async function chatOf(key: string) {
  const target = { kind: "agent", id: agent };
  const { body: session } = await oven.call("POST", "chat-sessions", { target }, { key });
  const path = `chat-sessions/${session.id}/messages`;
  /** One message, the tool its model calls, and what the model is told of it. */
  return async (tool: string, args: JsonObject, between: ModelReply[] = []) => {
    server.requests.length = 0;
    replies = [calling(tool, args), ...between, { text: "Done." }];
    const { body: said } = await oven.call("POST", path, { message: `Please ${tool}` }, { key });
    const answered = async () => (await oven.call("GET", `${path}/${said.id}`, undefined, { key })).body;
    await expect.poll(async () => (await answered()).status, { interval: 50 }).toBe("completed");
    expect(await answered()).toMatchObject({ answer: "Done." });
    const asked = server.requests.at(-1)?.body as { messages: { role: string; content: string }[] }; // cast: the wire's own shape
    const told = asked.messages.findLast(({ role }) => role === "tool")?.content ?? "";
    return { told, offered: JSON.stringify(server.requests[0]?.body).includes(`"name":"${tool}"`) };
  };
}

it("makes, schedules, runs, looks at and cancels a workflow in a chat, under its user's permissions", async () => {
  const editor = await insertKey(oven.db, { tenantId: 1, permissions: { "*": ["*"] }, role: "editor" });
  const chat = await chatOf(editor.key);
  const made = JSON.parse((await chat("create_workflow", CHAIN)).told);
  const scheduled = { workflow_id: made.workflow_id, schedule_type: "recurring", cron_expression: "daily at 9am" };
  expect(JSON.parse((await chat("schedule_workflow", scheduled)).told)).toMatchObject({
    next_run_time: expect.stringMatching(/T09:00:00/),
  });
  const once = await chat("run_workflow", { workflow_id: made.workflow_id }, [{ text: '{"price":12.5}' }]);
  const run = JSON.parse(once.told);
  expect(run).toMatchObject({ status: "completed", final_output: { price: 12.5 } });
  const seen = JSON.parse((await chat("get_workflow_run", { run_id: run.run_id })).told);
  expect(seen).toMatchObject({ run_id: run.run_id, executor_runs: [{ status: "success" }] });
  const owner = await oven.call("GET", `executor-chains/${made.workflow_id}`, undefined, { key: editor.key });
  expect(owner).toMatchObject({ status: 200, body: { user_id: String(editor.userId), status: "active" } });
  await chat("cancel_workflow", { workflow_id: made.workflow_id });
  const after = await oven.call("GET", `executor-chains/${made.workflow_id}`, undefined, { key: editor.key });
  expect(after.body).toMatchObject({ status: "archived", next_run_time: null });
});

it("does not make in a chat what its user may not make, and tells the model so", async () => {
  const before = await oven.db.query("select id from agent_workflows order by id");
  const operator = await insertKey(oven.db, { tenantId: 1, permissions: { "*": ["*"] }, role: "operator" });
  const chat = await chatOf(operator.key);
  const { told, offered } = await chat("create_workflow", CHAIN);
  expect(offered).toBe(false);
  expect(told).toContain("There is no tool `create_workflow` here");
  expect(await oven.db.query("select id from agent_workflows order by id")).toEqual(before);
});
