import { type NewEvent, SYSTEM_PRINCIPAL, toActor } from "@oven/contract";
import { z } from "zod";
import type { ConnectionRow } from "../connections/connection-row.ts";

const TOOLS_CHANGED = "mcp-connections.tool.changed";

export const toolEvents = {
  [TOOLS_CHANGED]: z
    .looseObject({ connectionId: z.int(), connection: z.string(), tools: z.array(z.string()) })
    .describe(
      "When a connected MCP server lists approved tools in other words, or with other schemas, than were approved",
    ),
};

/** @param tools ids of the tools */
export function toolsChanged({ id, tenantId, name, title }: ConnectionRow, tools: string[]): NewEvent {
  return {
    name: TOOLS_CHANGED,
    tenantId,
    actor: toActor({ ...SYSTEM_PRINCIPAL, tenantId }),
    orderKey: `mcp-connection:${id}`,
    payload: { connectionId: id, connection: title ?? name, tools },
  };
}
