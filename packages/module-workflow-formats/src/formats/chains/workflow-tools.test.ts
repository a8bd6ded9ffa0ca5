import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@oven/contract";
import type { ModelReply } from "@oven/testing";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { json } from "../../shared/testing/scripted-model.ts";
import { type ChainStory, call, chainOf, executor, startChains } from "./testing/chain-story.ts";

const TOOLS = [
  "cancel_workflow",
  "create_workflow",
  "get_workflow_run",
  "list_failed_runs",
  "list_workflows",
  "run_workflow",
  "schedule_workflow",
];

let story: ChainStory;
let editor: string;
/** What the operator's sandbox was asked, and what it answers next. */
const ran: JsonObject[] = [];
let answers: { status: number; body: string }[] = [];
const sandbox = createServer(async (request, response) => {
  ran.push(JSON.parse(Buffer.concat(await request.toArray()).toString()) as JsonObject); // cast: what the tool sends
  const { status, body } = answers.shift() ?? { status: 500, body: "" };
  response.writeHead(status, { "content-type": "application/json" }).end(body);
});
let sandboxUrl: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => sandbox.listen(0, "127.0.0.1", resolve));
  sandboxUrl = `http://127.0.0.1:${(sandbox.address() as AddressInfo).port}`; // cast: it listens on TCP
  story = await startChains({ outboundAllow: [sandboxUrl] });
  editor = await story.oven.keyFor("editor");
  const agent = { name: "Cassey", model: "openai:house-model", systemPrompt: "Help.", toolBindings: TOOLS };
  expect((await story.oven.call("POST", "agents", agent)).status).toBe(201);
});
afterEach(() => {
  story.oven.server.requests.length = 0;
  story.answers.length = 0;
});
afterAll(async () => {
  await story.oven.stop();
  sandbox.close();
});

/** One turn of a conversation in which the model calls tools; what each answered. */
async function chat(key: string, calls: ModelReply[], between: ModelReply[] = [], sessionId?: number) {
  story.answers.push(...calls, ...between, { text: "Done." });
  const body = { message: "Make me a daily price check", ...(sessionId === undefined ? {} : { sessionId }) };
  const { body: said } = await story.oven.call("POST", "agents/cassey/invoke", body, { key });
  const last = story.oven.server.requests.findLast(({ body: asked }) =>
    JSON.stringify(asked).includes("Make me a daily"),
  )?.body;
  const messages = (last?.messages ?? []) as { role: string; content: string }[]; // cast: the wire's own shape
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  return {
    said,
    results,
    answers: results.map(
      (text): JsonObject => (text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : { error: text }),
    ),
  };
}

const spec = (more: JsonObject = {}) => ({
  name: "Daily price check",
  description: "Checks prices",
  executors: [
    {
      executor_id: "fetch",
      name: "Fetcher",
      model: "gpt-4o-mini",
      tools: [],
      system_prompt: "Fetch.",
      output_schema: { ok: "bool" },
    },
  ],
  ...more,
});

