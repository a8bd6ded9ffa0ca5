import type { DifyNode } from "./dify-document.ts";

/** Tools of Dify that steps here do the same as, by the name of their plugin (or built-in provider) and their own. */
const KNOWN = new Set(["time/current_time", "jina/jina_reader"]);

export function nameOfTool(provider: unknown, tool: unknown): string {
  const words = String(provider ?? "").split("/");
  // A plugin of Dify's own is called by its owner, its plugin and its provider.
  const isOwn = words.length === 1 || (words.length === 3 && words[0] === "langgenius" && words[1] === words[2]);
  return isOwn ? `${words.at(-1) ?? ""}/${String(tool)}` : `${String(provider)}/${String(tool)}`;
}

export const isKnownTool = ({ data }: DifyNode): boolean =>
  KNOWN.has(nameOfTool(data.provider_id ?? data.provider_name, data.tool_name));
