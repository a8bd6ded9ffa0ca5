import type { Json, Principal } from "@oven/contract";
import type { Consequence, ConsequenceStep, Consequences, TryDecision } from "@oven/contract/review";
import type { Database } from "@oven/db";
import {
  type CameTrue,
  type CompiledMachine,
  cameTrue,
  exampleFor,
  type Forecast,
  type ForecastStep,
  type ForecastWorld,
  forecast,
  isForeseeable,
  type NodeRunner,
  type RunReading,
  type RunRecord,
  readUpTo,
  toSummary,
} from "@oven/engine";
import { requirePermission } from "@oven/module-registry";
import type { ConfiguredDefinitions } from "../definitions/configured-definitions.ts";
import type { PastReadings } from "../executions/past-readings.ts";
import type { RunRecordings } from "../executions/run-recordings.ts";
import type { RegisteredNodes } from "../nodes/node-catalog.ts";
import { onlyComputing } from "../rehearsals/only-computing.ts";
import { checkDecision, requireOpen } from "../reviews/check-decision.ts";
import type { ReviewRow } from "../reviews/review-row.ts";
import type { RunKind } from "../runtime/run-kinds.ts";
import { findPastAnswer } from "./past-answers.ts";

/** Decisions that need something from the person before anything is known. */
const NEEDS_DATA = new Set(["edit", "supply", "submit"]);
/** Characters of JSON that are shown whole. */
const MOST_SHOWN = 20_000;
const NOTHING_CAME = null;

export interface ConsequenceServiceDeps {
  db: Database;
  kind: RunKind;
  recordings: RunRecordings;
  readings: PastReadings;
  definitions: ConfiguredDefinitions;
  catalog: RegisteredNodes;
  nodes: NodeRunner;
}

/** What decisions of a review lead to. Nothing outside is called and nothing is written. */
export class ConsequenceService {
  readonly #deps: ConsequenceServiceDeps;

  constructor(deps: ConsequenceServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Of an open review, what each decision that needs no data leads to; of a decided one, what its decision led to, and whether it came so.
   * @throws OvenError FORBIDDEN without the permission to read runs, DETAILS_REMOVED, CHECKPOINTS_MISSING 409
   */
  async of(principal: Principal, review: ReviewRow): Promise<Consequences> {
    const { status, action } = review;
    if (status === "decided" && action !== null)
      return { consequences: await this.#follow(principal, review, [{ action, data: review.data ?? null }]) };
    if (status !== "open") return { consequences: [] };
    const asked = review.actions
      .filter((offered) => !NEEDS_DATA.has(offered))
      .map((offered) => ({ action: offered, data: review.proposal }));
    return { consequences: await this.#follow(principal, review, asked) };
  }

  /** What one decision of an open review leads to, with what was edited. @throws OvenError as `of` and `checkDecision`, REVIEW_DECIDED 409 */
  async try(principal: Principal, review: ReviewRow, { action, data }: TryDecision): Promise<Consequences> {
    requireOpen(review);
    const decision = { action, digest: review.digest, reason: "-", ...(data !== undefined && { data }) };
    const asked = { action, data: checkDecision(review, decision) };
    return { consequences: await this.#follow(principal, review, [asked]) };
  }

  async #follow(
    principal: Principal,
    review: ReviewRow,
    asked: readonly { action: string; data: Json }[],
  ): Promise<Consequence[]> {
    requirePermission(principal, "executions.read");
    const { recordings, readings, catalog } = this.#deps;
    const record = await recordings.record(principal, review.executionId);
    const read = async (id: number): Promise<RunReading> => this.#read(await recordings.record(principal, id));
    return readings.take(async () => {
      const consequences: Consequence[] = [];
      for (const { action, data } of asked) {
        const { paused, followed } = await readUpTo(await this.#read(record), catalog, review.id, read);
        const at = followed === undefined ? Date.now() : paused.at;
        const { id: reviewId, nodeId, visit, item, reason, decidedBy: reviewer } = review;
        const decision = { reviewId, nodeId, visit, item, action, data, reason, reviewer };
        const event = { type: "decision" as const, decision: { ...decision, decidedAt: new Date(at).toISOString() } };
        const world = this.#worldOf(record, review.workflowName, at);
        const made = await forecast(world, { ...paused, event, at });
        const came = followed && cameTrue(made, followed);
        consequences.push(this.#show(action, made, came));
      }
      return consequences;
    });
  }

  async #read(record: RunRecord): Promise<RunReading> {
    const { history, facts, compiled, context } = await this.#deps.recordings.of(record);
    return { record, history, facts, compiled, context };
  }

  /** @param at what was known at that time, in epoch milliseconds, is what is known */
  #worldOf(record: RunRecord, workflowName: string, at: number): ForecastWorld {
    const { catalog, definitions, nodes } = this.#deps;
    const compiled = new Map<string | null, Promise<{ compiled: CompiledMachine }>>();
    const load = (part: string | null): Promise<{ compiled: CompiledMachine }> => {
      const known = compiled.get(part) ?? definitions.load({ ...record, part });
      compiled.set(part, known);
      return known;
    };
    return {
      catalog,
      nodes: onlyComputing(nodes, catalog, isForeseeable),
      content: undefined,
      workflowName,
      compile: async (part) => ({
        compiled: (await load(part)).compiled,
        outline: await definitions.outline(record.kind, record.workflowId, record.workflowVersion, part),
      }),
      answer: async (call) => {
        const past = await findPastAnswer(this.#deps, record, call, at);
        if (past !== undefined) return { origin: "recorded", result: past };
        const output = exampleFor(catalog, call);
        return output === undefined ? undefined : { origin: "example", result: { output } };
      },
    };
  }

  #show(
    action: string,
    { steps, end, rest, isAssumed }: Forecast,
    came: { steps: CameTrue[]; end: CameTrue } | undefined,
  ): Consequence {
    return {
      action,
      steps: steps.map((step, at) => this.#showStep(step, came?.steps[at] ?? NOTHING_CAME)),
      end: end && {
        ...{ status: end.status, outcome: end.outcome, output: toSummary(end.output), error: end.error?.code ?? null },
      },
      rest,
      isAssumed,
      cameTrue: came?.end ?? NOTHING_CAME,
    };
  }

  #showStep(step: ForecastStep, came: CameTrue): ConsequenceStep {
    const { nodeId, isAssumed } = step;
    const common = { nodeId, isAssumed, cameTrue: came };
    switch (step.type) {
      case "wait":
        return { type: "wait", ...common, ms: step.ms };
      case "review": {
        const { title, proposal, assignees } = step.request;
        const { visit, item } = step;
        return { type: "review", ...common, visit, item, title, proposal: toShown(proposal), assignees };
      }
      case "call": {
        const { visit, item, src, input, origin } = step;
        const asksModel = this.#deps.catalog.get(src)?.category === "agent";
        return { type: "call", ...common, visit, item, src, input: toShown(input), asksModel, origin };
      }
    }
  }
}

function toShown(value: Json): Json {
  return JSON.stringify(value).length > MOST_SHOWN ? toSummary(value) : value;
}
