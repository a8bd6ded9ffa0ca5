import {
  type DataSchema,
  isOvenError,
  type JsonObject,
  type ListParams,
  lookalikesIn,
  notFound,
  OvenError,
  type Principal,
} from "@oven/contract";
import type { TriedTool } from "@oven/contract/agent";
import type {
  ApprovedMcpTools,
  ApproveMcpTool,
  ApproveMcpTools,
  CreateMcpConnection,
  McpConnection,
  McpConnectionTest,
  McpConnectionTool,
  UpdateMcpConnection,
} from "@oven/contract/mcp";
import type { Database } from "@oven/db";
import { and, asc, eq, inArray, sql } from "@oven/db/drizzle";
import { requireCondition } from "@oven/engine";
import {
  approvePinned,
  CLAIM_MS,
  NOT_APPROVED,
  pinnedState,
  type TenantTools,
  tryPinned,
} from "@oven/module-agent-core";
import { listRows, type ServiceMap } from "@oven/module-registry";
import type { ServerSession } from "../client/server-session.ts";
import { mcpConnections, mcpConnectionTools, mcpOpenQuestions } from "../schema.ts";
import type { ToolCaller } from "../tools/tool-caller.ts";
import { type ConnectionRow, type ToolRow, toConnection, toTool } from "./connection-row.ts";
import type { Credentials } from "./credentials.ts";
import type { Discovery } from "./discovery.ts";
import type { Servers, Target } from "./servers.ts";

interface Deps {
  db: Database;
  services: Pick<ServiceMap, "secrets" | "tools">;
  servers: Servers;
  discovery: Discovery;
  catalogue: TenantTools;
  caller: ToolCaller;
  credentials: Credentials;
}

