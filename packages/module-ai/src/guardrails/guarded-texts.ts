import type { Json, JsonObject } from "@oven/contract";
import type { Message, ModelAnswer } from "@oven/contract/ai";
import { isFromText } from "../messages/to-sdk-messages.ts";
import { readAnswer } from "../model/read-answer.ts";

type Change = (text: string) => string;

/** All that a model is told by a conversation, piece by piece: also what tools answered. */
export function textsOf(messages: readonly Message[]): string[] {
  const texts: string[] = [];
  mapMessages(messages, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** The messages after the last answer of the model: what is new in this call. */
export function newestOf(messages: readonly Message[]): readonly Message[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
}

export function mapMessages(messages: readonly Message[], change: Change): Message[] {
  return messages.map((message) => mapMessage(message, change));
}

/** Text and arguments of tool calls of an answer, piece by piece. */
export function textsOfAnswer({ message }: Pick<ModelAnswer, "message">): string[] {
  return textsOf([message]);
}

/** @param outputSchema what the answer was asked to be JSON of */
export function mapAnswer(answer: ModelAnswer, change: Change, outputSchema?: JsonObject): ModelAnswer {
  const message = mapMessage(answer.message, change);
  const text = textIn(message);
  const toolCalls = answer.toolCalls.map((call) => ({ ...call, arguments: mapJson(call.arguments, change) }));
  const object =
    answer.object === undefined || outputSchema === undefined ? undefined : readAnswer(text, outputSchema).value;
  const { object: _object, ...rest } = answer;
  return { ...rest, text, message, toolCalls, ...(object === undefined ? {} : { object }) };
}

function textIn({ content }: Message): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function mapMessage(message: Message, change: Change): Message {
  switch (message.role) {
    case "system":
      return { ...message, content: change(message.content) };
    case "user":
      return {
        ...message,
        content:
          typeof message.content === "string"
            ? change(message.content)
            : message.content.map((part) => (part.type === "text" ? { ...part, text: change(part.text) } : part)),
      };
    case "assistant":
      return {
        ...message,
        content:
          typeof message.content === "string"
            ? change(message.content)
            : message.content.map((part) => {
                if (part.type === "tool-call") return { ...part, input: mapJson(part.input, change) };
                // Signed by its provider, which takes it back only as it was.
                if (part.type === "reasoning" && part.providerOptions !== undefined && !isFromText(part)) return part;
                return { ...part, text: change(part.text) };
              }),
      };
    case "tool":
      return {
        ...message,
        content: message.content.map((part) => ({
          ...part,
          output: { ...part.output, value: mapJson(part.output.value, change) },
        })),
      };
  }
}

function mapJson(value: Json, change: Change): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapJson(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapJson(item, change)]));
}
