import type { JsonObject } from "@oven/contract";
import type { ChatMapping, ChatTarget, ChatTargetKind, NewChatSession } from "@oven/contract/agent";
import { t } from "@oven/i18n";

export const TARGET_WORDS: Record<ChatTargetKind, string> = {
  agent: "Agents",
  "agent-workflow": t("Agent workflows"),
  workflow: "Workflows",
};

/** In an address: `agent:3`. */
export function toTargetKey({ kind, id }: Pick<ChatTarget, "kind" | "id">): string {
  return `${kind}:${id}`;
}

/** A workflow that needs more than a text can be talked to once that was given; one that takes no text cannot. */
export function canBeTalkedTo({ misfit, mapping, parameters }: ChatTarget): boolean {
  return misfit === null || (mapping !== null && parameters !== null);
}

/** Which fields are meant otherwise than they are read; texts as they are typed, empty: as it is read. */
export type ReadingDraft = Record<"message" | "messages" | "answer", string>;

export const AS_READ: ReadingDraft = { message: "", messages: "", answer: "" };
/** As the field for the conversation: none gets it. */
export const NO_CONVERSATION = "-";

/** What else is given stands in the agent's parameters, or in every input of the workflow. */
export function toNewChat({ kind, id }: ChatTarget, given: JsonObject, reading = AS_READ): NewChatSession {
  if (kind === "agent") return { target: { kind, id }, parameters: given, modelSettings: {} };
  const [message, messages, answer] = [reading.message.trim(), reading.messages.trim(), reading.answer.trim()];
  const mapping: Partial<ChatMapping> = {
    ...(message === "" ? {} : { message }),
    ...(messages === "" ? {} : { messages: messages === NO_CONVERSATION ? null : messages }),
    ...(answer === "" ? {} : { answer }),
    ...(Object.keys(given).length === 0 ? {} : { input: given }),
  };
  return {
    target: { kind, id },
    parameters: {},
    modelSettings: {},
    ...(Object.keys(mapping).length === 0 ? {} : { mapping }),
  };
}