/** Connections and their tools as people see and change them. */
export class ConnectionService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: McpConnection[]; total: number }> {
    const { id, name, transport, enabled, lastContactAt, createdAt, updatedAt, tenantId } = mcpConnections;
    const { rows, total } = await listRows(this.#orm, principal, params, {
      table: mcpConnections,
      fields: { id, name, transport, enabled, lastContactAt, createdAt, updatedAt },
      search: [name],
      tenant: tenantId,
    });
    const tools = await this.#tools(rows.map((row) => row.id));
    return { rows: rows.map((row) => toConnection(row, tools.get(row.id) ?? [])), total };
  }

  /** @throws OvenError NOT_FOUND, also for rows of other tenants */
  async get(principal: Principal, id: number): Promise<McpConnection> {
    const row = await this.row(principal, id);
    return toConnection(row, (await this.#tools([id])).get(id) ?? []);
  }

  /** @throws OvenError UNIQUE_VIOLATION, and what the address is refused for */
  async create(principal: Principal, body: CreateMcpConnection, signal: AbortSignal): Promise<McpConnection> {
    const [row] = await this.#orm
      .insert(mcpConnections)
      .values({
        ...settingsOf(body),
        tenantId: principal.tenantId,
        createdBy: principal.userId,
        // It is asked here and now; the checks in the background keep off meanwhile.
        nextCheckAt: new Date(Date.now() + CLAIM_MS),
      })
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    if (row.enabled) await this.#deps.discovery.refresh(row, signal);
    return this.get(principal, row.id);
  }

  /** @throws OvenError NOT_FOUND, MCP_CONNECTION_MANAGED */
  async update(principal: Principal, id: number, body: UpdateMcpConnection): Promise<McpConnection> {
    const before = requireManaged(await this.row(principal, id));
    const changes = settingsOf(body);
    const moved = changes.url !== undefined && changes.url !== before.url;
    const signedOut =
      moved || (changes.auth !== undefined && JSON.stringify(changes.auth) !== JSON.stringify(before.auth));
    await this.#orm
      .update(mcpConnections)
      .set({
        ...changes,
        updatedAt: sql`now()`,
        nextCheckAt: sql`now()`,
        ...(signedOut ? { prior: null, listedAt: null, lastError: null, lastErrorCode: null, failures: 0 } : {}),
      })
      .where(owned(principal, id));
    // What one server was told is not another's.
    if (signedOut) await this.#deps.credentials.forget(principal.tenantId, id);
    // Another server's tools are other tools, whatever they are called.
    if (moved) {
      await this.#orm.delete(mcpConnectionTools).where(toolsOf(principal, id));
      await this.#orm.delete(mcpOpenQuestions).where(questionsOf(principal, id));
    } else if (changes.name !== undefined && changes.name !== before.name)
      await this.#db.query(
        "update mcp_connection_tools set tool_id = 'mcp.' || $1 || substr(tool_id, length('mcp.' || $2) + 1) where connection_id = $3 and tenant_id = $4",
        [changes.name, before.name, id, principal.tenantId],
      );
    await this.#deps.catalogue.refresh();
    return this.get(principal, id);
  }

  /** @throws OvenError NOT_FOUND, MCP_CONNECTION_MANAGED */
  async delete(principal: Principal, id: number): Promise<void> {
    requireManaged(await this.row(principal, id));
    await this.#db.transaction(async ({ orm }) => {
      await orm.delete(mcpConnectionTools).where(toolsOf(principal, id));
      await orm.delete(mcpOpenQuestions).where(questionsOf(principal, id));
      await orm.delete(mcpConnections).where(owned(principal, id));
    });
    await this.#deps.credentials.forget(principal.tenantId, id);
    await this.#deps.catalogue.refresh();
  }

  /** Asks the server now. What goes wrong is in the answer. */
  async refresh(principal: Principal, id: number, signal: AbortSignal): Promise<McpConnection> {
    const row = await this.row(principal, id);
    if (!row.enabled)
      throw new OvenError("MCP_CONNECTION_FAILED", `${row.name} is disabled, so it is not asked`, {
        status: 409,
        fix: "Enable it first.",
      });
    await this.#deps.discovery.refresh(row, signal);
    await this.#deps.catalogue.refresh();
    return this.get(principal, id);
  }

  /** Settings that nobody has stored: whether a server answers, and what it has. */
  async test(
    principal: Principal,
    target: Omit<Target, "name" | "tenantId">,
    signal: AbortSignal,
  ): Promise<McpConnectionTest> {
    const started = performance.now();
    let session: ServerSession | undefined;
    const latencyMs = () => Math.round(performance.now() - started);
    try {
      session = await this.#deps.servers.tryOut(
        { ...target, name: new URL(target.url).host, tenantId: principal.tenantId },
        signal,
      );
      const { tools } = await session.listTools();
      const { protocolVersion, serverName } = session;
      const shown = tools.map(({ name, description }) => ({ name, description: description.slice(0, 500) }));
      return { ok: true, error: null, fix: null, protocolVersion, serverName, latencyMs: latencyMs(), tools: shown };
    } catch (error) {
      if (!isOvenError(error)) throw error;
      const { fix = null } = error;
      const message = this.#deps.services.secrets.redact(principal.tenantId, error.message);
      return {
        ok: false,
        error: message,
        fix,
        protocolVersion: null,
        serverName: null,
        latencyMs: latencyMs(),
        tools: [],
      };
    } finally {
      await session?.close();
    }
  }

  async tools(principal: Principal, id: number): Promise<McpConnectionTool[]> {
    await this.row(principal, id);
    return this.#shown(principal, (await this.#tools([id])).get(id) ?? []);
  }

  /** @throws OvenError NOT_FOUND; MCP_TOOL_CHANGED when it is no longer what was looked at, or cannot be used */
  async approve(
    principal: Principal,
    id: number,
    toolId: number,
    { hash, ...decision }: ApproveMcpTool,
  ): Promise<McpConnectionTool> {
    const before = await this.#tool(principal, id, toolId);
    const { approved } = await this.approveMany(principal, id, { ...decision, tools: [{ id: toolId, hash }] });
    if (approved === 0)
      throw new OvenError("MCP_TOOL_CHANGED", `${before.toolId} is no longer what you looked at`, {
        status: 409,
        fix: "Look at it again: its server has changed it, or no longer lists it.",
        details: { state: pinnedState(before) },
      });
    return this.#shownOne(principal, await this.#tool(principal, id, toolId));
  }
  /** Those that are no longer what was looked at are named in the answer. @throws OvenError NOT_FOUND */
  async approveMany(
    principal: Principal,
    id: number,
    { tools, ...decision }: ApproveMcpTools,
  ): Promise<ApprovedMcpTools> {
    if (decision.approvalWhen !== null) requireCondition(decision.approvalWhen, "$.approvalWhen");
    await this.row(principal, id);
    const outcome = await approvePinned(this.#db, "mcp_connection_tools", principal, id, { ...decision, rows: tools });
    await this.#deps.catalogue.refresh();
    return outcome;
  }

  /** @throws OvenError NOT_FOUND */
  async withdraw(principal: Principal, id: number, toolId: number): Promise<McpConnectionTool> {
    await this.#tool(principal, id, toolId);
    await this.#orm
      .update(mcpConnectionTools)
      .set(NOT_APPROVED)
      .where(and(eq(mcpConnectionTools.id, toolId), toolsOf(principal, id)));
    await this.#deps.catalogue.refresh();
    return this.#shownOne(principal, await this.#tool(principal, id, toolId));
  }

  /**
   * One call, by hand; an approved tool only. What goes wrong is in the answer.
   * @throws OvenError APPROVAL_NEEDED where each call of the tool needs a review
   */
  async tryTool(
    principal: Principal,
    id: number,
    toolId: number,
    args: JsonObject,
    signal: AbortSignal,
  ): Promise<TriedTool> {
    const tool = await this.#tool(principal, id, toolId);
    const { services, caller } = this.#deps;
    const call = caller.call.bind(caller);
    return tryPinned(services, tool, { principal, signal, arguments: args, call });
  }

  /** Where a call of the tool by hand has its arguments, and what they are checked by. @throws OvenError NOT_FOUND */
  async dataSchema(principal: Principal, id: number, toolId: number): Promise<DataSchema> {
    const { approved } = await this.#tool(principal, id, toolId);
    return { at: ["arguments"], schema: approved?.inputSchema };
  }

  async row(principal: Principal, id: number): Promise<ConnectionRow> {
    const [row] = await this.#orm.select().from(mcpConnections).where(owned(principal, id));
    if (row === undefined) throw notFound("MCP connection", id);
    return row;
  }

  get #db(): Database {
    return this.#deps.db;
  }

  get #orm() {
    return this.#deps.db.orm;
  }

  async #tool(principal: Principal, id: number, toolId: number): Promise<ToolRow> {
    await this.row(principal, id);
    const [row] = await this.#orm
      .select()
      .from(mcpConnectionTools)
      .where(and(eq(mcpConnectionTools.id, toolId), toolsOf(principal, id)));
    if (row === undefined) throw notFound("tool of the MCP connection", toolId);
    return row;
  }

  async #shownOne(principal: Principal, row: ToolRow): Promise<McpConnectionTool> {
    const [tool] = await this.#shown(principal, [row]);
    return tool as McpConnectionTool; // cast: one for each row
  }

  async #shown({ tenantId }: Principal, rows: readonly ToolRow[]): Promise<McpConnectionTool[]> {
    const all = await this.#orm
      .select({ toolId: mcpConnectionTools.toolId, name: mcpConnectionTools.name })
      .from(mcpConnectionTools)
      .where(eq(mcpConnectionTools.tenantId, tenantId));
    const groups = lookalikesIn(all.map(listedName));
    return rows.map((row) => {
      const name = listedName(row);
      const group = groups.find((names) => names.includes(name)) ?? [];
      return toTool(
        row,
        group.filter((other) => other !== name),
      );
    });
  }

  async #tools(ids: readonly number[]): Promise<Map<number, ToolRow[]>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#orm
      .select()
      .from(mcpConnectionTools)
      .where(inArray(mcpConnectionTools.connectionId, [...ids]))
      .orderBy(asc(mcpConnectionTools.name));
    return Map.groupBy(rows, ({ connectionId }) => connectionId);
  }
}

