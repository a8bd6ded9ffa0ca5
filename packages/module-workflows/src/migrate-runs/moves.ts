import { isOvenError, type Principal } from "@oven/contract";
import type { ExecutionKind, RunOptions } from "@oven/contract/run";
import type { Definition, Workflow } from "@oven/contract/workflow";
import {
  type CompiledMachine,
  compareVersions,
  type LoadedDefinition,
  type MoveReport,
  moveRun,
  type RunState,
  renamed,
  type StateMapping,
} from "@oven/engine";
import type { CallClosure } from "../definitions/call-closure.ts";
import type { ConfiguredDefinitions } from "../definitions/configured-definitions.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { PolicyService } from "../policies/policy-service.ts";
import type { ReviewOverride } from "../policies/review-override.ts";

export interface MovesDeps {
  definitions: ConfiguredDefinitions;
  workflows: WorkflowService;
  calls: CallClosure;
  policies: PolicyService;
  override: ReviewOverride;
}

/** What of a run decides whether it can be moved. */
export interface WaitingRun {
  id: number;
  version: number;
  status: string;
  state: RunState;
  options: RunOptions | null;
  part: string | null;
  /** A worker has it, or it has something to look at. */
  busy: boolean;
}

/** Whether a run can be moved, and what that passes over. */
export interface Judgement {
  report: MoveReport;
  passedReviews: string[];
}

/** What moves of one migration have in common: the versions, compiled, and the mapping. */
export class Moves {
  readonly #deps: MovesDeps;
  readonly #principal: Principal;
  readonly kind: ExecutionKind;
  readonly workflow: Workflow;
  /** The workflow with the definition that the runs go to. */
  readonly wanted: Workflow;
  readonly pins: Readonly<Record<string, number>>;
  readonly mapping: StateMapping;
  readonly #after: LoadedDefinition;
  readonly #reports = new Map<string, Promise<MoveReport>>();

  private constructor(
    deps: MovesDeps,
    principal: Principal,
    given: Pick<Moves, "kind" | "workflow" | "wanted" | "pins" | "mapping">,
    after: LoadedDefinition,
  ) {
    this.#deps = deps;
    this.#principal = principal;
    this.kind = given.kind;
    this.workflow = given.workflow;
    this.wanted = given.wanted;
    this.pins = given.pins;
    this.mapping = given.mapping;
    this.#after = after;
  }

  /** @throws OvenError NOT_FOUND for the workflow or the version */
  static async of(
    deps: MovesDeps,
    principal: Principal,
    kind: ExecutionKind,
    asked: { workflow: string; version: number | undefined; mapping: StateMapping },
  ): Promise<Moves> {
    const workflow = await deps.workflows.get(principal, asked.workflow);
    const version = asked.version ?? workflow.version;
    const { definition } = await deps.workflows.pinned(workflow.id, version);
    const wanted = { ...workflow, version, definition };
    const pins = await deps.calls.pin(principal, kind, wanted);
    const after = await deps.definitions.load(pinnedRun(kind, workflow.id, version, principal.tenantId));
    return new Moves(deps, principal, { kind, workflow, wanted, pins, mapping: asked.mapping }, after);
  }

  get after(): LoadedDefinition {
    return this.#after;
  }

  /** The version that a run comes from, compiled. @throws OvenError when it cannot be compiled any more */
  async before(version: number): Promise<CompiledMachine> {
    const run = pinnedRun(this.kind, this.workflow.id, version, this.#principal.tenantId);
    return (await this.#deps.definitions.load(run)).compiled;
  }

  /** Runs with the same signature are judged alike. */
  signatureOf({ version, state, options, part, busy, status }: WaitingRun): string {
    const units = state.units.map(({ nodeId, item, status: its, wait }) => [
      ...[nodeId, item !== null, its, wait?.for],
      wait?.for === "items" && wait.children === true,
    ]);
    const timers = (state.timers ?? []).map(({ stateId, key }) => `${stateId} ${key}`).sort();
    const seen = [Object.keys(state.visits).sort(), state.loops?.map(({ stateId }) => stateId)];
    return JSON.stringify([version, status, state.value, units, timers, seen, options !== null, part, busy]);
  }

  /**
   * @param asked ids of the states in which runs with this signature asked a person
   */
  async judge(run: WaitingRun, asked: readonly string[]): Promise<Judgement> {
    const signature = this.signatureOf(run);
    const known = this.#reports.get(signature) ?? this.#report(run);
    this.#reports.set(signature, known);
    const report = await known;
    if (report.verdict !== "same" && report.verdict !== "mapped") return { report, passedReviews: [] };
    return this.#checkRules(report, run, asked);
  }

  async #report(run: WaitingRun): Promise<MoveReport> {
    const cannot = (message: string): MoveReport => ({
      ...{ verdict: "cannot", problems: [{ stateId: "", message }] },
      ...{ unplaced: [], missing: [], changed: [] },
    });
    if (run.busy) return cannot("A worker is about to go on with it");
    if (run.part !== null) return cannot("It is one pass of a loop and ends on the version of its run");
    if (run.options !== null) return cannot("It is a test, a dry run or a part of the graph");
    let before: CompiledMachine;
    try {
      before = await this.before(run.version);
    } catch (error) {
      if (!isOvenError(error)) throw error;
      return cannot(`The version it has cannot be read any more: ${error.message}`);
    }
    const definition = this.wanted.definition as unknown as Definition; // cast: published definitions are valid
    const question = { before, after: this.#after.compiled, definition, state: run.state, mapping: this.mapping };
    const report = compareVersions(question);
    if (report.verdict !== "same" && report.verdict !== "mapped") return report;
    try {
      // Its place decides; what its context holds does not.
      moveRun({
        ...{ before, after: this.#after.compiled, mapping: this.mapping, now: 0, seq: 1, config: this.#after.config },
        facts: { id: run.id, kind: this.kind, workflowId: this.workflow.id, input: {} },
        snapshot: { state: run.state, context: { values: {}, writers: new Map() } },
      });
    } catch (error) {
      if (!isOvenError(error)) throw error;
      return { ...report, verdict: "cannot", problems: [{ stateId: "", message: error.message }] };
    }
    return report;
  }

  async #checkRules(report: MoveReport, { id, state }: WaitingRun, asked: readonly string[]): Promise<Judgement> {
    const { policies, override } = this.#deps;
    const to = (state: string): string => renamed(state, this.mapping);
    const standing = state.units
      .map(({ nodeId }) => to(nodeId))
      .concat((state.idle ?? []).map((leaf) => to(leaf.stateId)));
    try {
      await policies.requireRunnable(this.#principal, this.kind, this.wanted, this.pins, null, standing);
    } catch (error) {
      if (!isOvenError(error)) throw error;
      return {
        report: { ...report, verdict: "cannot", problems: [{ stateId: "", message: error.message }] },
        passedReviews: [],
      };
    }
    const passedReviews = await override.passed(this.#principal, {
      workflow: this.wanted,
      current: this.workflow,
      options: null,
      pins: this.pins,
      goesOn: {
        standing,
        visits: Object.fromEntries(Object.entries(state.visits).map(([visited, count]) => [to(visited), count])),
        asked: asked.map(to),
        unchanged: false,
      },
      target: { type: "execution", id },
    });
    return { report, passedReviews };
  }
}

function pinnedRun(kind: ExecutionKind, workflowId: number, workflowVersion: number, tenantId: number) {
  return { kind, workflowId, workflowVersion, tenantId, part: null, options: null };
}
