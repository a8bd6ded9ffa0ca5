import { getOwn, isObject, type Json, type JsonObject, readMoney } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";

/** How many arguments a title names, and how long each may be, in characters. */
const MOST = 3;
const LONGEST = 40;

/**
 * The title of a review of a call: the tool and the first of its plain arguments, so that the reviews of several calls
 * differ: `Refund an order: 8841, €12.00`.
 */
export function toCallTitle(tool: Pick<ToolInfo, "title" | "inputSchema">, proposal: Json): string {
  const texts = isObject(proposal) ? toTexts(proposal, tool.inputSchema) : [];
  return texts.length === 0 ? `Approve: ${tool.title}` : `${tool.title}: ${texts.join(", ")}`;
}

/** Those that the schema needs come first, in its order. */
function toTexts(proposal: JsonObject, schema: JsonObject): string[] {
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];
  const names = new Set([...required, ...Object.keys(proposal)]);
  return [...names].flatMap((name) => toText(name, proposal) ?? []).slice(0, MOST);
}

function toText(name: string, proposal: JsonObject): string | undefined {
  const value = getOwn(proposal, name);
  if (name === "currency") return undefined;
  if (typeof value === "number") return readMoney(name, value, proposal, "en") ?? String(value);
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const line = value.trim().replace(/\s+/g, " ");
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line;
}
