import {
  isGranted,
  isOvenError,
  type ListParams,
  notFound,
  OvenError,
  type Principal,
  SHARED_TENANT,
  SYSTEM_PRINCIPAL,
  toActor,
  toSlug,
} from "@oven/contract";
import type { GrantReport } from "@oven/contract/access";
import type { Agent, AgentSettings, AgentVersion, CreateAgent, UpdateAgent } from "@oven/contract/agent";
import type { RunAgent } from "@oven/contract/node";
import type { Database, Transaction } from "@oven/db";
import { and, desc, eq, inArray, sql } from "@oven/db/drizzle";
import { hashJson } from "@oven/engine";
import {
  type EventService,
  findVisible,
  findVisibleBySlug,
  listRows,
  saysOneOf,
  visibleTo,
} from "@oven/module-registry";
import { agents, agentVersions } from "../tables/agents.table.ts";
import type { ToolService } from "../tools/tool-service.ts";
import { type AgentRow, pickSettings, toAgent, toSettings, toVersion } from "./agent-row.ts";
import type { AgentRunner } from "./agent-runner.ts";
import { boundTo, isBoundTo } from "./bound-to.ts";
import { checkSettings } from "./check-settings.ts";
import { toDefinition } from "./default-workflow.ts";
import { VersionCache } from "./version-cache.ts";

export interface AgentServiceDeps {
  db: Database;
  tools: ToolService;
  runner: AgentRunner;
  events: EventService;
}

export interface SeedAgent {
  slug: string;
  name: string;
  description: string;
  settings: Partial<AgentSettings>;
}

/** Agents and their versions. */
export class AgentService {
  readonly #deps: AgentServiceDeps;
  readonly #versions = new VersionCache((agent) => this.#readSettings(agent));

