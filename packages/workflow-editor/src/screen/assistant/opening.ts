import { isObject, type Json } from "@oven/contract";

/** What the assistant shows when the editor is opened: a conversation, or a question that is not sent yet. */
export type AssistantOpening = { chatId: number } | { question: string };

/** Where to go to open the editor of an agent workflow with its assistant, as the arguments of `navigate`. */
export function toAssistant(
  workflowId: number,
  opening: AssistantOpening,
): [path: string, options: { state: { assistant: AssistantOpening } }] {
  return [`/agent-workflows/${workflowId}/editor`, { state: { assistant: opening } }];
}

/** What the page before asked for; null: nothing. */
export function readOpening(state: Json | undefined): AssistantOpening | null {
  const opening = isObject(state) ? state.assistant : undefined;
  if (!isObject(opening)) return null;
  const { chatId, question } = opening;
  if (typeof chatId === "number") return { chatId };
  return typeof question === "string" ? { question } : null;
}
