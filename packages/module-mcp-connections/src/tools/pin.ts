import type { McpListedTool } from "@oven/contract/mcp";
import { hashJson } from "@oven/engine";

/** What a model sees and what is sent: name, description and schemas. Hints and the title decide nothing and may change. */
export function pinOf({ name, description, inputSchema, outputSchema }: McpListedTool): string {
  return hashJson({ name, description, inputSchema, outputSchema });
}