it("a chat makes, schedules, runs, shows and cancels a workflow, in its user's name and its own conversation [001-001] [001-006] [001-181] [001-190] [001-191] [001-194] [001-195]", async () => {
  const client = story.clientFor(editor);
  const someoneElse = { user_id: "999", thread_id: "another" };
  const made = await chat(editor, [
    call("create_workflow", spec({ schedule_type: "recurring", cron_expression: "daily at 9am", ...someoneElse })),
  ]);
  const offered = story.asked()[0]?.tools.toSorted();
  expect(offered).toEqual(TOOLS);
  const id = String(made.answers[0]?.workflow_id);
  const chain = await client.get(id);
  expect(chain).toMatchObject({
    slug: "daily_price_check",
    thread_id: `session-${made.said.sessionId}`,
    cron_expression: "0 9 * * *",
  });
  expect(chain?.user_id).not.toBe("999");
  expect(chain?.next_run_time).toBe(made.answers[0]?.next_run_time);
  expect(await story.client.get(id)).toBeNull();

  const scheduled = await chat(editor, [
    call("schedule_workflow", { workflow_id: id, schedule_type: "scheduled", schedule_time: "tomorrow 9am" }),
  ]);
  expect(scheduled.answers[0]).toMatchObject({
    workflow_id: id,
    timezone: "UTC",
    next_run_time: expect.stringMatching(/T09:00:00/),
  });

  const ran = await chat(
    editor,
    [call("run_workflow", { workflow_id: id, ...someoneElse })],
    [json({ ok: true })],
    made.said.sessionId,
  );
  const result = JSON.parse(ran.results.at(-1) ?? "");
  expect(result).toMatchObject({ workflow_id: id, status: "completed", final_output: { ok: true } });
  expect(await client.getRun(result.run_id)).toMatchObject({ thread_id: chain?.thread_id, user_id: chain?.user_id });
  await chat(editor, [call("run_workflow", { workflow_id: id })], [{ status: 400, message: "no" }]);
  const looked = await chat(editor, [
    call("list_workflows", { status: "active" }, "a"),
    call("get_workflow_run", { run_id: result.run_id }, "b"),
    call("list_failed_runs", { workflow_id: id }, "c"),
  ]);
  expect(looked.answers[0]).toMatchObject([{ workflow_id: id, total_runs: 2, failed_runs: 1 }]);
  expect(looked.answers[1]).toMatchObject({
    run_id: result.run_id,
    executor_runs: [{ executor_id: "fetch", status: "success", structured_output: { ok: true } }],
  });
  expect(looked.answers[2]).toMatchObject([{ status: "failed", error_message: expect.stringContaining("no") }]);

  const cancelled = await chat(editor, [
    call("cancel_workflow", {}, "a"),
    call("cancel_workflow", { workflow_id: id }, "b"),
  ]);
  expect(cancelled.results[0]).toContain("Nothing says what to cancel");
  expect(cancelled.answers[1]).toEqual({ cancelled: [{ workflow_id: id, runs_cancelled: 0 }] });
  expect(await client.get(id)).toMatchObject({ status: "archived", next_run_time: null });
});

it("whoever may not, may not through an agent either; what is wrong is told to the model [001-196] [001-013]", async () => {
  const viewer = await story.oven.keyFor("operator");
  const refused = await chat(viewer, [call("create_workflow", spec())]);
  expect(story.asked()[0]?.tools).not.toContain("create_workflow");
  expect(refused.results[0]).toContain("There is no tool `create_workflow` here");
  const [, bad] = [
    0,
    await chat(editor, [
      call("create_workflow", spec({ executors: [{ ...spec().executors[0], tools: ["serch_web"] }] })),
    ]),
  ];
  expect(bad.results[0]).toContain('executors[0].tools[0]: There is no tool "serch_web"');
  expect(await story.clientFor(viewer).list()).toEqual([]);
});

it("failed runs are listed newest first, ten at a time [001-191]", async () => {
  const { workflow_id } = await story.client.create(chainOf([executor("one"), executor("two")]));
  for (let run = 0; run < 12; run += 1) {
    if (run === 5) story.answers.push(json({ ok: true }));
    story.answers.push({ status: 400, message: `failure ${run}` });
    await story.client.run(workflow_id, 30);
  }
  await story.client.run(workflow_id, 30);
  const listed = await story.client.listFailedRuns(workflow_id);
  expect(listed.map(({ error_message }) => Number(/failure (\d+)/.exec(error_message ?? "")?.[1]))).toEqual([
    11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
  ]);
  expect(listed.find(({ error_message }) => error_message?.includes("failure 5"))?.status).toBe("partial_success");
  expect(await story.client.listFailedRuns(undefined, 3)).toHaveLength(3);
});

