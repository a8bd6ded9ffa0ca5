import { isOvenError, notFound, type Principal, SHARED_TENANT, SYSTEM_PRINCIPAL, toActor } from "@oven/contract";
import type { McpServer } from "@oven/contract/mcp";
import type { Workflow } from "@oven/contract/workflow";
import type { Database, Transaction } from "@oven/db";
import { and, eq, getTableName, like, sql } from "@oven/db/drizzle";
import { type CacheEntry, findWithVersion, RowCache, type ServiceMap } from "@oven/module-registry";
import { isBoundTo, sourceOf, toSummary } from "@oven/module-workflows";
import { mcpServerDefinitions as servers } from "../schema.ts";
import { toMcpServer } from "./mcp-server-row.ts";
import { refreshed, toServerTools } from "./server-tools.ts";

interface Deps {
  db: Database;
  services: ServiceMap;
  publicUrl: string;
}

/** Keeps one MCP server per exported workflow in step with its definition, in the transaction that changes it. */
export class McpRegistry {
  readonly #deps: Deps;
  readonly #cache = new RowCache<McpServer>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async onWorkflowChange(
    tx: Transaction,
    workflow: Workflow,
    change: "created" | "updated" | "deleted",
  ): Promise<void> {
    this.#cache.drop(({ agentWorkflowId }) => agentWorkflowId === workflow.id);
    // The row goes with its workflow.
    if (change === "deleted") return;
    const [existing] = await tx.orm.select().from(servers).where(eq(servers.agentWorkflowId, workflow.id));
    if (!workflow.mcpExport) {
      if (existing !== undefined) await tx.orm.delete(servers).where(eq(servers.id, existing.id));
      return;
    }
    if (existing === undefined || (await this.#regenerates(tx, workflow))) {
      await this.#generate(tx, workflow, existing?.slug);
      return;
    }
    // The tools stay as they were built; whether they may be called follows the workflow at once.
    await tx.orm
      .update(servers)
      .set({ status: statusOf(workflow), updatedAt: sql`now()` })
      .where(eq(servers.id, existing.id));
  }

  /** Builds the definition anew from the workflow as it is. */
  async regenerate(principal: Principal, id: number, workflow: Workflow): Promise<McpServer> {
    const { slug } = await this.get(principal, id);
    await this.#deps.db.transaction((tx) => this.#generate(tx, workflow, slug));
    this.#cache.drop(({ agentWorkflowId }) => agentWorkflowId === workflow.id);
    this.#deps.services.events.wake();
    return this.get(principal, id);
  }

  /** By id or slug. @throws OvenError NOT_FOUND, also for servers of other tenants */
  async get(principal: Principal, idOrSlug: number | string): Promise<McpServer> {
    return this.show((await this.#find(principal, idOrSlug)).row);
  }

  /** As clients find it now. */
  async show(row: typeof servers.$inferSelect): Promise<McpServer> {
    const { services, publicUrl } = this.#deps;
    const toolDefinitions = await refreshed(row.toolDefinitions, row.tenantId, services);
    return toMcpServer({ ...row, toolDefinitions }, publicUrl);
  }

  /** As it was read last, if that was here; whoever uses it must name its row version. */
  cached(principal: Principal, slug: string): CacheEntry<McpServer> | undefined {
    const kept = this.#cache.get(principal, slug);
    return kept && isBoundTo(principal, "agent-workflow", kept.value.agentWorkflowId) ? kept : undefined;
  }

  /** As `get`, to be kept by who may use it again. @throws OvenError NOT_FOUND */
  async read(principal: Principal, slug: string): Promise<CacheEntry<McpServer>> {
    this.#cache.forget(principal, slug);
    const { row, xmin } = await this.#find(principal, slug);
    const value = await this.#withWorstCase(await this.show(row), row.tenantId);
    return { value, rowVersion: { table: getTableName(servers), id: row.id, xmin } };
  }

  /** As `get`, with what a run of the workflow needs at most. @throws OvenError NOT_FOUND */
  async describe(principal: Principal, id: number): Promise<McpServer> {
    const { row } = await this.#find(principal, id);
    return this.#withWorstCase(await this.show(row), row.tenantId);
  }

  /** Says it with the tool that starts runs; not where the workflow cannot be run any more, which calling it says. */
  async #withWorstCase(server: McpServer, tenantId: number): Promise<McpServer> {
    const { workflowPlatform } = this.#deps.services;
    const principal = { ...SYSTEM_PRINCIPAL, tenantId };
    const workflowId = server.agentWorkflowId;
    try {
      const { definition } = await workflowPlatform.face("agent-workflow").workflows.get(principal, String(workflowId));
      const worst = await workflowPlatform.worstCases.of(principal, definition, { kind: "agent-workflow", workflowId });
      const worstCase = toSummary(worst);
      const toolDefinitions = server.toolDefinitions.map((tool, index) =>
        sourceOf(tool, index).kind === "workflow" ? { ...tool, worstCase } : tool,
      );
      return { ...server, toolDefinitions };
    } catch (error) {
      if (isOvenError(error)) return server;
      throw error;
    }
  }

  keep(principal: Principal, slug: string, kept: CacheEntry<McpServer>): void {
    this.#cache.keep(principal, slug, kept);
  }

  async #find(
    principal: Principal,
    idOrSlug: number | string,
  ): Promise<{ row: typeof servers.$inferSelect; xmin: string }> {
    const found = await findWithVersion(this.#deps.db.orm, servers, principal, idOrSlug);
    const bound = found.find(({ row }) => isBoundTo(principal, "agent-workflow", row.agentWorkflowId));
    if (bound === undefined) throw notFound("MCP server", idOrSlug);
    return bound;
  }

  async #regenerates(tx: Transaction, workflow: Workflow): Promise<boolean> {
    const request = {
      module: "module-workflow-agents",
      key: "MCP_AUTO_REGENERATE",
      tenantId: workflow.tenantId ?? SHARED_TENANT,
      instance: String(workflow.id),
    };
    return (await this.#deps.services.config.resolve(request, tx)).value === true;
  }

  async #generate(tx: Transaction, workflow: Workflow, currentSlug: string | undefined): Promise<void> {
    const slug = currentSlug?.replace(/-\d+$/, "") === workflow.slug ? currentSlug : await freeSlug(tx, workflow);
    const values = {
      tenantId: workflow.tenantId ?? SHARED_TENANT,
      name: workflow.name,
      slug,
      toolDefinitions: toServerTools(workflow, this.#deps.services),
      status: statusOf(workflow),
      lastGeneratedAt: sql`now()`,
      updatedAt: sql`now()`,
    };
    const [row] = await tx.orm
      .insert(servers)
      .values({ ...values, agentWorkflowId: workflow.id })
      .onConflictDoUpdate({ target: servers.agentWorkflowId, set: values })
      .returning({ id: servers.id });
    await this.#deps.services.events.write(tx, [
      {
        name: "agents-workflow.mcp.generated",
        tenantId: values.tenantId,
        actor: toActor(SYSTEM_PRINCIPAL),
        payload: { mcpServerId: row?.id ?? 0, agentWorkflowId: workflow.id },
        orderKey: `agent-workflow:${workflow.id}`,
      },
    ]);
  }
}

function statusOf({ enabled }: Workflow): "active" | "disabled" {
  return enabled ? "active" : "disabled";
}

/** MCP slugs are unique in the installation; a second tenant's gets `-2`. */
async function freeSlug(tx: Transaction, { id, slug }: Workflow): Promise<string> {
  const rows = await tx.orm
    .select({ slug: servers.slug })
    .from(servers)
    .where(and(like(servers.slug, `${slug}%`), sql`${servers.agentWorkflowId} <> ${id}`));
  // `oven` is the platform's own server.
  const taken = new Set(["oven", ...rows.map((row) => row.slug)]);
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number++;
  return `${slug}-${number}`;
}
