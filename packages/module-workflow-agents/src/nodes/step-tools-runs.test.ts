import type { Json, JsonObject } from "@oven/contract";
import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type OpenServices, openServices } from "./testing/open-services.ts";
import { runAgents } from "./testing/run-agents.ts";

let open: OpenServices;
let replies: ModelReply[] = [];
beforeAll(async () => {
  open = await openServices(() => replies.shift() ?? { status: 400, message: "no reply left" });
});
beforeEach(() => {
  open.server.requests.length = 0;
  open.calls.length = 0;
});
afterAll(() => open.close());

const ECHO: JsonObject = {
  name: "echo",
  description: "Says a number for {{ $.trigger.by }}",
  parameters: { type: "object", properties: { number: { type: "number" } }, required: ["number"] },
  src: "core.transform",
  input: { mapping: { value: { number: "$.toolArguments.number", by: "$.trigger.by" } } },
  result: "$.output.value",
};

const run = async (input: JsonObject) => {
  const harness = runAgents(
    {
      initial: "draft",
      agentConfig: { model: "openai:test" },
      states: {
        draft: {
          invoke: { src: "agent.toolLoop", input: { prompt: "Go", stepTools: [ECHO], ...input }, onDone: "done" },
        },
        done: { type: "final", output: "$.draft_output" },
      },
    },
    open.services,
  );
  return harness.columns(await harness.execute({ by: "me" }));
};
const calling = (...calls: [name: string, args: JsonObject][]): ModelReply => ({
  text: "",
  toolCalls: calls.map(([name, args], index) => ({ id: `c${index}`, name, arguments: args })),
});
const bodies = () => open.server.requests.map(({ body }) => body as JsonObject); // cast: what the model server was sent
const told = (): Json[] =>
  z
    .array(z.looseObject({ role: z.string(), content: z.any() }))
    .parse(bodies().at(-1)?.messages)
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.parse(content.startsWith("{") ? content : JSON.stringify(content)));

test("a call of a step's own tool runs its node with what the model gave, and the model is told the answer", async () => {
  replies = [calling(["echo", { number: 42 }]), { text: "42" }];
  const { status, output } = await run({});
  expect([status, output]).toEqual([
    "completed",
    { text: "42", iterations: 2, finishReason: "stop", stoppedBy: "answer" },
  ]);
  expect(told()).toMatchObject([{ content: { number: 42, by: "me" } }]);
  expect(JSON.stringify(bodies()[0]?.tools)).toContain("Says a number for me");
});

test("several calls are run in their order, beside registered tools, and all are told in one message", async () => {
  const [one, two] = [
    calling(["echo", { number: 1 }], ["shop_get", { id: 7 }], ["echo", { number: 3 }]),
    { text: "done" },
  ];
  replies = [one, two];
  const { status } = await run({ tools: ["shop.*"] });
  expect(status).toBe("completed");
  expect(open.calls).toHaveLength(1);
  expect(told()).toMatchObject([{ content: { number: 1 } }, {}, { content: { number: 3 } }]);
});

test("what fails is told to the model, which goes on", async () => {
  replies = [calling(["echo", {}]), { text: "sorry" }];
  const { status, output } = await run({});
  expect([status, output]).toMatchObject(["completed", { text: "sorry" }]);
  expect(told()).toEqual([expect.stringContaining("number")]);
});

test("a tool of the step that needs an approval is not run", async () => {
  replies = [calling(["echo", { number: 1 }])];
  const { status, errorInfo } = await run({ needsApproval: [{ tool: "echo" }] });
  expect([status, errorInfo]).toMatchObject(["failed", { code: "STEP_TOOL_NEEDS_APPROVAL" }]);
  expect(open.server.requests).toHaveLength(1);
});

test("a filter of a step takes a tool of the step away, too", async () => {
  replies = [{ text: "none" }];
  await run({ prepareStep: [{ to: 1, tools: ["!echo"] }], tools: ["shop.*"] });
  expect(JSON.stringify(bodies()[0]?.tools ?? [])).not.toContain("echo");
});
