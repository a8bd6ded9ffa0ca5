import { type Message, OvenError } from "@oven/contract";
import type { NodeContext } from "@oven/module-registry";
import { readMessages } from "./conversation.ts";

/** The newest turns say what it is about; older ones blur it. */
const TURNS = 2;
const LONGEST = 4_000;

/**
 * What to look for: what was asked for, else what the user said last, else the texts the run was started with.
 * @throws OvenError QUERY_MISSING when none of them has a word
 */
export function toQuery(context: Pick<NodeContext, "read">, given: string | undefined): string {
  const said = readMessages(context).filter(isFromUser).slice(-TURNS).map(textOf);
  const candidates = [given ?? "", said.join("\n"), triggerTexts(context.read("$.trigger")).join("\n")];
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

/** Context that this very package added is no question. */
function isFromUser(message: Message): boolean {
  return message.role === "user" && !textOf(message).startsWith(CONTEXT_START);
}

export const CONTEXT_START = "[context]";

function triggerTexts(trigger: unknown): string[] {
  if (typeof trigger === "string") return [trigger];
  if (typeof trigger !== "object" || trigger === null) return [];
  return Object.values(trigger).filter((value) => typeof value === "string");
}
