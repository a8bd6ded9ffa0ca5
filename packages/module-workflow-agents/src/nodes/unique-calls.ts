import type { Message, ModelAnswer } from "@oven/contract/ai";

/**
 * The answer with call ids that the conversation does not have yet. Some servers count their calls anew in each reply; an
 * approval or a result of an earlier call would then stand for a later one.
 */
export function withUniqueCalls(answer: ModelAnswer, conversation: readonly Message[]): ModelAnswer {
  const taken = new Set(conversation.flatMap(callIds));
  // By position: two calls of one answer may have the same id as well.
  const ids = answer.toolCalls.map(({ toolCallId }) => {
    let unique = toolCallId;
    for (let copy = 2; taken.has(unique); copy += 1) unique = `${toolCallId}-${copy}`;
    taken.add(unique);
    return unique;
  });
  if (answer.toolCalls.every(({ toolCallId }, index) => toolCallId === ids[index])) return answer;
  const { message } = answer;
  if (message.role !== "assistant" || typeof message.content === "string") return answer;
  const toolCalls = answer.toolCalls.map((call, index) => ({ ...call, toolCallId: ids[index] ?? call.toolCallId }));
  let position = 0;
  const content = message.content.map((part) => {
    if (part.type !== "tool-call") return part;
    const toolCallId = ids[position] ?? part.toolCallId;
    position += 1;
    return { ...part, toolCallId };
  });
  return { ...answer, toolCalls, message: { ...message, content } };
}

function callIds(message: Message): string[] {
  if (message.role === "tool") return message.content.map(({ toolCallId }) => toolCallId);
  if (message.role !== "assistant" || typeof message.content === "string") return [];
  return message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
}
