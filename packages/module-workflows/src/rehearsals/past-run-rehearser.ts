import type { JsonObject, Principal } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import {
  type CompiledMachine,
  compareJourneys,
  initialContext,
  type JourneyComparison,
  type LiveBudget,
  LiveCalls,
  type NodeCatalog,
  type NodeRunner,
  outlineOf,
  type RecordedRun,
  type RehearsalWorld,
  type Rehearsed,
  type RunReading,
  type RunRecord,
  readRecordedRun,
  rehearse,
} from "@oven/engine";
import type { ConfiguredDefinitions } from "../definitions/configured-definitions.ts";
import { PastReadings } from "../executions/past-readings.ts";
import type { RunRecordings } from "../executions/run-recordings.ts";
import { liveRunner } from "./live-runner.ts";
import { onlyComputing } from "./only-computing.ts";

/** A definition that was checked, and what it is tried as. */
export interface Tried {
  definition: JsonObject;
  workflowName: string;
}

/** One past run, and what it comes to on a definition. */
export interface PastRun {
  record: RunRecord;
  recorded: RecordedRun;
  rehearsed: Rehearsed;
  comparison: JourneyComparison;
}

export interface PastRunRehearserDeps {
  db: Pick<Database, "isJoint">;
  recordings: RunRecordings;
  readings: PastReadings;
  definitions: ConfiguredDefinitions;
  catalog: NodeCatalog;
  nodes: NodeRunner;
  /** Calls nodes as runs do, as the principal of the call. */
  askingNodes: NodeRunner;
}

/** Goes through one past run on a definition. Nothing outside is called and nothing is written. */
export class PastRunRehearser {
  readonly #deps: PastRunRehearserDeps;
  readonly #asking = new PastReadings();

  constructor(deps: PastRunRehearserDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError NOT_FOUND, DETAILS_REMOVED, CHECKPOINTS_MISSING 409, TOO_MANY_REQUESTS 429 */
  async rehearse(principal: Principal, id: number, tried: Tried): Promise<PastRun> {
    return this.#take(async () => this.#on(tried, await this.#recorded(principal, id)));
  }

  /** For `rehearseLive`: what may be spent by the principal. @param signal ends a call of a model */
  liveCalls(principal: Principal, budget: LiveBudget, signal: AbortSignal): LiveCalls {
    return new LiveCalls({
      ...{ budget, signal, now: () => performance.now() },
      nodes: liveRunner(this.#deps.askingNodes, principal),
    });
  }

  /** As `rehearse`, and asks models where no answer was recorded. Those that wait for a model do not keep others from reading the past. */
  async rehearseLive(principal: Principal, id: number, tried: Tried, live: LiveCalls): Promise<PastRun> {
    return this.#asking.take(async () => this.#on(tried, await this.#recorded(principal, id), live));
  }

  /** As `rehearse`, on two definitions; the recording is read once. `second` is asked for only where the first differs. */
  async rehearseOnBoth(
    principal: Principal,
    id: number,
    first: Tried,
    second: Tried,
  ): Promise<{ first: PastRun; second: PastRun | null }> {
    return this.#take(async () => {
      const recording = await this.#recorded(principal, id);
      const one = await this.#on(first, recording);
      return { first: one, second: one.comparison.verdict === "same" ? null : await this.#on(second, recording) };
    });
  }

  /** What belongs to a transaction does not wait for readings that may wait for it. */
  #take<Result>(read: () => Promise<Result>): Promise<Result> {
    const { db, readings } = this.#deps;
    return db.isJoint ? read() : readings.take(read);
  }

  async #recorded(principal: Principal, id: number): Promise<{ record: RunRecord; recorded: RecordedRun }> {
    const { recordings, catalog } = this.#deps;
    const record = await recordings.record(principal, id);
    const read = async (childId: number): Promise<RunReading> =>
      this.#read(await recordings.record(principal, childId));
    return { record, recorded: await readRecordedRun(await this.#read(record), catalog, read) };
  }

  async #on(
    tried: Tried,
    { record, recorded }: { record: RunRecord; recorded: RecordedRun },
    live?: LiveCalls,
  ): Promise<PastRun> {
    const world = { ...this.#worldOf(record, tried), live };
    const { variables } = (await world.compile(null)).compiled;
    const rehearsed = await rehearse(world, recorded, initialContext(variables, record.input));
    return { record, recorded, rehearsed, comparison: compareJourneys(recorded.journey, rehearsed) };
  }

  async #read(record: RunRecord): Promise<RunReading> {
    const { history, facts, compiled, context } = await this.#deps.recordings.of(record);
    return { record, history, facts, compiled, context };
  }

  #worldOf(record: RunRecord, { definition, workflowName }: Tried): RehearsalWorld {
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
