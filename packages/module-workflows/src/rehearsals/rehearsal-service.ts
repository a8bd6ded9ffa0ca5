import { isOvenError, type JsonObject, notFound, OvenError, type Principal } from "@oven/contract";
import type {
  Rehearsal,
  RehearseBody,
  RehearsedRun,
  RehearsedSides,
  RehearseRunBody,
  SeenDifference,
} from "@oven/contract/run";
import type { Workflow } from "@oven/contract/workflow";
import type { NodeCatalog } from "@oven/engine";
import { requirePermission } from "@oven/module-registry";
import { prepareDefinition } from "../definitions/prepare-definition.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { DraftService } from "../drafts/draft-service.ts";
import { staleDraft } from "../drafts/draft-versions.ts";
import type { EndedRuns, ExecutionReader } from "../executions/execution-reader.ts";
import type { PastRun, PastRunRehearser } from "./past-run-rehearser.ts";
import { type SeenDifferences, seenKey } from "./seen-differences.ts";
import { toEnd, toPairs, toRehearsedRun } from "./show-rehearsal.ts";

export const ENDED = {
  all: ["completed", "failed", "cancelled"],
  completed: ["completed"],
  failed: ["failed"],
} as const;

export interface RehearsalServiceDeps {
  /** First part of the permissions. */
  resource: string;
  workflows: WorkflowService;
  drafts: DraftService;
  reader: ExecutionReader;
  rehearser: PastRunRehearser;
  seen: SeenDifferences;
  catalog: NodeCatalog;
  /** @throws OvenError NOT_FOUND, NOT_OF_TARGET 422 */
  inputsOf(principal: Principal, workflowId: number, dataset: string): Promise<JsonObject[]>;
}

interface TriedDefinition {
  definition: JsonObject;
  /** Of the definition, as versions have it. */
  hash: string;
  workflowName: string;
  /** Null: it is no draft. */
  draftRevision: number | null;
}

/** Goes through past runs on a definition before it is published. Nothing outside is called and nothing is written but who looked at what. */
export class RehearsalService {
  readonly #deps: RehearsalServiceDeps;

  constructor(deps: RehearsalServiceDeps) {
    this.#deps = deps;
  }

  /**
   * @param signal ends it between two runs
   * @throws OvenError NOT_FOUND, FORBIDDEN without the permission to read runs, with `live` also to run the workflow, INVALID_DEFINITION 400, NOT_OF_TARGET 422
   */
  async rehearse(
    principal: Principal,
    idOrSlug: string,
    { definition: given, limit, before, status, dataset, live: budget }: RehearseBody,
    signal: AbortSignal,
  ): Promise<Rehearsal> {
    const { reader, rehearser } = this.#deps;
    const { workflow, tried } = await this.#tried(principal, idOrSlug, given);
    if (budget !== undefined) requirePermission(principal, `${this.#deps.resource}.execute`);
    const live = budget && rehearser.liveCalls(principal, budget, signal);
    const inputs = dataset === undefined ? undefined : await this.#deps.inputsOf(principal, workflow.id, dataset);
    const which: EndedRuns = {
      workflowId: workflow.id,
      status: ENDED[status],
      ...(inputs === undefined ? {} : { inputs }),
    };
    const ids = await reader.endedOf(principal, { ...which, before, limit: limit + 1 });
    const past: RehearsedRun[] = [];
    const skipped: Rehearsal["skipped"] = [];
    for (const id of ids.slice(0, limit)) {
      signal.throwIfAborted();
      try {
        const one = await rehearser.rehearse(principal, id, tried);
        const isOpen = live !== undefined && one.comparison.unknown?.reason === "new-call";
        past.push(toRehearsedRun(isOpen ? await rehearser.rehearseLive(principal, id, tried, live) : one, false));
      } catch (error) {
        if (!isOvenError(error)) throw error;
        skipped.push({ executionId: id, reason: error.code });
      }
    }
    const runs = await this.#shown(principal, workflow, tried, past);
    const count = (verdict: RehearsedRun["verdict"]) => runs.filter((run) => run.verdict === verdict).length;
    return {
      counts: {
        ...{ same: count("same"), outcome: count("outcome"), calls: count("calls"), path: count("path") },
        ...{ unknown: count("unknown"), skipped: skipped.length },
      },
      runs,
      skipped,
      next: ids.length > limit ? (ids[limit - 1] ?? null) : null,
      recordings: await reader.recordingsOf(principal, which),
      live: live?.spent ?? null,
      casesWithoutRun:
        inputs === undefined
          ? null
          : await reader.neverGiven(principal, { workflowId: workflow.id, status: ENDED[status] }, inputs),
    };
  }