  constructor(deps: AgentServiceDeps) {
    this.#deps = deps;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: Agent[]; total: number }> {
    const { id, name, slug, enabled, version, createdAt, updatedAt, description, tenantId } = agents;
    const fields = { id, name, slug, enabled, version, createdAt, updatedAt };
    const where = boundTo(principal, id);
    const search = [name, slug, description];
    const listing = { table: agents, fields, search, tenant: tenantId, ...(where === undefined ? {} : { where }) };
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, listing);
    return { rows: rows.map(toAgent), total };
  }

  /** Those whose settings have one of the words as a text, the latest first. */
  async saying(principal: Principal, words: readonly string[], limit: number): Promise<Agent[]> {
    const says = saysOneOf(agents.settings, words);
    const rows = await this.#deps.db.orm
      .select()
      .from(agents)
      .where(and(visibleTo(principal, agents.tenantId), boundTo(principal, agents.id), says))
      .orderBy(desc(agents.updatedAt))
      .limit(limit);
    return rows.map(toAgent);
  }

  /** Those of the workflows that were made from an agent's settings. */
  async ownedBy(tenantId: number, workflowIds: readonly number[]): Promise<Set<number>> {
    if (workflowIds.length === 0) return new Set();
    const { ownWorkflowId } = agents;
    const rows = await this.#deps.db.orm
      .select({ ownWorkflowId })
      .from(agents)
      .where(and(inArray(agents.tenantId, [tenantId, SHARED_TENANT]), inArray(ownWorkflowId, [...workflowIds])));
    return new Set(rows.flatMap((row) => row.ownWorkflowId ?? []));
  }

  /** For a key that is to be bound to them. @throws OvenError REFERENCE_MISSING 422 */
  async idsOf(principal: Principal, names: readonly (string | number)[]): Promise<number[]> {
    const ids = new Set<number>();
    for (const [index, name] of names.entries()) {
      try {
        ids.add((await this.#find(principal, String(name))).id);
      } catch (error) {
        if (!isOvenError(error) || error.code !== "NOT_FOUND") throw error;
        throw new OvenError("REFERENCE_MISSING", `There is no agent ${name}`, {
          status: 422,
          path: `$.agents[${index}]`,
          fix: "Name agents by id or slug.",
        });
      }
    }
    return [...ids];
  }

  /** @throws OvenError NOT_FOUND, also for rows of other tenants */
  async get(principal: Principal, idOrSlug: string): Promise<Agent> {
    return toAgent(await this.#find(principal, idOrSlug));
  }

  /** Of a run's agent, in the run's version; they never change. @throws OvenError NOT_FOUND */
  async settingsOf(agent: RunAgent): Promise<AgentSettings> {
    return this.#versions.get(agent);
  }

  /** @throws OvenError SLUG_TAKEN 409, TOOL_UNKNOWN 422, NOT_FOUND for the workflow, INVALID_REQUEST, INVALID_DEFINITION */
  async create(principal: Principal, body: CreateAgent): Promise<Agent> {
    const settings = toSettings(pickSettings(body));
    await checkSettings(principal, settings, this.#deps);
    const { name, slug, description = null, enabled = true, note = null } = body;
    return this.#insert(principal, { name, slug: slug ?? toSlug(name), description, enabled, settings }, note);
  }

  /**
   * Makes a new version when a setting changed.
   * @throws OvenError NOT_FOUND, STALE_VERSION 409, SHARED_AGENT 403, and as `create`
   */
  async update(principal: Principal, idOrSlug: string, body: UpdateAgent): Promise<Agent> {
    const current = await this.#findOwn(principal, idOrSlug);
    if (body.version !== undefined && body.version !== current.version) throw stale(current);
    const settings = toSettings({ ...current.settings, ...pickSettings(body) });
    return this.#publish(principal, current, { ...body, settings }, body.note ?? null);
  }

  /** @throws OvenError NOT_FOUND, SHARED_AGENT 403, WORKFLOW_IN_USE 409 unless `force` cancels its runs */
  async delete(principal: Principal, idOrSlug: string, force: boolean): Promise<void> {
    const { id, slug, tenantId, ownWorkflowId } = await this.#findOwn(principal, idOrSlug);
    if (ownWorkflowId !== null) await this.#deps.runner.remove(tenantId, ownWorkflowId, force);
    const { db, events } = this.#deps;
    await db.transaction(async (tx) => {
      await tx.orm.delete(agents).where(eq(agents.id, id));
      await events.write(tx, [
        { name: "agents.agent.deleted", tenantId, actor: toActor(principal), payload: { id, slug } },
      ]);
    });
    events.wake();
  }

  /** Newest first. */
  async versions(principal: Principal, idOrSlug: string): Promise<AgentVersion[]> {
    const { id } = await this.#find(principal, idOrSlug);
    const rows = await this.#deps.db.orm
      .select()
      .from(agentVersions)
      .where(eq(agentVersions.agentId, id))
      .orderBy(desc(agentVersions.version));
    return rows.map(toVersion);
  }

  /**
   * Makes a version current again, as a new one with what the principal may do; the current one only if that is more than it was granted.
   * @throws OvenError as `update`
   */
  async restore(principal: Principal, idOrSlug: string, versionId: number): Promise<Agent> {
    const current = await this.#findOwn(principal, idOrSlug);
    const { version, settings } = await this.#version(current, versionId);
    const note = version === current.version ? "Published again" : `Restored version ${version}`;
    return this.#publish(principal, current, { settings: toSettings(settings) }, note, true);
  }

  /**
   * Computes the grant of the current version again: an import writes some agents before what they call, and this completes them
   * within its transaction.
   * @throws OvenError NOT_FOUND
   */
  async regrant(principal: Principal, idOrSlug: string): Promise<void> {
    const { id, version, ...current } = await this.#findOwn(principal, idOrSlug);
    const settings = toSettings(current.settings);
    const granted = await this.#deps.runner.grant(principal, settings);
    await this.#deps.db.orm
      .update(agentVersions)
      .set({ granted })
      .where(and(eq(agentVersions.agentId, id), eq(agentVersions.version, version)));
    if (settings.workflowId === null) await this.#publishOwn(granted, { id, version, ...current }, settings);
  }

  /** What a version may do, what it lacks, and who could give it that. @throws OvenError NOT_FOUND */
  async grantReport(principal: Principal, idOrSlug: string, versionId: number): Promise<GrantReport> {
    const { settings, granted } = await this.#version(await this.#find(principal, idOrSlug), versionId);
    return this.#deps.runner.grantReport(principal, toSettings(settings), granted);
  }

  async #version({ id }: AgentRow, versionId: number): Promise<typeof agentVersions.$inferSelect> {
    const [version] = await this.#deps.db.orm
      .select()
      .from(agentVersions)
      .where(and(eq(agentVersions.agentId, id), eq(agentVersions.id, versionId)));
    if (version === undefined) throw notFound("version", versionId);
    return version;
  }

  /** The workflow that the agent's runs are of; its own one is brought up to the settings first. */
  async workflowOf({ id, workflowId, ...agent }: Agent): Promise<number> {
    if (workflowId !== null) return workflowId;
    const row = await this.#row(id);
    // What was meant to be published when the agent was saved, with what its version was granted then.
    const { permissions } = await this.grantOf({ id, version: row.version, sessionId: null });
    return this.#publishOwn(permissions, row, toSettings({ ...pickSettings(agent), workflowId }));
  }

  /** The same for a version of the agent, with the workflow's version where that is an earlier one. @throws OvenError NOT_FOUND */
  async workflowIn(agent: Agent, version: number): Promise<{ workflowId: number; workflowVersion?: number }> {
    if (version === agent.version) return { workflowId: await this.workflowOf(agent) };
    const settings = await this.settingsOf({ id: agent.id, version, sessionId: null });
    if (settings.workflowId !== null) return { workflowId: settings.workflowId };
    const { ownWorkflowId: workflowId, tenantId } = await this.#row(agent.id);
    const workflowVersion =
      workflowId === null ? undefined : await this.#deps.runner.versionOf(tenantId, workflowId, toDefinition(settings));
    if (workflowId === null || workflowVersion === undefined)
      throw notFound("workflow of this version of the agent", `${agent.id}@${version}`);
    return { workflowId, workflowVersion };
  }

  /** Makes an agent of the default tenant once; later starts leave it as people changed it. */
  async seed({ slug, name, description, settings }: SeedAgent): Promise<void> {
    const [existing] = await this.#deps.db.orm
      .select({ id: agents.id })
      .from(agents)
      .where(and(eq(agents.tenantId, SYSTEM_PRINCIPAL.tenantId), eq(agents.slug, slug)));
    if (existing !== undefined) return;
    const known = toSettings(settings);
    await checkSettings(SYSTEM_PRINCIPAL, known, this.#deps);
    await this.#insert(SYSTEM_PRINCIPAL, { name, slug, description, enabled: true, settings: known }, null);
  }

  async #insert(
    principal: Principal,
    values: Pick<AgentRow, "name" | "slug" | "description" | "enabled" | "settings">,
    note: string | null,
  ): Promise<Agent> {
    const { tenantId, userId } = principal;
    const permissions = await this.#deps.runner.grant(principal, values.settings);
    const row = await orSlugTaken(values.slug, () =>
      this.#deps.db.transaction(async (tx) => {
        const [inserted] = await tx.orm
          .insert(agents)
          .values({ ...values, tenantId, createdBy: userId })
          .returning();
        if (inserted === undefined) throw new Error("an insert answered no row");
        await insertVersion(tx, inserted, { userId, permissions }, note);
        return inserted;
      }),
    );
    if (values.settings.workflowId !== null) return toAgent(row);
    try {
      return toAgent({ ...row, ownWorkflowId: await this.#publishOwn(permissions, row, values.settings) });
    } catch (error) {
      await this.#deps.db.orm.delete(agents).where(eq(agents.id, row.id));
      throw error;
    }
  }

  async #publish(
    principal: Principal,
    current: AgentRow,
    change: Pick<UpdateAgent, "name" | "slug" | "description" | "enabled"> & { settings: AgentSettings },
    note: string | null,
    again = false,
  ): Promise<Agent> {
    const { settings } = change;
    await checkSettings(principal, settings, this.#deps);
    const isChanged = hashOf(toSettings(current.settings)) !== hashOf(settings);
    const { permissions: stored } = await this.grantOf({ ...current, sessionId: null });
    // A new name alone adds no permissions.
    const granted = isChanged || again ? await this.#deps.runner.grant(principal, settings) : stored;
    const isNewVersion = isChanged || granted.some((permission) => !isGranted(stored, permission));
    const permissions = isNewVersion ? granted : stored;
    // First, so that nothing changes when it is refused. Should the row's own change fail, the next run puts it right.
    const ownWorkflowId =
      settings.workflowId === null
        ? await this.#publishOwn(permissions, { ...current, name: change.name ?? current.name }, settings)
        : current.ownWorkflowId;
    const slug = change.slug ?? current.slug;
    const row = await orSlugTaken(slug, () =>
      this.#deps.db.transaction(async (tx) => {
        const [updated] = await tx.orm
          .update(agents)
          .set({
            name: change.name ?? current.name,
            slug,
            description: change.description === undefined ? current.description : change.description,
            enabled: change.enabled ?? current.enabled,
            settings,
            ownWorkflowId,
            version: isNewVersion ? current.version + 1 : current.version,
            updatedAt: sql`now()`,
          })
          // Two saves at once: the second finds another version and is told so.
          .where(and(eq(agents.id, current.id), eq(agents.version, current.version)))
          .returning();
        if (updated !== undefined && isNewVersion)
          await insertVersion(tx, updated, { userId: principal.userId, permissions }, note);
        return updated;
      }),
    );
    if (row === undefined) throw stale(await this.#row(current.id));
    return toAgent(row);
  }

  async #publishOwn(
    permissions: string[],
    { id, name, slug, tenantId, ownWorkflowId }: AgentRow,
    settings: AgentSettings,
  ): Promise<number> {
    const workflowId = await this.#deps.runner.publish({ tenantId, permissions }, ownWorkflowId, {
      name: name.slice(0, 200),
      description: `What the agent ${slug} runs. It is made from the agent's settings; a change made here is lost with its next one.`,
      definition: toDefinition(settings),
    });
    if (workflowId !== ownWorkflowId)
      await this.#deps.db.orm.update(agents).set({ ownWorkflowId: workflowId }).where(eq(agents.id, id));
    return workflowId;
  }

  /** What a version may do in a run. @throws OvenError NOT_FOUND */
  async grantOf({ id, version }: RunAgent): Promise<{ side: string; permissions: string[] }> {
    const [row] = await this.#deps.db.orm
      .select({ slug: agents.slug, permissions: agentVersions.granted })
      .from(agentVersions)
      .innerJoin(agents, eq(agents.id, agentVersions.agentId))
      .where(and(eq(agentVersions.agentId, id), eq(agentVersions.version, version)));
    if (row === undefined) throw notFound("version of agent", `${id}@${version}`);
    return { side: `version ${version} of the agent ${row.slug}`, permissions: row.permissions };
  }

  async #readSettings({ id, version }: RunAgent): Promise<AgentSettings> {
    const [row] = await this.#deps.db.orm
      .select({ settings: agentVersions.settings })
      .from(agentVersions)
      .where(and(eq(agentVersions.agentId, id), eq(agentVersions.version, version)));
    if (row === undefined) throw notFound("version of agent", `${id}@${version}`);
    return toSettings(row.settings);
  }

  async #row(id: number): Promise<AgentRow> {
    const [row] = await this.#deps.db.orm.select().from(agents).where(eq(agents.id, id));
    if (row === undefined) throw notFound("agent", id);
    return row;
  }

  async #find(principal: Principal, idOrSlug: string): Promise<AgentRow> {
    const { orm } = this.#deps.db;
    const found = /^\d{1,15}$/.test(idOrSlug)
      ? [await findVisible(orm, agents, principal, Number(idOrSlug))]
      : await findVisibleBySlug(orm, agents, principal, idOrSlug);
    const row = found.find((each) => each !== undefined && isBoundTo(principal, each.id));
    if (row === undefined) throw notFound("agent", idOrSlug);
    return row;
  }

  async #findOwn(principal: Principal, idOrSlug: string): Promise<AgentRow> {
    const row = await this.#find(principal, idOrSlug);
    if (row.tenantId === principal.tenantId) return row;
    throw new OvenError("SHARED_AGENT", `${row.name} is shared by all tenants and cannot be changed from one of them`, {
      status: 403,
      fix: "Create an agent of your own.",
    });
  }
}

