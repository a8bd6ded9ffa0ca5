import type { JsonObject } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { ApiOperation } from "@oven/contract/api";
import type { Database } from "@oven/db";
import { and, eq, isNotNull } from "@oven/db/drizzle";
import { toUsableSchema } from "@oven/engine";
import type { ConnectionRow } from "../connections/connection-row.ts";
import { apiConnections, apiOperations } from "../schema.ts";
import type { OperationRow } from "./operation-row.ts";

export const USE_PERMISSION = "api-operations.use";

/**
 * What bindings may name, per tenant, in memory: operations as they were approved. What has changed since stays here with the words that
 * were approved, and is refused when it is called.
 */
export class OperationCatalogue {
  readonly #db: Database;
  #tools: ReadonlyMap<number, readonly ToolInfo[]> = new Map();
  readonly #changed: () => void;
  #mark: string | undefined;

  /** @param changed called after the catalogue has become another */
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
    const { name, title, accounts } = apiConnections;
    const rows = await this.#db.orm
      .select({ operation: apiOperations, connection: { name, title, accounts } })
      .from(apiOperations)
      .innerJoin(apiConnections, eq(apiConnections.id, apiOperations.connectionId))
      .where(and(isNotNull(apiOperations.approved), eq(apiConnections.enabled, true)));
    const byTenant = new Map<number, ToolInfo[]>();
    for (const { operation, connection } of rows) {
      const info = toInfo(operation, connection);
      if (info !== undefined) byTenant.set(operation.tenantId, [...(byTenant.get(operation.tenantId) ?? []), info]);
    }
    for (const infos of byTenant.values()) infos.sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#tools = byTenant;
    this.#mark = mark;
    this.#changed();
  }

  async #readMark(): Promise<string> {
    const [row] = await this.#db.query<{ mark: string | null }>(
      `select count(*)::text || ':' || coalesce(sum(hashtext(
         c.name || ':' || c.accounts || ':' || coalesce(c.title, '') || ':' || o.tool_id || ':' || o.approved_hash || ':' || o.effect || ':' || o.needs_approval::text || ':' || coalesce(o.approval_when, '')
       )::bigint), 0)::text as mark
       from api_operations o join api_connections c on c.id = o.connection_id
       where o.approved_hash is not null and c.enabled`,
    );
    return row?.mark ?? "";
  }
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
