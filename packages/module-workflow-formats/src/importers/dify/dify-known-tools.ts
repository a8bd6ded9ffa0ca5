import type { DifyNode } from "./dify-document.ts";

/** Tools of Dify that steps here do the same as, by the name of their plugin (or built-in provider) and their own, and what they hand on. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  "time/current_time": ["text"],
  "jina/jina_reader": ["text"],
  "google_translate/translate": ["text"],
  "tavily/tavily_search": ["text", "json"],
};

export function nameOfTool(provider: unknown, tool: unknown): string {
  const words = String(provider ?? "").split("/");
  // A plugin of Dify's own is called by its owner, its plugin and its provider.
  const isOwn = words.length === 1 || (words.length === 3 && words[0] === "langgenius" && words[1] === words[2]);
  return isOwn ? `${words.at(-1) ?? ""}/${String(tool)}` : `${String(provider)}/${String(tool)}`;
}

/** The name of a tool that is known here, and what it hands on; undefined: it is not. */
export function knownTool({ data }: DifyNode): { name: string; fields: readonly string[] } | undefined {
  const name = nameOfTool(data.provider_id ?? data.provider_name, data.tool_name);
  const fields = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  return fields && { name, fields };
}
