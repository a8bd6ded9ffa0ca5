import { isOvenError, type JsonObject, type Principal, ProblemSchema } from "@oven/contract";
import { type EvalDataset, EvalDatasetSchema } from "@oven/contract/eval";
import type { RehearsedRun, RehearsedSides } from "@oven/contract/run";
import type { FixedRun, PastEvidence, RepairEvidence, RepairedFailure } from "@oven/contract/workflow";
import { contentHash } from "@oven/engine";
import type { ServiceMap } from "@oven/module-registry";
import type { WorkflowFace } from "@oven/module-workflows";
import { z } from "zod";
import type { ProposalRow } from "./builder-proposals.table.ts";
import { newRights } from "./new-rights.ts";
import { toDifference, toFixDetail, toWrong } from "./repair-words.ts";

/** How many runs that completed are gone through, and of each eval dataset. */
const PAST_RUNS = 50;
const DATASETS = 10;
const MOST_LISTED = 20;

const NO_PAST: PastEvidence = { runs: 0, same: 0, before: 0, skipped: 0, differing: [] };

/** Who proves, and in which call of a step. */
export interface ProvingCall {
  principal: Principal;
  signal: AbortSignal;
  idempotencyKey: string;
  attempt: number;
}

type Proposal = Pick<ProposalRow, "workflowId" | "baseVersion" | "failure" | "runIds"> & { definition: JsonObject };

/** Finds out what a proposed definition comes to: by its rules, on recordings of failed and of completed runs, and by policies. */
export class RepairProver {
  readonly #services: ServiceMap;

  constructor(services: ServiceMap) {
    this.#services = services;
  }