const KEYS = [
  "name",
  "title",
  "url",
  "auth",
  "timeoutMs",
  "maxTotalMs",
  "maxBytes",
  "callsPerMinute",
  "callsPerDay",
  "maxSessions",
  "sessionWaitMs",
  "sessionIdleMs",
  "enabled",
] as const;

/** `mcp.{connection}.` and the name as its server has it: an id has other letters in the place of what ids cannot have. */
function listedName({ toolId, name }: Pick<ToolRow, "toolId" | "name">): string {
  const [kind, connection] = toolId.split(".");
  return `${kind}.${connection}.${name}`;
}

/** Only what may be set, and only what was given. */
function settingsOf<Body extends UpdateMcpConnection>(body: Body): Pick<Body, (typeof KEYS)[number]> {
  const given = Object.fromEntries(KEYS.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]));
  return given as Pick<Body, (typeof KEYS)[number]>; // cast: the keys that were given, with their values
}

function owned({ tenantId }: Principal, id: number) {
  return and(eq(mcpConnections.id, id), eq(mcpConnections.tenantId, tenantId));
}

function toolsOf({ tenantId }: Principal, id: number) {
  return and(eq(mcpConnectionTools.connectionId, id), eq(mcpConnectionTools.tenantId, tenantId));
}

function questionsOf({ tenantId }: Principal, id: number) {
  return and(eq(mcpOpenQuestions.connectionId, id), eq(mcpOpenQuestions.tenantId, tenantId));
}

/** @throws OvenError MCP_CONNECTION_MANAGED */
function requireManaged(row: ConnectionRow): ConnectionRow {
  if (row.transport !== "stdio") return row;
  throw new OvenError(
    "MCP_CONNECTION_MANAGED",
    `${row.name} stands in the operator's file, which alone can change it`,
    {
      status: 409,
      fix: "Have the operator change the file that OVEN_MCP_SERVERS_FILE names, and restart.",
    },
  );
}
