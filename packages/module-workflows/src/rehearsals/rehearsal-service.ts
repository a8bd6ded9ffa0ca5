import { isOvenError, type JsonObject, type Principal } from "@oven/contract";
import type { Rehearsal, RehearseBody, RehearsedRun } from "@oven/contract/run";
import type { Definition } from "@oven/contract/workflow";
import {
  type CompiledMachine,
  compareJourneys,
  initialContext,
  type JourneyCall,
  type NodeCatalog,
  type NodeRunner,
  outlineOf,
  type RehearsalWorld,
  type RunEnd,
  type RunReading,
  type RunRecord,
  readRecordedRun,
  rehearse,
  toSummary,
} from "@oven/engine";
import { requirePermission } from "@oven/module-registry";
import type { ConfiguredDefinitions } from "../definitions/configured-definitions.ts";
import { prepareDefinition } from "../definitions/prepare-definition.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { DraftService } from "../drafts/draft-service.ts";
import type { ExecutionReader } from "../executions/execution-reader.ts";
import type { PastReadings } from "../executions/past-readings.ts";
import type { RunRecordings } from "../executions/run-recordings.ts";
import type { RunKind } from "../runtime/run-kinds.ts";
import type { SqlStore } from "../runtime/sql-store.ts";
import { onlyComputing } from "./only-computing.ts";

const ENDED = { all: ["completed", "failed", "cancelled"], completed: ["completed"], failed: ["failed"] } as const;
/** Differences listed for one run. */
const MOST_LISTED = 20;

export interface RehearsalServiceDeps {
  kind: RunKind;
  workflows: WorkflowService;
  drafts: DraftService;
  reader: ExecutionReader;
  recordings: RunRecordings;
  readings: PastReadings;
  definitions: ConfiguredDefinitions;
  store: SqlStore;
  catalog: NodeCatalog;
  nodes: NodeRunner;
}

/** Goes through past runs on a definition before it is published. Nothing outside is called and nothing is written. */
export class RehearsalService {
  readonly #deps: RehearsalServiceDeps;

  constructor(deps: RehearsalServiceDeps) {
    this.#deps = deps;
  }

  /**
   * @param signal ends it between two runs
   * @throws OvenError NOT_FOUND, FORBIDDEN without the permission to read runs, INVALID_DEFINITION 400
   */
  async rehearse(
    principal: Principal,
    idOrSlug: string,
    { definition: given, limit, before, status }: RehearseBody,
    signal: AbortSignal,
  ): Promise<Rehearsal> {
    const { workflows, drafts, reader, readings, catalog } = this.#deps;
    const workflow = await workflows.get(principal, idOrSlug);
    requirePermission(principal, "executions.read");
    const tried = given ?? (await drafts.latest(principal, idOrSlug)).definition;
    const { definition } = prepareDefinition(tried, {}, catalog);
    const asked = { workflowId: workflow.id, status: [...ENDED[status]], before, limit: limit + 1 };
    const ids = await reader.endedOf(principal, asked);
    const runs: RehearsedRun[] = [];
    const skipped: Rehearsal["skipped"] = [];
    for (const id of ids.slice(0, limit)) {
      signal.throwIfAborted();
      try {
        runs.push(await readings.take(() => this.#one(principal, id, definition, workflow.name)));
      } catch (error) {
        if (!isOvenError(error)) throw error;
        skipped.push({ executionId: id, reason: error.code });
      }
    }
    const count = (verdict: RehearsedRun["verdict"]) => runs.filter((run) => run.verdict === verdict).length;
    return {
      counts: {
        ...{ same: count("same"), outcome: count("outcome"), calls: count("calls"), path: count("path") },
        ...{ unknown: count("unknown"), skipped: skipped.length },
      },
      runs,
      skipped,
      next: ids.length > limit ? (ids[limit - 1] ?? null) : null,
    };
  }

  async #one(principal: Principal, id: number, definition: JsonObject, workflowName: string): Promise<RehearsedRun> {
    const { recordings, catalog } = this.#deps;
    const record = await recordings.record(principal, id);
    const read = async (childId: number): Promise<RunReading> =>
      this.#read(await recordings.record(principal, childId));
    const recorded = await readRecordedRun(await this.#read(record), catalog, read);
    const world = this.#worldOf(record, definition, workflowName);
    const { variables } = (await world.compile(null)).compiled;
    const comparison = compareJourneys(
      recorded.journey,
      await rehearse(world, recorded, initialContext(variables, record.input)),
    );
    const { end, calls, steps, verdict, unknown, tokens, costMicros, durationMs } = comparison;
    return {
      executionId: id,
      workflowVersion: record.workflowVersion,
      endedAt:
        recorded.startedAt === 0 ? null : new Date(recorded.startedAt + recorded.journey.durationMs).toISOString(),
      ...{ verdict, unknown, tokens, costMicros, durationMs },
      end: end && { was: toEnd(end.was), is: toEnd(end.is) },
      calls: { added: toCalls(calls.added), missing: toCalls(calls.missing) },
      steps: { added: steps.added.slice(0, MOST_LISTED), missing: steps.missing.slice(0, MOST_LISTED) },
    };
  }

  async #read(record: RunRecord): Promise<RunReading> {
    const { history, facts, compiled, context } = await this.#deps.recordings.of(record);
    return { record, history, facts, compiled, context };
  }

  #worldOf(record: RunRecord, definition: JsonObject, workflowName: string): RehearsalWorld {
    const { catalog, definitions, nodes } = this.#deps;
    const compiled = new Map<string | null, Promise<{ compiled: CompiledMachine }>>();
    const compile = (part: string | null): Promise<{ compiled: CompiledMachine }> => {
      const known = compiled.get(part) ?? definitions.compile({ ...record, part }, definition);
      compiled.set(part, known);
      return known;
    };
    return {
      catalog,
      nodes: onlyComputing(nodes, catalog),
      content: undefined,
      workflowName,
      compile: async (part) => ({
        compiled: (await compile(part)).compiled,
        outline: outlineOf(definition as unknown as Definition, part), // cast: it was checked
      }),
    };
  }
}

function toEnd(end: RunEnd | null): NonNullable<RehearsedRun["end"]>["was"] {
  if (end === null) return null;
  const { status, outcome, output, error } = end;
  return { status, outcome, output: toSummary(output), error: error?.code ?? null };
}

function toCalls(calls: readonly JourneyCall[]): RehearsedRun["calls"]["added"] {
  return calls
    .slice(0, MOST_LISTED)
    .map(({ nodeId, visit, item, src, input }) => ({ nodeId, visit, item, src, input: toSummary(input) }));
}