async function insertVersion(
  tx: Transaction,
  row: AgentRow,
  { userId, permissions }: Pick<Principal, "userId" | "permissions">,
  note: string | null,
): Promise<void> {
  const { id: agentId, tenantId, version, settings } = row;
  await tx.orm
    .insert(agentVersions)
    .values({ tenantId, agentId, version, settings, description: note, granted: permissions, createdBy: userId });
}

/** Equal for equal settings, whatever order a database keeps their keys in. */
function hashOf(settings: AgentSettings): string {
  return hashJson(JSON.parse(JSON.stringify(settings)));
}

function stale(row: AgentRow): OvenError {
  return new OvenError("STALE_VERSION", `${row.name} is at version ${row.version} by now`, {
    status: 409,
    path: "$.version",
    fix: "Load the newest version, apply your change to it and save again.",
    details: { current: JSON.parse(JSON.stringify(toAgent(row))) },
  });
}

async function orSlugTaken<T>(slug: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (let current = error; current instanceof Error; current = current.cause) {
      if (!("constraint" in current) || current.constraint !== "agents_tenant_slug") continue;
      throw new OvenError("SLUG_TAKEN", `Another agent has the slug ${slug}`, {
        status: 409,
        path: "$.slug",
        fix: "Choose another slug.",
        cause: error,
      });
    }
    throw error;
  }
}
