import type { JsonObject } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { McpListedTool } from "@oven/contract/mcp";
import type { Database } from "@oven/db";
import { and, eq, isNotNull } from "@oven/db/drizzle";
import { toUsableSchema } from "@oven/engine";
import type { ConnectionRow, ToolRow } from "../connections/connection-row.ts";
import { mcpConnections, mcpConnectionTools } from "../schema.ts";

export const USE_PERMISSION = "mcp-tools.use";

/**
 * What bindings may name, per tenant, in memory: tools that somebody approved, as they were approved. What has changed since stays
 * here with the words that were approved, and is refused when it is called.
 */
export class ToolCatalogue {
  readonly #db: Database;
  #tools: ReadonlyMap<number, readonly ToolInfo[]> = new Map();
  readonly #changed: () => void;
  #mark: string | undefined;

  /** @param changed called after what is on the catalogue has become something else */
  constructor(db: Database, changed: () => void) {
    this.#db = db.system;
    this.#changed = changed;
  }

  list(tenantId: number): readonly ToolInfo[] {
    return this.#tools.get(tenantId) ?? [];
  }

  /** Reads anew if something has changed, here or in another process. */
  async refresh(): Promise<void> {
    const mark = await this.#readMark();
    if (mark === this.#mark) return;
    const { name, title, lastError } = mcpConnections;
    const rows = await this.#db.orm
      // No more than is needed: before an upgrade, `oven doctor` reads a database that lacks newer columns.
      .select({ tool: mcpConnectionTools, connection: { name, title, lastError } })
      .from(mcpConnectionTools)
      .innerJoin(mcpConnections, eq(mcpConnections.id, mcpConnectionTools.connectionId))
      .where(and(isNotNull(mcpConnectionTools.approved), eq(mcpConnections.enabled, true)));
    const byTenant = new Map<number, ToolInfo[]>();
    for (const { tool, connection } of rows) {
      const info = toInfo(tool, connection);
      if (info !== undefined) byTenant.set(tool.tenantId, [...(byTenant.get(tool.tenantId) ?? []), info]);
    }
    for (const infos of byTenant.values()) infos.sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#tools = byTenant;
    this.#mark = mark;
    this.#changed();
  }

  async #readMark(): Promise<string> {
    const [row] = await this.#db.query<{ mark: string | null }>(
      `select count(*)::text || ':' || coalesce(sum(hashtext(
         c.name || ':' || coalesce(c.title, '') || ':' || t.tool_id || ':' || t.approved_hash || ':' || t.effect || ':' || t.needs_approval::text || ':' || coalesce(t.approval_when, '') || ':' || coalesce(c.last_error, '')
       )::bigint), 0)::text as mark
       from mcp_connection_tools t join mcp_connections c on c.id = t.connection_id
       where t.approved_hash is not null and c.enabled`,
    );
    return row?.mark ?? "";
  }
}

function toInfo(
  { toolId, approved, effect, needsApproval, approvalWhen }: ToolRow,
  { name, title, lastError }: Pick<ConnectionRow, "name" | "title" | "lastError">,
): ToolInfo | undefined {
  if (approved === null) return undefined;
  return {
    id: toolId,
    title: approved.title ?? approved.name,
    description: `${approved.description.replace(/\.?$/, ".")} Of the outside server ${title ?? name}.`,
    // What calls are checked by: patterns that cannot be checked are not in it.
    inputSchema: toUsableSchema(approved.inputSchema).schema,
    outputSchema: toOutputSchema(approved),
    effect,
    needsApproval,
    ...(approvalWhen === null ? {} : { approvalWhen }),
    permission: USE_PERMISSION,
    source: "mcp",
    asksCaller: true,
    ...(lastError === null ? {} : { note: `Its server cannot be used now: ${lastError}` }),
    tags: ["outside-content", "outbound", "mcp"],
  };
}

/** Of `McpToolResult`, with what this tool declares in its place. */
function toOutputSchema({ outputSchema }: McpListedTool): JsonObject {
  const attachments = { type: "array", items: { type: "object" } };
  return {
    type: "object",
    properties: {
      text: { type: "string" },
      ...(outputSchema === null ? {} : { structured: toUsableSchema(outputSchema).schema }),
      attachments,
    },
    required: outputSchema === null ? ["text"] : ["text", "structured"],
  };
}
