import type { Message } from "@oven/contract/ai";
import { expect, test } from "vitest";
import { toolNamesIn, toSdkMessages } from "./to-sdk-messages.ts";
import { createWireNames } from "./wire-names.ts";

const names = createWireNames(["orders.get"]);

test("what the provider gave with a part goes back to it verbatim", () => {
  const providerOptions = { openai: { itemId: "rs_1", reasoningEncryptedContent: "abc" } };
  const messages: Message[] = [
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hmm", providerOptions },
        { type: "text", text: "Yes" },
      ],
    },
  ];
  expect(toSdkMessages(messages, names)).toEqual([
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hmm", providerOptions },
        { type: "text", text: "Yes" },
      ],
    },
  ]);
});

test("only calls without a result get one that says they were not run", () => {
  const call = (toolCallId: string) => ({ type: "tool-call" as const, toolCallId, toolName: "orders.get", input: {} });
  const messages: Message[] = [
    { role: "assistant", content: [call("a"), call("b")] },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "b", toolName: "orders.get", output: { type: "text", value: "ok" } },
      ],
    },
    { role: "user", content: "Go on" },
  ];
  const converted = toSdkMessages(messages, names);
  expect(converted.map((message) => message.role)).toEqual(["assistant", "tool", "tool", "user"]);
  expect(converted[1]?.content).toEqual([
    {
      type: "tool-result",
      toolCallId: "a",
      toolName: "orders_get",
      output: { type: "error-text", value: "This call was not run." },
    },
  ]);
  expect(toolNamesIn(messages)).toEqual(["orders.get", "orders.get", "orders.get"]);
});
