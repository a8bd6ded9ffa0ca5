import type { SpokenMessage } from "@oven/contract/agent";
import { type AnsweredCalls, readAnsweredCalls } from "../requests/call-ids.ts";
import { readText } from "../requests/read-text.ts";
import { type Entry, toSaid } from "../requests/to-said.ts";
import type { NewCompletion } from "./completion-shapes.ts";

/** @throws OvenError INVALID_REQUEST, UNSUPPORTED_PARAMETER */
export function readMessages({ messages }: Pick<NewCompletion, "messages">): SpokenMessage[] {
  return toSaid(messages.flatMap(toEntries), "$.messages");
}

/** The results that end a conversation. */
export function readResults({ messages }: Pick<NewCompletion, "messages">): AnsweredCalls | undefined {
  const from = messages.findLastIndex(({ role }) => role !== "tool") + 1;
  const results = messages.slice(from).map(({ tool_call_id: id = "", content }, index) => ({
    id,
    text: readText(content, `$.messages[${from + index}].content`),
  }));
  return readAnsweredCalls(results);
}

function toEntries(message: NewCompletion["messages"][number], index: number): Entry[] {
  const { role, content, tool_calls: calls, tool_call_id: id } = message;
  const text = readText(content, `$.messages[${index}].content`);
  switch (role) {
    case "system":
    case "developer":
      return [{ role: "system", text }];
    case "tool":
    case "function":
      return [{ role: "result", id: id ?? "", text }];
    case "assistant": {
      const called = (calls ?? []).flatMap(({ function: call }): Entry[] =>
        call === undefined ? [] : [{ role: "call", name: call.name, arguments: call.arguments }],
      );
      return [{ role, text }, ...called];
    }
    case "user":
      return [{ role, text }];
  }
}
