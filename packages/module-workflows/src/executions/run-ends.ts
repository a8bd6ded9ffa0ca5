import { type ExecutionStatus, isTerminal } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { allRuns, type RunKinds } from "../runtime/run-kinds.ts";
import type { RunWatch } from "./run-watch.ts";

/** A run in another process whose notice was lost is looked at after this long. */
const LOOK_MS = 15_000;

interface Deps {
  /** Of all tenants. */
  db: Database;
  kinds: RunKinds;
  watch: RunWatch;
}

/** For what lives as long as a run. */
export class RunEnds {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Resolves once the run has ended or its row is gone, and when `signal` fires. */
  async wait(executionId: number, signal: AbortSignal): Promise<void> {
    const subscription = this.#deps.watch.subscribe(executionId, "settled");
    try {
      while (!signal.aborted && !(await this.#hasEnded(executionId))) await subscription.wait(LOOK_MS, signal);
    } finally {
      subscription.close();
    }
  }

  /** Those of these runs that have ended, or whose rows are gone. */
  async endedOf(ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    const { db, kinds } = this.#deps;
    const rows = await db.query<{ id: number; status: ExecutionStatus }>(
      `select id, status from (${allRuns(kinds.all(), "id, status")}) r where id = any($1)`,
      [[...ids]],
    );
    const going = new Set(rows.filter(({ status }) => !isTerminal(status)).map(({ id }) => Number(id)));
    return ids.filter((id) => !going.has(id));
  }

  async #hasEnded(executionId: number): Promise<boolean> {
    const { db, kinds, watch } = this.#deps;
    if (watch.ended(executionId) !== undefined) return true;
    const all = kinds.all();
    const [row] = await db.query<{ status: ExecutionStatus }>(
      `select status from (${allRuns(all, "id, status")}) r where id = $1`,
      [executionId],
      `run-status-${all.length}`,
    );
    return row === undefined || isTerminal(row.status);
  }
}
