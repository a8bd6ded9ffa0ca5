import {
  type ChangeTags,
  isGranted,
  type JsonObject,
  type ListParams,
  type LookalikeGroups,
  lookalikesIn,
  notFound,
  OvenError,
  type Principal,
  SHARED_TENANT,
  SYSTEM_PRINCIPAL,
  type TagCount,
  toActor,
  toSlug,
} from "@oven/contract";
import type {
  Canary,
  CompiledWorkflow,
  CreateWorkflow,
  Definition,
  UpdateWorkflow,
  Workflow,
  WorkflowVersion,
} from "@oven/contract/workflow";
import type { Database, Transaction } from "@oven/db";
import { and, desc, eq, getTableName, gt, inArray, or, sql } from "@oven/db/drizzle";
import { compileDefinition, configKeysOf, takeVerbatim, toMermaid, toTypeScript, toXStateJson } from "@oven/engine";
import {
  type CacheEntry,
  findWithVersion,
  listRows,
  RowCache,
  type ServiceMap,
  saysOneOf,
  visibleTo,
} from "@oven/module-registry";
import type { VersionGrants } from "../authority/version-grants.ts";
import { removeDraft } from "../drafts/remove-draft.ts";
import type { RegisteredNodes } from "../nodes/node-catalog.ts";
import type { PolicyService } from "../policies/policy-service.ts";
import { requireAssignees } from "../reviews/known-assignees.ts";
import { resolveConfigValues } from "../run-config.ts";
import type { RunTables } from "../tables/run-tables.ts";
import type { WorkflowKind } from "../workflow-kind.ts";
import { boundTo, isBoundTo } from "./bound-to.ts";
import type { CallClosure } from "./call-closure.ts";
import type { PinnedCalls } from "./called-workflows.ts";
import { requireSoundSteps } from "./inspect-steps.ts";
import { requireNotOwned } from "./owned-by-source.ts";
import { type PreparedDefinition, prepareDefinition } from "./prepare-definition.ts";
import { LIVE_STATUSES, workflowInUse } from "./workflow-in-use.ts";
import { toVersion, toWorkflow, type VersionRow, type WorkflowRow } from "./workflow-row.ts";
import type { WorkflowTables } from "./workflow-tables.ts";
import { changeTags, countTags, sharedWorkflow, takeTags } from "./workflow-tags.ts";

export interface WorkflowServiceDeps {
  db: Database;
  services: ServiceMap;
  catalog: RegisteredNodes;
  calls: CallClosure;
  policies: PolicyService;
  grants: VersionGrants;
  kind: WorkflowKind;
  tables: WorkflowTables & RunTables;
  /** Whether live runs hold the workflow; with `force` they are cancelled instead. */
  releaseRuns(workflowId: number, force: boolean): Promise<void>;
  /** Called in the transaction of each change, so that what depends on the workflow changes with it. */
  onChange(tx: Transaction, workflow: Workflow, change: "created" | "updated" | "deleted"): Promise<void>;
}

export interface SeedWorkflow {
  slug: string;
  name: string;
  description: string;
  definition: JsonObject;
  /** It belongs to no tenant: all see it, and none changes it. Absent: the first tenant's. */
  shared?: true;
}

/** Definitions of one kind: rows, versions, events. Every change is one transaction. */
export class WorkflowService {
  readonly #deps: WorkflowServiceDeps;
  readonly #cache = new RowCache<Workflow>();

