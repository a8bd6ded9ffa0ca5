import { defineTrigger } from "@oven/module-registry";
import { checkMcp, McpConfigSchema } from "../mcp/mcp-config.ts";

export const mcpTrigger = defineTrigger({
  id: "mcp",
  title: "MCP tool",
  docs: "A tool on an MCP server at /api/mcp/triggers/[id], for clients with a key that may fire triggers. The arguments of a call arrive.",
  config: McpConfigSchema,
  sample: {},
  check: checkMcp,
  answersWithRun: true,
});