  /**
   * One past run and what it comes to, step by step.
   * @throws OvenError NOT_FOUND also for a run that no rehearsal goes through, FORBIDDEN, INVALID_DEFINITION 400, DETAILS_REMOVED 409
   */
  async sides(
    principal: Principal,
    idOrSlug: string,
    executionId: number,
    { definition: given }: RehearseRunBody,
  ): Promise<RehearsedSides> {
    const { workflow, tried } = await this.#tried(principal, idOrSlug, given);
    const past = await this.#one(principal, workflow, executionId, tried);
    const { digest, verdict } = past.comparison;
    const difference = { workflowId: workflow.id, executionId, definitionHash: tried.hash, digest };
    const seenBy = verdict === "same" ? [] : await this.#deps.seen.by(principal, difference);
    const { journey } = past.rehearsed;
    return {
      run: toRehearsedRun(past, seenBy.length > 0),
      ends: { was: toEnd(past.recorded.journey.end), is: toEnd(journey.end) },
      ...toPairs(past),
      draftRevision: tried.draftRevision,
      seenBy,
    };
  }

  /**
   * Notes that the person has looked at what was shown of the draft.
   * @throws OvenError as `sides`, FORBIDDEN for who is no person, STALE_DRAFT 409, SHOWN_CHANGED 409 where it comes to something else by now
   */
  async see(
    principal: Principal,
    idOrSlug: string,
    executionId: number,
    { draftRevision, digest }: SeenDifference,
  ): Promise<RehearsedSides> {
    const { drafts, workflows } = this.#deps;
    const draft = await drafts.get(principal, idOrSlug);
    const { kind, userId } = principal;
    if (kind !== "user" || userId === null || principal.through !== undefined)
      throw new OvenError("FORBIDDEN", "Only a person who is signed in can say that they have looked at a difference", {
        status: 403,
        fix: "Sign in to the dashboard and look at it there.",
      });
    if (draft.revision !== draftRevision) throw staleDraft(await workflows.get(principal, idOrSlug), draft);
    const { workflow, tried } = await this.#tried(principal, idOrSlug, draft.definition);
    const past = await this.#one(principal, workflow, executionId, tried);
    if (past.comparison.digest !== digest)
      throw new OvenError("SHOWN_CHANGED", `Run ${executionId} comes to something else than what was shown`, {
        status: 409,
        path: "$.digest",
        fix: "Load it again and look at what it comes to now.",
      });
    const difference = { workflowId: workflow.id, executionId, definitionHash: tried.hash, digest, draftRevision };
    await this.#deps.seen.note(principal, userId, difference);
    return this.sides(principal, idOrSlug, executionId, {});
  }

  /** What would be published: the definition, or without one the draft. @throws OvenError NOT_FOUND, INVALID_DEFINITION 400 */
  async toPublish(
    principal: Principal,
    idOrSlug: string,
    { definition: given }: RehearseRunBody,
  ): Promise<{ workflowId: number; definition: JsonObject }> {
    const { workflows, drafts, catalog } = this.#deps;
    const { id: workflowId } = await workflows.get(principal, idOrSlug);
    const tried = given ?? (await drafts.latest(principal, idOrSlug)).definition;
    return { workflowId, definition: prepareDefinition(tried, {}, catalog).definition };
  }

  async #one(principal: Principal, workflow: Workflow, id: number, tried: TriedDefinition): Promise<PastRun> {
    const { reader, rehearser } = this.#deps;
    const which: EndedRuns = { workflowId: workflow.id, status: ENDED.all, id };
    if ((await reader.endedOf(principal, { ...which, limit: 1 })).length === 0)
      throw notFound(`ended run of ${workflow.name}`, id);
    return rehearser.rehearse(principal, id, tried);
  }

  async #tried(
    principal: Principal,
    idOrSlug: string,
    given: JsonObject | undefined,
  ): Promise<{ workflow: Workflow; tried: TriedDefinition }> {
    const { workflows, drafts, catalog } = this.#deps;
    const workflow = await workflows.get(principal, idOrSlug);
    requirePermission(principal, "executions.read");
    const latest =
      given === undefined ? await drafts.latest(principal, idOrSlug) : { definition: given, revision: null };
    const { definition, contentHash } = prepareDefinition(latest.definition, {}, catalog);
    const draftRevision = latest.revision;
    return { workflow, tried: { definition, hash: contentHash, workflowName: workflow.name, draftRevision } };
  }

  async #shown(
    principal: Principal,
    workflow: Workflow,
    { hash }: TriedDefinition,
    past: readonly RehearsedRun[],
  ): Promise<RehearsedRun[]> {
    const executionIds = past.filter(({ verdict }) => verdict !== "same").map(({ executionId }) => executionId);
    const seen = await this.#deps.seen.of(principal, { workflowId: workflow.id, definitionHash: hash, executionIds });
    return past.map((one) => ({ ...one, seen: seen.has(seenKey(one.executionId, one.digest)) }));
  }
}