  constructor(deps: WorkflowServiceDeps) {
    this.#deps = deps;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: Workflow[]; total: number }> {
    const { db, tables } = this.#deps;
    const { workflows: table } = tables;
    const { id, name, slug, enabled, mcpExport, tags, version, createdAt, updatedAt } = table;
    const fields = { id, name, slug, enabled, mcpExport, tags, version, createdAt, updatedAt };
    const search = [table.name, table.slug, table.description];
    const where = boundTo(principal, this.#deps.kind.kind, table.id);
    const listing = { table, fields, search, tenant: table.tenantId, ...(where === undefined ? {} : { where }) };
    const { rows, total } = await listRows(db.orm, principal, params, listing);
    return { rows: rows.map(toWorkflow), total };
  }

  /** Workflows whose published definition has one of the words as a text, the latest first. */
  async saying(principal: Principal, words: readonly string[], limit: number): Promise<Workflow[]> {
    const { workflows: table } = this.#deps.tables;
    const says = or(saysOneOf(table.definition, words), saysOneOf(table.agentConfig, words));
    const rows = await this.#deps.db.orm
      .select()
      .from(table)
      .where(and(visibleTo(principal, table.tenantId), boundTo(principal, this.#deps.kind.kind, table.id), says))
      .orderBy(desc(table.updatedAt))
      .limit(limit);
    return rows.map(toWorkflow);
  }

  /** One that the principal's tenant may change. @throws OvenError NOT_FOUND, SHARED_WORKFLOW 403 */
  async getOwn(principal: Principal, idOrSlug: string): Promise<Workflow> {
    return toWorkflow(await this.#findOwn(principal, idOrSlug));
  }

  /** @throws OvenError NOT_FOUND, also for rows of other tenants */
  async get(principal: Principal, idOrSlug: string): Promise<Workflow> {
    return toWorkflow(await this.#find(principal, idOrSlug));
  }

  /** The cached row, if there is one; the statement that relies on it must check its row version. */
  cached(principal: Principal, idOrSlug: string): CacheEntry<Workflow> | undefined {
    const kept = this.#cache.get(principal, idOrSlug);
    return kept && isBoundTo(principal, this.#deps.kind.kind, kept.value.id) ? kept : undefined;
  }

  /** As `get`, and keeps it. @throws OvenError NOT_FOUND */
  async getToKeep(principal: Principal, idOrSlug: string): Promise<Workflow> {
    this.#cache.forget(principal, idOrSlug);
    const { row, xmin } = await this.#findWithVersion(principal, idOrSlug);
    const workflow = toWorkflow(row);
    const table = getTableName(this.#deps.tables.workflows);
    // What a transaction that may be rolled back reads is its own.
    if (!this.#deps.db.isJoint)
      this.#cache.keep(principal, idOrSlug, { value: workflow, rowVersion: { table, id: row.id, xmin } });
    return workflow;
  }

  /** @throws OvenError INVALID_DEFINITION 400, SLUG_TAKEN 409 */
  async create(principal: Principal, given: CreateWorkflow): Promise<Workflow> {
    const body = takeTags(given);
    const prepared = prepareDefinition(body.definition, body, this.#deps.catalog);
    const calls = await this.#checkCalls(principal, prepared, body.slug ?? toSlug(body.name));
    await this.#requirePublishable(principal, prepared, null);
    return this.#insert(principal, principal.tenantId, body, prepared, calls);
  }

  /**
   * Publishes a new version when anything outside `meta` changed.
   * @throws OvenError NOT_FOUND, STALE_VERSION 409, INVALID_DEFINITION 400, SLUG_TAKEN 409, SHARED_WORKFLOW 403, POLICY_VIOLATED 409
   */
  async update(principal: Principal, idOrSlug: string, body: UpdateWorkflow): Promise<Workflow> {
    const current = await this.#findOwn(principal, idOrSlug);
    if (body.version !== undefined && body.version !== current.version) throw this.#stale(current);
    const prepared = prepareDefinition(body.definition ?? current.definition, body, this.#deps.catalog);
    const calls = await this.#checkCalls(principal, prepared, body.slug ?? current.slug);
    const newest = await this.#newestVersion(current);
    const granted = await this.#grantOf(principal, current, { prepared, newest, whole: body.definition !== undefined });
    return this.#publish(principal, current, body, { prepared, calls, granted, newest, note: body.note ?? null });
  }

  /** The tags in use, the most used first. */
  async tags(principal: Principal): Promise<TagCount[]> {
    const { db, kind, tables } = this.#deps;
    return countTags(db.orm, principal, { kind, workflows: tables.workflows });
  }

  /** Different names that look alike, in groups: what one sees of one of them does not tell which it is. */
  async lookalikes(principal: Principal): Promise<LookalikeGroups> {
    const { workflows: table } = this.#deps.tables;
    const rows = await this.#deps.db.orm
      .select({ name: table.name })
      .from(table)
      .where(and(visibleTo(principal, table.tenantId), boundTo(principal, this.#deps.kind.kind, table.id)));
    return lookalikesIn(rows.map(({ name }) => name));
  }

  /** Adds and takes off tags of several, of all or none; answers those that changed. */
  async changeTags(principal: Principal, change: ChangeTags): Promise<Workflow[]> {
    const { db, kind, tables, services } = this.#deps;
    const changed = await db.transaction(async (tx) => {
      const rows = await changeTags(tx, principal, change, { kind, workflows: tables.workflows });
      const workflows = rows.map(toWorkflow);
      for (const workflow of workflows) await this.#changed(tx, principal, workflow, "updated");
      return workflows;
    });
    services.events.wake();
    return changed;
  }

  /** Cancels its live runs with `force`. @throws OvenError NOT_FOUND, WORKFLOW_IN_USE 409 */
  async release(principal: Principal, idOrSlug: string, force: boolean): Promise<void> {
    await this.#deps.releaseRuns((await this.#findOwn(principal, idOrSlug)).id, force);
  }

  /** @throws OvenError NOT_FOUND, WORKFLOW_IN_USE 409 */
  async delete(principal: Principal, idOrSlug: string, force: boolean): Promise<void> {
    const current = await this.#findOwn(principal, idOrSlug);
    await this.#deps.releaseRuns(current.id, force);
    const { db, tables } = this.#deps;
    await db.transaction(async (tx) => {
      await this.#lockUnused(tx, current);
      await tx.orm.delete(tables.workflows).where(eq(tables.workflows.id, current.id));
      await this.#changed(tx, principal, toWorkflow(current), "deleted");
    });
    this.#deps.services.events.wake();
  }

  /**
   * Holds the row, so that no run can start any more, and looks once more: one may have been accepted meanwhile, and what was
   * accepted is not lost.
   */
  async #lockUnused(tx: Transaction, { id }: WorkflowRow): Promise<void> {
    const { kind, tables } = this.#deps;
    const { workflows, executions } = tables;
    const held = await tx.orm.select({ id: workflows.id }).from(workflows).where(eq(workflows.id, id)).for("update");
    if (held.length === 0) throw notFound(kind.title, id);
    const live = await tx.orm
      .select({ id: executions.id })
      .from(executions)
      .where(and(eq(executions.workflowId, id), inArray(executions.status, [...LIVE_STATUSES])));
    if (live.length > 0)
      throw workflowInUse(
        kind.title,
        live.map((run) => run.id),
      );
  }

  async versions(principal: Principal, idOrSlug: string): Promise<WorkflowVersion[]> {
    const workflow = await this.#find(principal, idOrSlug);
    const { versions } = this.#deps.tables;
    const rows = await this.#deps.db.orm
      .select()
      .from(versions)
      .where(and(eq(versions.workflowId, workflow.id), gt(versions.version, 0)))
      .orderBy(desc(versions.version));
    return rows.map(toVersion);
  }

  /** @throws OvenError NOT_FOUND */
  async version(principal: Principal, idOrSlug: string, versionId: number): Promise<WorkflowVersion> {
    return toVersion(await this.#version(await this.#find(principal, idOrSlug), versionId));
  }

  async #version({ id }: WorkflowRow, versionId: number): Promise<VersionRow> {
    const { versions } = this.#deps.tables;
    const [version] = await this.#deps.db.orm
      .select()
      .from(versions)
      .where(and(eq(versions.workflowId, id), eq(versions.id, versionId), gt(versions.version, 0)));
    if (version === undefined) throw notFound("version", versionId);
    return version;
  }

  /** Publishes an earlier version again, as a new one. @throws OvenError NOT_FOUND, WORKFLOW_OWNED 409 */
  async restore(principal: Principal, idOrSlug: string, versionId: number): Promise<Workflow> {
    const current = await this.#findOwn(principal, idOrSlug);
    requireNotOwned(current);
    const version = await this.#version(current, versionId);
    const prepared = prepareDefinition(version.definition, {}, this.#deps.catalog);
    const calls = await this.#checkCalls(principal, prepared, current.slug);
    const newest = await this.#newestVersion(current);
    const granted = await this.#grantOf(principal, current, { prepared, newest, whole: true });
    const note = `Restored version ${version.version}`;
    return this.#publish(principal, current, {}, { prepared, calls, granted, newest, note });
  }

  /**
   * Checks and stores a definition as a version that is not live.
   * @returns its number; that of the newest version when that is the same definition
   * @throws OvenError as `update`
   */
  async addVersion(principal: Principal, idOrSlug: string, definition: JsonObject, note: string): Promise<number> {
    const { db, tables } = this.#deps;
    const current = await this.#findOwn(principal, idOrSlug);
    requireNotOwned(current);
    const prepared = prepareDefinition(definition, {}, this.#deps.catalog);
    const calls = await this.#checkCalls(principal, prepared, current.slug);
    const newest = await this.#newestVersion(current);
    if (newest?.contentHash === prepared.contentHash) return current.version;
    const granted = await this.#grantOf(principal, current, { prepared, newest, whole: true });
    await this.#requirePublishable(principal, prepared, current);
    return db.transaction(async (tx) => {
      // Two candidates, or one and a new version, do not get one number.
      await tx.orm
        .select({ id: tables.workflows.id })
        .from(tables.workflows)
        .where(eq(tables.workflows.id, current.id))
        .for("update");
      const [next] = await tx.orm
        .select({ version: sql<number>`(coalesce(max(${tables.versions.version}), 0) + 1)::int` })
        .from(tables.versions)
        .where(eq(tables.versions.workflowId, current.id));
      const version = next?.version ?? current.version + 1;
      const row = { ...current, ...columnsOf(prepared), version };
      await this.#insertVersion(tx, principal, row, { prepared, calls, granted, note });
      return version;
    });
  }

  /** @throws OvenError STALE_VERSION 409 when another version was published meanwhile */
  async setCanary(principal: Principal, { id, version }: Workflow, canary: Canary | null): Promise<void> {
    const { db, tables } = this.#deps;
    const isSet = await db.transaction(async (tx) => {
      const [row] = await tx.orm
        .update(tables.workflows)
        .set({ canary, updatedAt: sql`now()` })
        .where(and(eq(tables.workflows.id, id), eq(tables.workflows.version, version)))
        .returning();
      if (row === undefined) return false;
      await this.#changed(tx, principal, toWorkflow(row), "updated");
      return true;
    });
    if (!isSet) throw this.#stale(await this.#findOwn(principal, String(id)));
    this.#deps.services.events.wake();
  }

  /**
   * Computes the grant of the published version again: an import writes some workflows before what they call, and this completes
   * them within its transaction.
   * @throws OvenError NOT_FOUND
   */
  async regrant(principal: Principal, idOrSlug: string): Promise<void> {
    const { id, definition, version } = await this.#findOwn(principal, idOrSlug);
    const { db, grants, kind, tables } = this.#deps;
    const granted = await grants.grant(principal, definition, { self: { kind: kind.kind, id } });
    const { versions } = tables;
    await db.orm
      .update(versions)
      .set({ granted })
      .where(and(eq(versions.workflowId, id), eq(versions.version, version)));
  }

  /**
   * What a new version may do: what its steps need, as far as its publisher may do that.
   * @param whole who sends a whole definition answers for all of it; a change of its settings alone adds only what that change needs
   */
  async #grantOf(
    principal: Principal,
    { id, definition }: WorkflowRow,
    { prepared, newest, whole }: { prepared: PreparedDefinition; newest: NewestVersion | undefined; whole: boolean },
  ): Promise<string[]> {
    const { grants, kind } = this.#deps;
    const before = newest?.granted ?? [];
    const isKnown = (permission: string): boolean => isGranted(before, permission);
    // An agent's own workflow comes this way at each start of a run: nothing is looked up where nothing can be added.
    if (newest?.contentHash === prepared.contentHash && (!whole || principal.permissions.every(isKnown))) return before;
    const options = { self: { kind: kind.kind, id } };
    const granted = await grants.grant(principal, prepared.definition, options);
    if (whole) return granted;
    const needed = await grants.grant(principal, definition, options);
    return granted.filter((permission) => isKnown(permission) || !needed.includes(permission));
  }

  /** The closure of a version. @throws OvenError REFERENCE_MISSING 422, CONFIG_KEY_UNKNOWN 422 */
  async #checkCalls(principal: Principal, { definition }: PreparedDefinition, slug: string): Promise<PinnedCalls> {
    const { kind, services } = this.#deps;
    const valid = definition as unknown as Definition; // cast: it has just been validated
    const keys = configKeysOf(takeVerbatim(valid, this.#deps.catalog));
    await resolveConfigValues(services.config, kind.kind, principal.tenantId, 0, keys);
    return this.#deps.calls.check(principal, definition, { kind: this.#deps.kind.kind, slug });
  }

  /** What the published definition, or the one given, compiles to. @throws OvenError NOT_FOUND, INVALID_DEFINITION 400 */
  async compile(principal: Principal, idOrSlug: string, given: JsonObject | undefined): Promise<CompiledWorkflow> {
    const { catalog } = this.#deps;
    const { definition: published } = await this.#find(principal, idOrSlug);
    const { definition, contentHash } = prepareDefinition(given ?? published, {}, catalog);
    const valid = definition as unknown as Definition; // cast: it has just been validated
    return {
      contentHash,
      xstate: toXStateJson(valid),
      typescript: toTypeScript(valid),
      mermaid: toMermaid(valid),
      states: [...compileDefinition(valid, catalog).states.keys()],
    };
  }

  /** The definition a run is pinned to. @throws OvenError NOT_FOUND */
  async pinned(
    workflowId: number,
    version: number,
  ): Promise<{ definition: JsonObject; name: string; version: VersionRow }> {
    const { workflows, versions } = this.#deps.tables;
    const [row] = await this.#deps.db.orm
      .select({ version: versions, name: workflows.name })
      .from(versions)
      .innerJoin(workflows, eq(workflows.id, versions.workflowId))
      .where(and(eq(versions.workflowId, workflowId), eq(versions.version, version)));
    if (row === undefined) throw notFound(`version of ${this.#deps.kind.title}`, `${workflowId}@${version}`);
    return { definition: row.version.definition, name: row.name, version: row.version };
  }

  /** The newest version that is this definition; undefined: none is. @throws OvenError NOT_FOUND, INVALID_DEFINITION */
  async versionOf(principal: Principal, idOrSlug: string, definition: JsonObject): Promise<number | undefined> {
    const { id } = await this.#find(principal, idOrSlug);
    const { contentHash } = prepareDefinition(definition, {}, this.#deps.catalog);
    const { versions } = this.#deps.tables;
    const [row] = await this.#deps.db.orm
      .select({ version: versions.version })
      .from(versions)
      .where(and(eq(versions.workflowId, id), gt(versions.version, 0), eq(versions.contentHash, contentHash)))
      .orderBy(desc(versions.version))
      .limit(1);
    return row?.version;
  }

  /** Makes a workflow once; later starts leave it as people changed it. */
  async seed({ shared, ...workflow }: SeedWorkflow): Promise<void> {
    const tenantId = shared === true ? SHARED_TENANT : SYSTEM_PRINCIPAL.tenantId;
    if ((await this.#seededId(tenantId, workflow.slug)) !== undefined) return;
    const { catalog } = this.#deps;
    const prepared = prepareDefinition(workflow.definition, {}, catalog);
    const calls = await this.#checkCalls(SYSTEM_PRINCIPAL, prepared, workflow.slug);
    await this.#insert(SYSTEM_PRINCIPAL, tenantId, workflow, prepared, calls);
  }

  /** The id of a shared workflow: unlike its slug, no workflow of a tenant can have it, too. @throws OvenError NOT_FOUND */
  async sharedId(slug: string): Promise<number> {
    const id = await this.#seededId(SHARED_TENANT, slug);
    if (id === undefined) throw notFound(this.#deps.kind.title, slug);
    return id;
  }

  async #seededId(tenantId: number, slug: string): Promise<number | undefined> {
    const { workflows } = this.#deps.tables;
    const [row] = await this.#deps.db.system.orm
      .select({ id: workflows.id })
      .from(workflows)
      .where(and(eq(workflows.tenantId, tenantId), eq(workflows.slug, slug)));
    return row?.id;
  }

  async #insert(
    principal: Principal,
    tenantId: number,
    body: Pick<CreateWorkflow, "name" | "slug" | "description" | "enabled" | "tags" | "note">,
    prepared: PreparedDefinition,
    calls: PinnedCalls,
  ): Promise<Workflow> {
    const { db, tables } = this.#deps;
    const columns = columnsOf(prepared);
    const granted = await this.#deps.grants.grant({ ...principal, tenantId }, prepared.definition);
    const workflow = await this.#orSlugTaken(body.slug ?? toSlug(body.name), () =>
      db.transaction(async (tx) => {
        const slug = body.slug ?? (await this.#freeSlug(tx, tenantId, toSlug(body.name)));
        const [row] = await tx.orm
          .insert(tables.workflows)
          .values({
            tenantId,
            name: body.name,
            slug,
            description: body.description ?? null,
            enabled: body.enabled ?? true,
            tags: body.tags ?? [],
            createdBy: principal.userId,
            ...columns,
          })
          .returning();
        if (row === undefined) throw new Error("an insert answered no row");
        await this.#insertVersion(tx, principal, row, {
          prepared,
          calls,
          granted,
          note: body.note ?? null,
        });
        const created = toWorkflow(row);
        await this.#changed(tx, principal, created, "created");
        return created;
      }),
    );
    this.#deps.services.events.wake();
    return workflow;
  }

  /** @throws OvenError INVALID_DEFINITION 400, POLICY_VIOLATED 409 with what past runs come to */
  async #requirePublishable(
    principal: Principal,
    { definition }: PreparedDefinition,
    workflow: WorkflowRow | null,
  ): Promise<void> {
    const { catalog, db, services } = this.#deps;
    await requireAssignees(db, principal, definition);
    const valid = definition as unknown as Definition; // cast: it has just been validated
    await requireSoundSteps({ nodes: catalog, services }, principal, valid);
    await this.#deps.policies.requirePublishable(principal, this.#deps.kind.kind, definition, workflow);
  }

  async #publish(
    principal: Principal,
    current: WorkflowRow,
    body: Omit<UpdateWorkflow, "definition">,
    { prepared, calls, granted, newest, note }: Publication & { newest: NewestVersion | undefined },
  ): Promise<Workflow> {
    const { db, tables } = this.#deps;
    const grantsMore = granted.some((permission) => !isGranted(newest?.granted ?? [], permission));
    const isNewVersion = newest?.contentHash !== prepared.contentHash || grantsMore;
    // What is published already may still be renamed or disabled.
    if (isNewVersion) await this.#requirePublishable(principal, prepared, current);
    const slug = body.slug ?? current.slug;
    const workflow = await this.#orSlugTaken(slug, () =>
      db.transaction(async (tx) => {
        const [row] = await tx.orm
          .update(tables.workflows)
          .set({
            name: body.name ?? current.name,
            slug,
            description: body.description === undefined ? current.description : body.description,
            enabled: body.enabled ?? current.enabled,
            ...(body.tags === undefined ? {} : { tags: body.tags }),
            // A candidate has taken a number without being live.
            version: isNewVersion ? this.#nextVersion(current.id) : current.version,
            ...(isNewVersion ? { canary: null } : {}),
            updatedAt: sql`now()`,
            ...columnsOf(prepared),
          })
          // The second of two concurrent saves finds another version and is refused.
          .where(and(eq(tables.workflows.id, current.id), eq(tables.workflows.version, current.version)))
          .returning();
        if (row === undefined) return undefined;
        if (isNewVersion) await this.#insertVersion(tx, principal, row, { prepared, calls, granted, note });
        if (body.draftRevision !== undefined) await removeDraft(tx, tables, current.id, body.draftRevision);
        const updated = toWorkflow(row);
        await this.#changed(tx, principal, updated, "updated");
        return updated;
      }),
    );
    // Read again only now: inside the transaction this would wait for a second connection, or on the embedded database for itself.
    if (workflow === undefined) throw this.#stale(await this.#findOwn(principal, String(current.id)));
    this.#deps.services.events.wake();
    return workflow;
  }

  #nextVersion(id: number) {
    const { versions } = this.#deps.tables;
    return sql`(select coalesce(max(${versions.version}), 0) + 1 from ${versions} where ${versions.workflowId} = ${id})`;
  }

  async #insertVersion(
    tx: Transaction,
    principal: Principal,
    row: WorkflowRow,
    { prepared, calls, granted, note }: Publication,
  ): Promise<void> {
    await tx.orm.insert(this.#deps.tables.versions).values({
      tenantId: row.tenantId,
      workflowId: row.id,
      version: row.version,
      contentHash: prepared.contentHash,
      definition: row.definition,
      calls: Object.keys(calls).length === 0 ? null : calls,
      description: note,
      granted,
      createdBy: principal.userId,
    });
  }

  async #newestVersion(current: WorkflowRow): Promise<NewestVersion | undefined> {
    const { versions } = this.#deps.tables;
    const [row] = await this.#deps.db.orm
      .select({ contentHash: versions.contentHash, granted: versions.granted })
      .from(versions)
      .where(and(eq(versions.workflowId, current.id), eq(versions.version, current.version)));
    return row;
  }

  async #changed(
    tx: Transaction,
    principal: Principal,
    workflow: Workflow,
    change: "created" | "updated" | "deleted",
  ): Promise<void> {
    const { services, kind } = this.#deps;
    const { id, name, slug, version } = workflow;
    this.#cache.drop((kept) => kept.id === id);
    const payloads: Record<typeof change, JsonObject> = {
      created: { id, name, slug },
      updated: { id, name, slug, version },
      deleted: { id, slug },
    };
    await services.events.write(tx, [
      {
        name: `${kind.namespace}.workflow.${change}`,
        tenantId: workflow.tenantId ?? SHARED_TENANT,
        actor: toActor(principal),
        payload: payloads[change],
        orderKey: `${kind.kind}:${id}`,
      },
    ]);
    await this.#deps.onChange(tx, workflow, change);
  }

  async #find(principal: Principal, idOrSlug: string): Promise<WorkflowRow> {
    return (await this.#findWithVersion(principal, idOrSlug)).row;
  }

  async #findWithVersion(principal: Principal, idOrSlug: string): Promise<{ row: WorkflowRow; xmin: string }> {
    const { workflows } = this.#deps.tables;
    const key = /^\d{1,15}$/.test(idOrSlug) ? Number(idOrSlug) : idOrSlug;
    const found = await findWithVersion(this.#deps.db.orm, workflows, principal, key);
    const bound = found.find(({ row }) => isBoundTo(principal, this.#deps.kind.kind, row.id));
    if (bound === undefined) throw notFound(this.#deps.kind.title, idOrSlug);
    return bound;
  }

  /** For changes: what is shared with all tenants belongs to the installation. */
  async #findOwn(principal: Principal, idOrSlug: string): Promise<WorkflowRow> {
    const row = await this.#find(principal, idOrSlug);
    if (row.tenantId === principal.tenantId) return row;
    throw sharedWorkflow(row);
  }

  /** The second of two concurrent requests waits here until the first has taken its slug. */
  async #freeSlug(tx: Transaction, tenantId: number, wanted: string): Promise<string> {
    const { kind, tables } = this.#deps;
    const { workflows } = tables;
    const base = wanted.slice(0, 58).replace(/-+$/, "");
    await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`slug:${kind.resource}:${tenantId}`]);
    const rows = await tx.orm
      .select({ slug: workflows.slug })
      .from(workflows)
      .where(and(eq(workflows.tenantId, tenantId), sql`${workflows.slug} like ${`${base}%`}`));
    const taken = new Set(rows.map(({ slug }) => slug));
    if (!taken.has(wanted)) return wanted;
    let number = 2;
    while (taken.has(`${base}-${number}`)) number++;
    return `${base}-${number}`;
  }

  async #orSlugTaken<T>(slug: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isSlugViolation(error)) throw error;
      throw new OvenError("SLUG_TAKEN", `Another ${this.#deps.kind.title} has the slug ${slug}`, {
        status: 409,
        path: "$.slug",
        fix: "Choose another slug, or leave it out to get a free one.",
        cause: error,
      });
    }
  }

  #stale(current: WorkflowRow): OvenError {
    return new OvenError("STALE_VERSION", `${current.name} is at version ${current.version} by now`, {
      status: 409,
      path: "$.version",
      fix: "Load the newest version, apply your change to it and save again.",
      details: { current: toWorkflow(current) as unknown as JsonObject }, // cast: an API row is JSON
    });
  }
}

/** What becomes a version. */
interface Publication {
  prepared: PreparedDefinition;
  calls: PinnedCalls;
  /** Permissions that its runs may use. */
  granted: string[];
  note: string | null;
}

type NewestVersion = Pick<VersionRow, "contentHash" | "granted">;

function columnsOf({ definition, agentConfig, memoryConfig, mcpExport }: PreparedDefinition) {
  return { definition, agentConfig, memoryConfig, mcpExport };
}

/** Other unique keys are written in the same transaction; only the workflow's own slug is the caller's to choose. */
function isSlugViolation(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ("code" in current && current.code === "23505" && "constraint" in current)
      return String(current.constraint).endsWith("workflows_tenant_slug");
  }
  return false;
}
