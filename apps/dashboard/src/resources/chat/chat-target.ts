import type { ChatTarget, ChatTargetKind, JsonObject, NewChatSession } from "@oven/contract";
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
export function canBeTalkedTo({ misfit, kind, parameters }: ChatTarget): boolean {
  return misfit === null || (kind !== "agent" && parameters !== null && misfit.startsWith("Its input needs"));
}

/** What else is given stands in the agent's parameters, or in every input of the workflow. */
export function toNewChat({ kind, id }: ChatTarget, given: JsonObject): NewChatSession {
  if (kind === "agent") return { target: { kind, id }, parameters: given, modelSettings: {} };
  return {
    target: { kind, id },
    parameters: {},
    modelSettings: {},
    ...(Object.keys(given).length === 0 ? {} : { mapping: { input: given } }),
  };
}
