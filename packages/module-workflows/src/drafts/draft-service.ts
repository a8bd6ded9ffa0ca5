import { type JsonObject, notFound, OvenError, type Principal } from "@oven/contract";
import {
  type ExecuteDraft,
  type SaveDraft,
  TEST_RUN,
  type Workflow,
  type WorkflowDraft,
} from "@oven/contract/workflow";
import type { Database, Transaction } from "@oven/db";
import { and, eq, isNotNull, isNull, sql } from "@oven/db/drizzle";
import { requirePermission } from "@oven/module-registry";
import { requireNotOwned } from "../definitions/owned-by-source.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { RunService } from "../executions/run-service.ts";
import type { StartedRun } from "../executions/start-run.ts";
import type { RunKind } from "../runtime/run-kinds.ts";
import type { DraftTurns } from "./draft-turns.ts";
import { type DraftVersions, staleDraft, toDraft } from "./draft-versions.ts";
import { removeDraft } from "./remove-draft.ts";

export interface DraftServiceDeps {
  db: Database;
  kind: RunKind;
  workflows: WorkflowService;
  runs: RunService;
  versions: DraftVersions;
  turns: DraftTurns;
}

/** The one draft of each workflow, shared by its editors. Nothing runs it but a test run. */
export class DraftService {
  readonly #deps: DraftServiceDeps;

  constructor(deps: DraftServiceDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError NOT_FOUND when there is none */
  async get(principal: Principal, idOrSlug: string): Promise<WorkflowDraft> {
    const { id, name } = await this.#deps.workflows.get(principal, idOrSlug);
    const draft = await this.#deps.versions.read(principal, id);
    if (draft === undefined) throw notFound("the draft of", name);
    return draft;
  }

  /**
   * What a test runs if no revision is named: the draft, or without one the published version, whose revision is null.
   * @throws OvenError NOT_FOUND
   */
  async latest(principal: Principal, idOrSlug: string): Promise<{ definition: JsonObject; revision: number | null }> {
    const { id, definition } = await this.#deps.workflows.get(principal, idOrSlug);
    return (await this.#deps.versions.read(principal, id)) ?? { definition, revision: null };
  }

  /**
   * Replaces the named revision. Of two concurrent saves, the second is refused.
   * @throws OvenError STALE_DRAFT 409 with the draft as it is, NOT_FOUND, SHARED_WORKFLOW 403, INVALID_REQUEST 400
   */
  async save(principal: Principal, idOrSlug: string, draft: SaveDraft): Promise<WorkflowDraft> {
    const workflow = await this.#deps.workflows.getOwn(principal, idOrSlug);
    requireNotOwned(workflow);
    if (draft.baseVersion > workflow.version) {
      throw new OvenError("INVALID_REQUEST", `${workflow.name} has no version ${draft.baseVersion} yet`, {
        path: "$.baseVersion",
        fix: `Name the version that the draft was begun from, at most ${workflow.version}.`,
      });
    }
    const saved = await this.#deps.db.transaction((tx) => this.#write(tx, principal, workflow, draft));
    if (saved === undefined) throw staleDraft(workflow, await this.#deps.versions.read(principal, workflow.id));
    return saved;
  }

  /** @throws OvenError NOT_FOUND when there is none, STALE_DRAFT 409 when it is of another revision than the one named */
  async discard(principal: Principal, idOrSlug: string, revision: number | undefined): Promise<void> {
    const { db, kind, versions, workflows } = this.#deps;
    const workflow = await workflows.getOwn(principal, idOrSlug);
    const removed = await db.transaction((tx) => removeDraft(tx, kind.tables, workflow.id, revision));
    if (removed) return;
    const current = await versions.read(principal, workflow.id);
    throw current === undefined ? notFound("the draft of", workflow.name) : staleDraft(workflow, current);
  }

  /**
   * Starts a test run of the draft: the revision is stored like a version with a negative number, and the run is pinned to it. Without a draft,
   * and if none is named, the published version is tested.
   * @throws OvenError NOT_FOUND, STALE_DRAFT 409, INVALID_DEFINITION 400, what starting any run throws, and what a turn of a
   *   conversation does
   */
  async execute(
    principal: Principal,
    idOrSlug: string,
    { input, revision, conversation, ...options }: ExecuteDraft,
    idempotencyKey: string | undefined,
  ): Promise<StartedRun> {
    const { kind, workflows, runs, turns } = this.#deps;
    const workflow = await workflows.getOwn(principal, idOrSlug);
    requirePermission(principal, `${kind.kind.resource}.execute`);
    const { version, definition } = await this.#tested(principal, workflow, revision);
    const turn = conversation && (await turns.prepare(principal, workflow, definition, input, conversation));
    return runs.execute(principal, {
      workflow: String(workflow.id),
      version,
      input: turn?.input ?? input,
      triggerEvent: TEST_RUN,
      idempotencyKey,
      options: { ...options, test: true },
      ...(turn === undefined ? {} : { sessionId: turn.sessionId, agent: turn.agent ?? undefined }),
    });
  }

  /** Stores the definition that a test runs. @throws OvenError NOT_FOUND, STALE_DRAFT 409, INVALID_DEFINITION 400 */
  async #tested(
    principal: Principal,
    workflow: Workflow,
    revision: number | undefined,
  ): Promise<{ version: number; definition: JsonObject }> {
    const { versions } = this.#deps;
    const draft = await versions.read(principal, workflow.id);
    if (draft === undefined && revision === 0) return workflow;
    if (draft === undefined && revision === undefined) throw notFound("the draft of", workflow.name);
    if (draft === undefined || (revision !== undefined && revision !== draft.revision))
      throw staleDraft(workflow, draft);
    await versions.keep(principal, workflow, draft.revision, draft.definition);
    return { version: -draft.revision, definition: draft.definition };
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
    const values = { definition, baseVersion, granted: principal.permissions, updatedBy: principal.userId };
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
}
