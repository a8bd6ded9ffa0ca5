import type { Message, ModelAnswer } from "@oven/contract/ai";
import { expect, test } from "vitest";
import { withUniqueCalls } from "./unique-calls.ts";

const call = (toolCallId: string) => ({ type: "tool-call" as const, toolCallId, toolName: "shop.get", input: {} });
const said = (...ids: string[]): Message => ({ role: "assistant", content: ids.map(call) });

function answerOf(...ids: string[]): ModelAnswer {
  return {
    message: said(...ids),
    text: "",
    toolCalls: ids.map((toolCallId) => ({ toolCallId, tool: "shop.get", arguments: {} })),
    finishReason: "tool-calls",
    usage: { input: 1, output: 1, total: 2 },
    warnings: [],
  } as unknown as ModelAnswer; // cast: of an answer this is all that is looked at
}

const idsOf = ({ toolCalls, message }: ModelAnswer) => ({
  toolCalls: toolCalls.map(({ toolCallId }) => toolCallId),
  message: Array.isArray(message.content)
    ? message.content.map((part) => ("toolCallId" in part ? part.toolCallId : undefined))
    : [],
});

test.each([
  [["c1", "c2"], [], ["c1", "c2"]],
  [["c1"], [said("c1")], ["c1-2"]],
  [["c1"], [said("c1"), said("c1-2")], ["c1-3"]],
  [["c1", "c1"], [], ["c1", "c1-2"]],
  [["c1", "c1"], [said("c1")], ["c1-2", "c1-3"]],
])("calls %j after %j become %j, in the message too", (ids, conversation, expected) => {
  const unique = withUniqueCalls(answerOf(...ids), conversation);
  expect(idsOf(unique)).toEqual({ toolCalls: expected, message: expected });
});