it("tools that reach outside say so where nothing is set up for them", async () => {
  const run = await story.run(chainOf([executor("one", { tools: ["search_web"] })]));
  expect(run.status).toBe("completed");
  story.answers.push(call("search_web", { query: "prices" }));
  const searched = await story.client.run(run.workflow_id, 30);
  expect((await story.client.listToolCalls(searched.run_id))[0]).toMatchObject({
    status: "failed",
    error_message: expect.stringContaining("no search service is configured"),
  });
});

it("Python runs in the sandbox of the installation", async () => {
  story.answers.push(
    call("execute_python", { code: "print('half')\nprint(6 * 7)\n{'sum': sum([1, 2])}" }, "a"),
    call("execute_python", { code: "x = 1\nimport numpy" }, "b"),
    call("execute_python", { code: "open('/etc/passwd')" }, "c"),
    json({ ok: true }),
  );
  const run = await story.run(chainOf([executor("one", { tools: ["execute_python"] })]));
  expect(run.status).toBe("completed");
  const [good, ...bad] = await story.client.listToolCalls(run.run_id);
  expect(good).toMatchObject({ status: "success" });
  expect(story.asked().at(-1)?.body).toContain("half\\\\n42\\\\n");
  expect(bad.map(({ status, error_message }) => [status, error_message])).toEqual([
    ["failed", expect.stringContaining("ModuleNotFoundError: No module named 'numpy' (line 2)")],
    ["failed", expect.stringContaining("not implemented")],
  ]);
  expect(ran).toEqual([]);
});

it("Python runs in the service that an operator has set up for it", async () => {
  const python = chainOf([executor("one", { tools: ["execute_python"] })]);
  const config = { moduleName: "module-workflow-formats", key: "PYTHON_SANDBOX_URL", value: sandboxUrl };
  const set = await story.oven.call("POST", "module-configs", config);
  expect(set.status).toBe(201);
  answers = [
    { status: 200, body: JSON.stringify({ stdout: "42\n", result: [42] }) },
    { status: 200, body: JSON.stringify({ stdout: 7 }) },
    { status: 422, body: "{}" },
  ];
  story.answers.push(
    call("execute_python", { code: "print(6 * 7)" }, "a"),
    call("execute_python", { code: "print(" }, "b"),
    call("execute_python", { code: "exit(1)" }, "c"),
    json({ ok: true }),
  );
  const run = await story.run(python);
  expect(run.status).toBe("completed");
  expect(ran).toEqual(["print(6 * 7)", "print(", "exit(1)"].map((code) => ({ language: "python", code })));
  const [good, ...bad] = await story.client.listToolCalls(run.run_id);
  expect(good).toMatchObject({ status: "success" });
  expect(story.asked().at(-1)?.body).toContain("42\\\\n");
  for (const call of bad)
    expect(call).toMatchObject({
      status: "failed",
      error_message: expect.stringMatching(/sandbox answered (200|422)/),
    });
  // Taken away again, the code runs here.
  expect((await story.oven.call("DELETE", `module-configs/${set.body.id}`)).status).toBe(204);
  story.answers.push(call("execute_python", { code: "print(1)" }), json({ ok: true }));
  const without = await story.client.run(run.workflow_id, 30);
  expect(await story.client.listToolCalls(without.run_id)).toMatchObject([{ status: "success" }]);
  expect(ran).toHaveLength(3);
});

it("the seven are offered over MCP too, with the schemas that an agent sees [001-180]", async () => {
  const response = await story.oven.fetch("mcp/oven", {
    method: "POST",
    headers: {
      authorization: `Bearer ${editor}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  const said = (await response.text()).split("\n").find((line) => line.includes('"tools"')) ?? "{}";
  const { result } = JSON.parse(said.replace(/^data: /, "")) as {
    result: { tools: { name: string; inputSchema: object }[] };
  }; // cast: JSON-RPC
  const offered = new Map(result.tools.map((tool) => [tool.name, tool.inputSchema]));
  for (const name of TOOLS)
    expect(offered.get(name), name).toMatchObject(story.services.tools.get(name)?.inputSchema ?? {});
});
