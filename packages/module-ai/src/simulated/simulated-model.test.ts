import type { Message, SimulatedScript } from "@oven/contract/ai";
import { expect, test } from "vitest";
import { type CallAnswer, callModel } from "../model/call-model.ts";
import type { ModelRequest, OnText } from "../model/model-request.ts";
import { createSimulatedProvider } from "./simulated.provider.ts";

const script: SimulatedScript = {
  name: "support",
  rules: [
    {
      when: { last: "user", matches: "order (\\d+)" },
      reply: {
        text: "Looking at {{ $.match[1] }}.",
        toolCalls: [{ tool: "orders.get", arguments: { id: "$.match[1]" } }],
      },
    },
    { when: { last: "tool", tool: "orders.get" }, reply: { text: 'It is {{ $.results["orders.get"].status }}.' } },
    { when: { last: "user", matches: "^fail" }, reply: { fail: { status: 429, retryAfter: 2 } } },
    {
      when: { last: "user", matches: "^object" },
      reply: { object: { said: "$.last" }, usage: { input: 3, output: 4 } },
    },
    { when: { last: "any", turn: 2 }, reply: { text: "Second turn." } },
  ],
  otherwise: { text: "I do not know." },
};

function ask(
  messages: Message[],
  request: Partial<ModelRequest> = {},
  modelId = "support",
  onText?: OnText,
): Promise<CallAnswer> {
  const provider = createSimulatedProvider();
  provider.registerScript(script);
  return callModel({
    request: { model: `simulated:${modelId}`, messages, caller: { tenantId: 1, userId: null }, ...request },
    resolved: { providerId: "simulated", modelId, simulated: true, alias: null },
    provider,
    model: provider.languageModel(modelId),
    ...(onText === undefined ? {} : { sink: { onText } }),
  });
}

const say = (content: string): Message => ({ role: "user", content });
const tools = [
  { id: "orders.get", description: "", inputSchema: { type: "object" } },
  { id: "orders_get", description: "", inputSchema: { type: "object" } },
];

test("the first rule that matches answers; values come from the match and the results", async () => {
  const question = say("Where is order 8841?");
  const first = await ask([question], { tools });
  expect(first.text).toBe("Looking at 8841.");
  // By id, although the wire name of this tool carries a hash: another tool would share it.
  expect(first.toolCalls).toEqual([{ toolCallId: "call_1_1", tool: "orders.get", arguments: { id: "8841" } }]);
  const result: Message = {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "call_1_1",
        toolName: "orders.get",
        output: { type: "json", value: { status: "late" } },
      },
    ],
  };
  const second = await ask([question, first.message, result], { tools });
  expect(second).toMatchObject({ text: "It is late.", finishReason: "stop" });
});

test("the same messages give the same answer, other messages other call ids", async () => {
  const once = await ask([say("order 1")], { tools });
  expect(await ask([say("order 1")], { tools })).toEqual(once);
  const later = await ask([say("hello"), { role: "assistant", content: "Hi." }, say("order 1")], { tools });
  expect(later.toolCalls[0]?.toolCallId).toBe("call_3_1");
});

test("a rule may ask for a turn, and what no rule takes is answered otherwise", async () => {
  expect((await ask([say("hello")])).text).toBe("I do not know.");
  expect((await ask([say("hello"), { role: "assistant", content: "Hi." }, say("again")])).text).toBe("Second turn.");
});

test("a reply may be an object, with its own usage", async () => {
  const answer = await ask([say("object please")], { outputSchema: { type: "object" } });
  expect(answer.object).toEqual({ said: "object please" });
  expect(answer.usage).toEqual({ input: 3, output: 4, total: 7 });
});

test("a scripted failure is a provider's failure", async () => {
  await expect(ask([say("fail now")])).rejects.toMatchObject({ code: "MODEL_RATE_LIMITED", retryAfterMs: 2_000 });
});

test("streaming sends the same text in pieces", async () => {
  const pieces: string[] = [];
  const answer = await ask([say("hello")], {}, "support", (_partId, text) => pieces.push(text));
  expect(pieces).toEqual(["I ", "do ", "not ", "know."]);
  expect(answer.text).toBe("I do not know.");
});

test("without a script it repeats the last message and says that it is simulated", async () => {
  expect((await ask([say("Good morning")], {}, "echo")).text).toBe("[simulated] Good morning");
});

test("without a script, an object that fits the schema is answered", async () => {
  const outputSchema = {
    type: "object",
    properties: {
      kind: { enum: ["refund", "other"] },
      count: { type: "integer", minimum: 2 },
      note: { type: "string" },
    },
    required: ["kind", "count", "note"],
  };
  const answer = await ask([say("Hi")], { outputSchema }, "echo");
  expect(answer.object).toEqual({ kind: "refund", count: 2, note: "[simulated] Hi" });
});

test("an unknown script, a second script of a name and a broken one are refused", () => {
  const provider = createSimulatedProvider();
  expect(() => provider.languageModel("nobody")).toThrow(expect.objectContaining({ code: "MODEL_UNKNOWN" }));
  provider.registerScript(script);
  expect(() => provider.registerScript(script)).toThrow(
    expect.objectContaining({ code: "SIMULATED_SCRIPT_DUPLICATE" }),
  );
  const broken = { name: "broken", rules: [{ when: { last: "any" as const, matches: "(" }, reply: {} }] };
  expect(() => provider.registerScript(broken)).toThrow(expect.objectContaining({ code: "SIMULATED_SCRIPT_INVALID" }));
});
