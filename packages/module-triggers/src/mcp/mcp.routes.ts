import type { Route } from "@oven/module-registry";
import { keepToWorkflows, mcpEndpoint } from "@oven/module-workflows";
import { z } from "zod";
import type { McpIntake } from "./mcp-intake.ts";

/** Where clients call the tools of triggers. */
export function mcpTriggerRoutes(deps: () => { mcp: McpIntake; publicUrl: string }): Route[] {
  return keepToWorkflows(
    mcpEndpoint({
      path: "mcp/triggers/[id]",
      summary: "A trigger as a tool on an MCP server (Streamable HTTP)",
      access: { permission: "triggers.fire" },
      params: z.object({ id: z.coerce.number().int().positive() }),
      publicUrl: () => deps().publicUrl,
      open: ({ principal, params, request }) => deps().mcp.open(principal, params.id, request),
    }),
  );
}
