import { type Json, OvenError } from "@oven/contract";
import type { Message } from "@oven/contract/ai";
import type { NodeContext } from "@oven/module-registry";
import { readMessages } from "./conversation.ts";

/** The newest turns say what it is about; older ones blur it. */
const TURNS = 2;
const LONGEST = 4_000;
/** How messages begin that a step adds for the model: what was found or remembered. */
export const CONTEXT_START = "[context]";

/**
 * What to look for: what was asked for, else what the user said last, else the texts the run was started with.
 * @throws OvenError QUERY_MISSING when none of them has a word
 */
export function toQuery(context: Pick<NodeContext, "read">, given: string | undefined): string {
  const said = readMessages(context).filter(isFromUser).slice(-TURNS).map(textOf);
  const candidates = [given ?? "", said.join("\n"), triggerText(context.read("$.trigger"))];
  const query = candidates.find((text) => text.trim() !== "");
  if (query !== undefined) return query.slice(-LONGEST);
  throw new OvenError(
    "QUERY_MISSING",
    "There is nothing to look for: no query, no user message and no text in the input",
    {
      path: "$.query",
      fix: "Set `query`, such as {{ $.trigger.message }}",
    },
  );
}

/** What one message says in words. */
export function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : "")).join("");
}

/** What a search or the memory added in the user's place is no word of the user's. */
export function isFromUser(message: Message): boolean {
  return message.role === "user" && !textOf(message).startsWith(CONTEXT_START);
}

/** The texts a run was started with. */
export function triggerText(trigger: Json | undefined): string {
  if (typeof trigger === "string") return trigger;
  if (typeof trigger !== "object" || trigger === null) return "";
  return Object.values(trigger)
    .filter((value) => typeof value === "string")
    .join("\n");
}
