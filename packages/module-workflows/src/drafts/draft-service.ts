import {
  type ExecuteDraft,
  type ExecutionSummary,
  type JsonObject,
  notFound,
  OvenError,
  type Principal,
  type SaveDraft,
  TEST_RUN,
  type Workflow,
  type WorkflowDraft,
} from "@oven/contract";
import type { Database, Transaction } from "@oven/db";
import type { NodeCatalog } from "@oven/engine";
import { requirePermission } from "@oven/module-registry";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { prepareDefinition } from "../definitions/prepare-definition.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { WorkflowTables } from "../definitions/workflow-tables.ts";
import type { RunService } from "../executions/run-service.ts";
import type { RunKind } from "../runtime/run-kinds.ts";
import { removeDraft } from "./remove-draft.ts";

export interface DraftServiceDeps {
  db: Database;
  kind: RunKind;
  catalog: NodeCatalog;
  workflows: WorkflowService;
  runs: RunService;
}

type DraftRow = WorkflowTables["drafts"]["$inferSelect"];

/** The one draft of each workflow, shared by its editors. Nothing runs it but a test run. */
export class DraftService {
  readonly #deps: DraftServiceDeps;

  constructor(deps: DraftServiceDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError NOT_FOUND when there is none */
  async get(principal: Principal, idOrSlug: string): Promise<WorkflowDraft> {
    const { id, name } = await this.#deps.workflows.get(principal, idOrSlug);
    const draft = await this.#read(principal, id);
    if (draft === undefined) throw notFound("the draft of", name);
    return draft;
  }

  /**
   * Replaces the revision that is named; of two at once, one finds another and is told so.
   * @throws OvenError STALE_DRAFT 409 with the draft as it is, NOT_FOUND, SHARED_WORKFLOW 403, INVALID_REQUEST 400
   */
  async save(principal: Principal, idOrSlug: string, draft: SaveDraft): Promise<WorkflowDraft> {
    const workflow = await this.#deps.workflows.getOwn(principal, idOrSlug);
    if (draft.baseVersion > workflow.version) {
      throw new OvenError("INVALID_REQUEST", `${workflow.name} has no version ${draft.baseVersion} yet`, {
        path: "$.baseVersion",
        fix: `Name the version that the draft was begun from, at most ${workflow.version}.`,
      });
    }
    const saved = await this.#deps.db.transaction((tx) => this.#write(tx, principal, workflow, draft));
    if (saved === undefined) throw await this.#stale(principal, workflow);
    return saved;
  }

  /** @throws OvenError NOT_FOUND when there is none, STALE_DRAFT 409 when it is of another revision than the one named */
  async discard(principal: Principal, idOrSlug: string, revision: number | undefined): Promise<void> {
    const { db, kind, workflows } = this.#deps;
    const workflow = await workflows.getOwn(principal, idOrSlug);
    const removed = await db.transaction((tx) => removeDraft(tx, kind.tables, workflow.id, revision));
    if (removed) return;
    if ((await this.#read(principal, workflow.id)) === undefined) throw notFound("the draft of", workflow.name);
    throw await this.#stale(principal, workflow);
  }

  /**
   * A test run of the draft: the revision is kept like a version, below zero, and the run pinned to it.
   * @throws OvenError NOT_FOUND, STALE_DRAFT 409, INVALID_DEFINITION 400, and what starting any run throws
   */
  async execute(
    principal: Principal,
    idOrSlug: string,
    { input, revision, ...options }: ExecuteDraft,
    idempotencyKey: string | undefined,
  ): Promise<{ execution: ExecutionSummary; replayed: boolean }> {
    const { kind, workflows, runs } = this.#deps;
    const workflow = await workflows.getOwn(principal, idOrSlug);
    requirePermission(principal, `${kind.kind.resource}.execute`);
    const draft = await this.get(principal, idOrSlug);
    if (revision !== undefined && revision !== draft.revision) throw await this.#stale(principal, workflow);
    await this.#keep(principal, workflow, draft);
    return runs.execute(principal, {
      workflow: String(workflow.id),
      version: -draft.revision,
      input,
      triggerEvent: TEST_RUN,
      idempotencyKey,
      options: Object.keys(options).length === 0 ? undefined : options,
    });
  }

  /** So that the run finds what it began with, whatever becomes of the draft. Retention removes it after its last run. */
  async #keep(principal: Principal, workflow: Workflow, { definition, revision }: WorkflowDraft): Promise<void> {
    const { db, kind, catalog } = this.#deps;
    const { versions } = kind.tables;
    const prepared = prepareDefinition(definition, {}, catalog);
    await db.orm
      .insert(versions)
      .values({
        tenantId: principal.tenantId,
        workflowId: workflow.id,
        version: -revision,
        contentHash: prepared.contentHash,
        definition: prepared.definition,
        createdBy: principal.userId,
      })
      .onConflictDoUpdate({ target: [versions.workflowId, versions.version], set: { createdAt: sql`now()` } });
  }

  async #write(
    tx: Transaction,
    principal: Principal,
    { id }: Workflow,
    { definition, baseVersion, revision }: SaveDraft,
  ): Promise<WorkflowDraft | undefined> {
    const { workflows, drafts } = this.#deps.kind.tables;
    const held = await tx.orm.select({ id: workflows.id }).from(workflows).where(eq(workflows.id, id)).for("key share");
    if (held.length === 0) throw notFound(this.#deps.kind.kind.title, id);
    const values = { definition, baseVersion, updatedBy: principal.userId };
    const next = { ...values, revision: sql`${drafts.revision} + 1`, updatedAt: sql`now()` };
    const isCurrent = and(eq(drafts.workflowId, id), eq(drafts.revision, revision), isNotNull(drafts.definition));
    const [row] =
      revision === 0
        ? await tx.orm
            .insert(drafts)
            .values({ ...values, tenantId: principal.tenantId, workflowId: id })
            .onConflictDoUpdate({ target: drafts.workflowId, set: next, setWhere: isNull(drafts.definition) })
            .returning()
        : await tx.orm.update(drafts).set(next).where(isCurrent).returning();
    return row && toDraft(row);
  }

  async #read(principal: Principal, workflowId: number): Promise<WorkflowDraft | undefined> {
    const { drafts } = this.#deps.kind.tables;
    const [row] = await this.#deps.db.orm
      .select()
      .from(drafts)
      .where(and(eq(drafts.workflowId, workflowId), eq(drafts.tenantId, principal.tenantId)));
    return row && toDraft(row);
  }

  async #stale(principal: Principal, { id, name }: Workflow): Promise<OvenError> {
    const current = await this.#read(principal, id);
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
}

function toDraft({ definition, revision, baseVersion, updatedBy, updatedAt }: DraftRow): WorkflowDraft | undefined {
  if (definition === null) return undefined;
  return { revision, updatedAt: updatedAt.toISOString(), updatedBy, baseVersion, definition };
}
