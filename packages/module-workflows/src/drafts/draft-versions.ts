import { type JsonObject, OvenError, type Principal } from "@oven/contract";
import type { Workflow, WorkflowDraft } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import type { NodeCatalog } from "@oven/engine";
import { requirePermission } from "@oven/module-registry";
import type { VersionGrants } from "../authority/version-grants.ts";
import { prepareDefinition } from "../definitions/prepare-definition.ts";
import type { WorkflowTables } from "../definitions/workflow-tables.ts";
import type { RunKind } from "../runtime/run-kinds.ts";

type DraftRow = WorkflowTables["drafts"]["$inferSelect"];

export interface DraftVersionsDeps {
  db: Database;
  kind: RunKind;
  catalog: NodeCatalog;
  grants: VersionGrants;
}

/** Drafts as runs need them: stored among the versions under their negative revision. */
export class DraftVersions {
  readonly #db: Database;
  readonly #kind: RunKind;
  readonly #catalog: NodeCatalog;
  readonly #grants: VersionGrants;

  constructor({ db, kind, catalog, grants }: DraftVersionsDeps) {
    this.#db = db;
    this.#kind = kind;
    this.#catalog = catalog;
    this.#grants = grants;
  }

  async read({ tenantId }: Principal, workflowId: number): Promise<WorkflowDraft | undefined> {
    const { drafts } = this.#kind.tables;
    const [row] = await this.#db.orm
      .select()
      .from(drafts)
      .where(and(eq(drafts.workflowId, workflowId), eq(drafts.tenantId, tenantId)));
    return row && toDraft(row);
  }

  /**
   * The draft that a run is to go on with, checked.
   * @throws OvenError FORBIDDEN without the permission to change the workflow, STALE_DRAFT 409, INVALID_DEFINITION 400
   */
  async toRun(principal: Principal, workflow: Workflow, revision: number | undefined): Promise<WorkflowDraft> {
    requirePermission(principal, `${this.#kind.kind.resource}.update`);
    const draft = await this.read(principal, workflow.id);
    if (draft === undefined || (revision !== undefined && revision !== draft.revision))
      throw staleDraft(workflow, draft);
    return { ...draft, definition: prepareDefinition(draft.definition, {}, this.#catalog).definition };
  }

  /**
   * So that the run finds what it began with, whatever becomes of the draft. Retention removes it after its last run.
   * @throws OvenError INVALID_DEFINITION 400
   */
  async keep(principal: Principal, { id }: Workflow, revision: number, definition: JsonObject): Promise<void> {
    const { versions, drafts } = this.#kind.tables;
    // A test run may do what the draft needs and the person who saved it may, not what the one who tests it may.
    const [draft] = await this.#db.orm
      .select({ granted: drafts.granted })
      .from(drafts)
      .where(and(eq(drafts.workflowId, id), eq(drafts.revision, revision)));
    const prepared = prepareDefinition(definition, {}, this.#catalog);
    const { kind } = this.#kind.kind;
    const needed = await this.#grants.needs(principal, prepared.definition, { self: { kind, id } });
    const granted = this.#grants.cut(needed, {
      permissions: draft?.granted ?? [],
      tenantId: principal.tenantId,
    });
    await this.#db.orm
      .insert(versions)
      .values({
        tenantId: principal.tenantId,
        workflowId: id,
        version: -revision,
        contentHash: prepared.contentHash,
        definition: prepared.definition,
        granted,
        createdBy: principal.userId,
      })
      .onConflictDoUpdate({ target: [versions.workflowId, versions.version], set: { createdAt: sql`now()` } });
  }
}

export function staleDraft({ name }: Workflow, current: WorkflowDraft | undefined): OvenError {
  const message = current
    ? `The draft of ${name} is at revision ${current.revision} by now`
    : `The draft of ${name} was published or discarded`;
  return new OvenError("STALE_DRAFT", message, {
    status: 409,
    path: "$.revision",
    fix: current
      ? "Merge your change with `details.current` and save with its revision."
      : "Begin a new draft from the published version, with revision 0.",
    details: { current: (current as JsonObject | undefined) ?? null }, // cast: a draft is JSON
  });
}

export function toDraft({
  definition,
  revision,
  baseVersion,
  updatedBy,
  updatedAt,
}: DraftRow): WorkflowDraft | undefined {
  if (definition === null) return undefined;
  return { revision, updatedAt: updatedAt.toISOString(), updatedBy, baseVersion, definition };
}
