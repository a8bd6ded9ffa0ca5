import { notFound, type Principal } from "@oven/contract";
import {
  type CompiledMachine,
  type Replayed,
  type RunBases,
  type RunContext,
  type RunFacts,
  type RunHistory,
  type RunRecord,
  replayInSlices,
  replayMoves,
} from "@oven/engine";
import type { ConfiguredDefinitions } from "../definitions/configured-definitions.ts";
import { requireDetails } from "../retention/removed-details.ts";
import type { SqlStore } from "../runtime/sql-store.ts";
import type { ExecutionReader } from "./execution-reader.ts";
import type { PastReadings } from "./past-readings.ts";

export interface RunRecordingsDeps {
  store: SqlStore;
  bases: RunBases;
  definitions: ConfiguredDefinitions;
  reader: ExecutionReader;
  readings: PastReadings;
}

/** A recorded run, ready to be gone through again. */
export interface Recording {
  record: RunRecord;
  history: RunHistory;
  facts: RunFacts;
  /** What it began with. */
  context: RunContext;
  compiled: CompiledMachine;
  moves(): Generator<Replayed, void>;
  at(seq?: number): Promise<Replayed>;
}

/** Reads recordings of runs. A recording exists as long as the details of its run. */
export class RunRecordings {
  readonly #deps: RunRecordingsDeps;

  constructor(deps: RunRecordingsDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError NOT_FOUND, DETAILS_REMOVED */
  async record(principal: Principal, id: number): Promise<RunRecord> {
    const { store, reader } = this.#deps;
    requireDetails(await reader.row(principal, id));
    const record = await store.read(id);
    if (record === undefined) throw notFound("execution", id);
    return record;
  }

  async through<Result>(
    principal: Principal,
    id: number,
    use: (recording: Recording) => Promise<Result>,
  ): Promise<Result> {
    const record = await this.record(principal, id);
    return this.#deps.readings.take(async () => use(await this.of(record)));
  }

  async of(record: RunRecord): Promise<Recording> {
    const { store, definitions, bases } = this.#deps;
    const history = await store.history(record.id, record.seq);
    const { compiled } = await definitions.load(record);
    const { facts, context } = await bases.of(record);
    return {
      record,
      history,
      facts,
      context,
      compiled,
      moves: () => replayMoves(compiled, facts, context, history),
      at: (seq) => replayInSlices(compiled, facts, context, history, seq),
    };
  }
}
