import { OvenError } from "@oven/contract";
import type { SpokenMessage } from "@oven/contract/agent";

/** What a request has, in its order, with its text read. */
export type Entry =
  | { role: "system" | "user" | "assistant"; text: string }
  /** A tool of the caller's. */
  | { role: "call"; name: string; arguments: string }
  | { role: "result"; id: string; text: string };

/**
 * What is said to the agent or workflow. Instructions and results of tools are its author's to give, never a caller's: here they are words of
 * the user, with no more weight than these. Instructions stand before the newest ones, so that they are not cut off with the history, and reach
 * those who get no history.
 * @throws OvenError INVALID_REQUEST unless the last words are the user's
 */
export function toSaid(entries: readonly Entry[], path: string): SpokenMessage[] {
  const instructions = entries.flatMap((entry) => (entry.role === "system" ? [entry.text] : []));
  const said = entries.flatMap(toSpoken).filter(({ content }) => content !== "");
  const last = said.pop();
  if (last?.role !== "user")
    throw new OvenError("INVALID_REQUEST", "The last message must be the user's, and have a text", { path });
  const content = [...instructions, last.content].filter((text) => text !== "").join("\n\n");
  return [...said, { role: "user", content }];
}

function toSpoken(entry: Entry): SpokenMessage[] {
  if (entry.role === "system") return [];
  if (entry.role === "call") return [{ role: "assistant", content: `Called ${entry.name}(${entry.arguments})` }];
  if (entry.role === "result") return [{ role: "user", content: `Result of the tool call ${entry.id}: ${entry.text}` }];
  return [{ role: entry.role, content: entry.text }];
}