  /** Nothing is called outside and no model is asked. @throws OvenError FORBIDDEN */
  async prove(proposal: Proposal, call: ProvingCall): Promise<RepairEvidence> {
    const { workflowId, baseVersion, definition } = proposal;
    const base = (await this.#face.workflows.pinned(workflowId, baseVersion)).definition;
    const nothing = { failed: [], past: NO_PAST, datasets: [], datasetsRead: false };
    const found = { definitionHash: contentHash(definition), attempt: call.attempt, ...nothing };
    if (contentHash(base) === found.definitionHash)
      return { ...found, problems: [], wrong: ["Nothing is changed, so nothing is repaired."] };
    const problems = await this.#problemsOf(definition, call);
    const errors = problems.filter(({ severity }) => severity === "error");
    if (errors.length > 0)
      return { ...found, problems, wrong: errors.map(({ path, message, fix }) => `${path}: ${message} ${fix}`) };
    const rights = await newRights(this.#services, call.principal, { workflowId, base, definition });
    const failed = await this.#failed(proposal, call.principal);
    const { past } = await this.#past(proposal, base, call, undefined);
    const datasets = await this.#datasets(proposal, base, call);
    const ofRuns = await this.#services.workflowPlatform.policies.checkPastRuns(
      call.principal,
      { kind: "agent-workflow", id: workflowId },
      definition,
    );
    const evidence = {
      ...found,
      ...{ failed, past, datasets: datasets ?? [], datasetsRead: datasets !== undefined },
      problems: [...problems, ...ofRuns],
    };
    const refused = ofRuns.filter(({ severity }) => severity === "error").map(({ message }) => message);
    return { ...evidence, wrong: [...rights, ...toWrong(evidence, proposal.failure), ...refused] };
  }

  async #problemsOf(definition: JsonObject, { principal, signal, idempotencyKey }: ProvingCall) {
    const answer = await this.#services.tools.call(
      "agents-workflow.agentWorkflows.validate",
      { definition },
      { principal, signal, idempotencyKey: `${idempotencyKey}-validate` },
    );
    return z.object({ problems: z.array(ProblemSchema) }).parse(answer).problems;
  }

  async #failed({ workflowId, runIds, definition, failure }: Proposal, principal: Principal): Promise<FixedRun[]> {
    const fixed: FixedRun[] = [];
    for (const executionId of runIds) {
      try {
        const sides = await this.#face.rehearsals.sides(principal, String(workflowId), executionId, { definition });
        const verdict = verdictOf(sides, failure);
        fixed.push({ executionId, verdict, detail: toFixDetail(verdict, sides) });
      } catch (error) {
        if (!isOvenError(error) || error.code === "FORBIDDEN") throw error;
        fixed.push({ executionId, verdict: "no-recording", detail: error.message });
      }
    }
    return fixed;
  }

  /** @param dataset only runs that were given what a case of it gives */
  async #past(
    { workflowId, definition }: Proposal,
    base: JsonObject,
    { principal, signal }: ProvingCall,
    dataset: string | undefined,
  ): Promise<{ past: PastEvidence; casesWithoutRun: number }> {
    const which = { limit: PAST_RUNS, status: "completed" as const, ...(dataset === undefined ? {} : { dataset }) };
    const { rehearsals } = this.#face;
    const after = await rehearsals.rehearse(principal, String(workflowId), { ...which, definition }, signal);
    const differing = after.runs.filter(({ verdict }) => verdict !== "same" && verdict !== "path");
    const byItself: RehearsedRun[] = [];
    for (const run of differing) if (await this.#differsAlready(principal, workflowId, run, base)) byItself.push(run);
    const added = differing.filter((run) => !byItself.includes(run));
    const past = {
      runs: after.runs.length,
      same: after.runs.length - differing.length,
      before: byItself.length,
      skipped: after.skipped.length,
      differing: added
        .slice(0, MOST_LISTED)
        .map((run) => ({ executionId: run.executionId, verdict: run.verdict, detail: toDifference(run) })),
    };
    return { past, casesWithoutRun: after.casesWithoutRun ?? 0 };
  }

  /** Whether a run of an earlier version comes to the same on the published version: then the proposal is not what makes it differ. */
  async #differsAlready(principal: Principal, workflowId: number, run: RehearsedRun, base: JsonObject) {
    const { rehearsals } = this.#face;
    const sides = await rehearsals.sides(principal, String(workflowId), run.executionId, { definition: base });
    return sides.run.verdict !== "same" && sides.run.digest === run.digest;
  }

  /** Undefined: there are none that the principal may read. */
  async #datasets(proposal: Proposal, base: JsonObject, call: ProvingCall) {
    const datasets = await this.#datasetsOf(proposal.workflowId, call);
    if (datasets === undefined) return undefined;
    const found: RepairEvidence["datasets"] = [];
    for (const { id, name } of datasets.slice(0, DATASETS)) {
      const { past, casesWithoutRun } = await this.#past(proposal, base, call, String(id));
      found.push({ ...past, id, name, casesWithoutRun });
    }
    return found;
  }

  async #datasetsOf(workflowId: number, { principal, signal, idempotencyKey }: ProvingCall) {
    const { tools } = this.#services;
    const list = tools.list(principal).find(({ id }) => id === "evals.datasets.list");
    if (list === undefined) return undefined;
    const answer = await tools.call(
      list.id,
      { filter: JSON.stringify({ kind: "agent-workflow", targetId: workflowId }) },
      { principal, signal, idempotencyKey: `${idempotencyKey}-datasets` },
    );
    return z.array(EvalDatasetSchema).parse(answer) satisfies EvalDataset[];
  }

  get #face(): WorkflowFace {
    return this.#services.workflowPlatform.face("agent-workflow");
  }
}

/** What a failed run comes to. An answer that was never recorded counts as known only behind the step that failed. */
function verdictOf({ run, ends, pairs }: RehearsedSides, { code, nodeId }: RepairedFailure): FixedRun["verdict"] {
  const { is } = ends;
  if (run.unknown === null && is !== null) {
    if (is.status === "completed") return "completes";
    return is.error === code ? "same-failure" : "fails";
  }
  const failing = pairs.find((pair) => pair.nodeId === nodeId && pair.was?.status === "failed");
  return failing?.is?.status === "completed" ? "passes" : "unknown";
}
