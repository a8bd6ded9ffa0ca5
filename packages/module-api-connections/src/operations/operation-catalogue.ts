import type { JsonObject } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { ApiOperation } from "@oven/contract/api";
import type { Database } from "@oven/db";
import { and, eq, isNotNull } from "@oven/db/drizzle";
import { toUsableSchema } from "@oven/engine";
import { TenantTools } from "@oven/module-agent-core";
import type { ConnectionRow } from "../connections/connection-row.ts";
import { apiConnections, apiOperations } from "../schema.ts";
import type { OperationRow } from "./operation-row.ts";

export const USE_PERMISSION = "api-operations.use";

/** Operations that were approved, as they were approved. @param changed called after they have become others */
export function createOperationCatalogue({ system }: Database, changed: () => void): TenantTools {
  const { name, title, accounts } = apiConnections;
  return new TenantTools({
    db: system,
    changed,
    marked: {
      from: "api_operations o join api_connections c on c.id = o.connection_id where o.approved_hash is not null and c.enabled",
      columns: [
        ...["o.id", "o.tenant_id", "o.tool_id", "o.approved_hash", "o.approved_at", "o.effect", "o.needs_approval"],
        ...["o.approval_when", "c.name", "c.title", "c.accounts"],
      ],
    },
    read: async () => {
      const rows = await system.orm
        .select({ operation: apiOperations, connection: { name, title, accounts } })
        .from(apiOperations)
        .innerJoin(apiConnections, eq(apiConnections.id, apiOperations.connectionId))
        .where(and(isNotNull(apiOperations.approved), eq(apiConnections.enabled, true)));
      return rows.flatMap(({ operation, connection }) => {
        const info = toInfo(operation, connection);
        return info === undefined ? [] : [{ tenantId: operation.tenantId, tool: info }];
      });
    },
  });
}

function toInfo(
  { toolId, approved, effect, needsApproval, approvalWhen }: OperationRow,
  { name, title, accounts }: Pick<ConnectionRow, "name" | "title" | "accounts">,
): ToolInfo | undefined {
  if (approved === null) return undefined;
  return {
    id: toolId,
    title: approved.title,
    description: `${(approved.description || approved.title).replace(/\.?$/, ".")} Of the API ${title ?? name}.`,
    inputSchema: toUsableSchema(approved.inputSchema).schema,
    outputSchema: toOutputSchema(approved),
    effect,
    needsApproval,
    ...(approvalWhen === null ? {} : { approvalWhen }),
    permission: USE_PERMISSION,
    source: "api",
    ...(accounts === "own" ? { asksCaller: true } : {}),
    tags: ["outside-content", "outbound", "api"],
  };
}

/** What a call answers: the status, and the body as the document describes it. */
function toOutputSchema({ outputSchema }: ApiOperation): JsonObject {
  return {
    type: "object",
    properties: {
      status: { type: "integer" },
      body: outputSchema === null ? {} : toUsableSchema(outputSchema).schema,
    },
    required: ["status", "body"],
  };
}
