import { randomUUID } from "node:crypto";
import type { Database } from "@oven/db";
import { and, asc, eq, inArray } from "@oven/db/drizzle";
import { NextLook } from "@oven/module-registry";
import { evalResults, evalRuns } from "../schema.ts";
import type { CaseWorker } from "./case-worker.ts";
import type { RunRow } from "./run-rows.ts";

/** So long a run belongs to one process; after a crash another one takes it. */
const LEASE_SECONDS = 30;
const RENEW_MS = 5_000;
/** Runs of a process that has crashed are looked for so often. */
const SWEEP_MS = 10_000;
/** What one process works on at once; the others wait. */
const MOST_RUNS = 4;

export interface EvalHostOptions {
  db: Database;
  cases: CaseWorker;
  /** Of one lease, in seconds. */
  leaseSeconds?: number;
}

/** Works on runs of datasets: each by one process at a time, so many cases at once as the run says. */
export class EvalHost {
  readonly #db: Database;
  readonly #cases: CaseWorker;
  readonly #leaseSeconds: number;
  readonly #owner = randomUUID();
  readonly #stopping = new AbortController();
  readonly #working = new Map<number, { done: Promise<void>; abort: AbortController }>();
  readonly #next: NextLook;
  #isStarted = false;
  #turn: Promise<void> = Promise.resolve();

  constructor({ db, cases, leaseSeconds = LEASE_SECONDS }: EvalHostOptions) {
    this.#db = db;
    this.#cases = cases;
    this.#leaseSeconds = leaseSeconds;
    this.#next = new NextLook(() => this.wake(), { db, sweepMs: SWEEP_MS });
  }

  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** Looks for runs now. Without `start` nothing is looked for: another process does the work. */
  wake(): void {
    if (!this.#isStarted || this.#stopping.signal.aborted) return;
    this.#turn = this.#turn.then(() => this.#claimQuietly());
  }

  /** Lets go of a run that somebody has cancelled. */
  drop(runId: number): void {
    this.#working.get(runId)?.abort.abort();
  }

  async stop(): Promise<void> {
    this.#next.cancel();
    this.#stopping.abort();
    await this.#turn;
    await Promise.all([...this.#working.values()].map(({ done }) => done));
  }

  async #claimQuietly(): Promise<void> {
    this.#next.begin();
    let untilNext: number | undefined;
    try {
      while (await this.#claimOne());
      untilNext = await this.#untilNext();
    } catch (error) {
      untilNext = SWEEP_MS;
      console.error("looking for evaluations failed, trying again at the next sweep:", error);
    }
    if (!this.#stopping.signal.aborted) this.#next.end(untilNext);
  }

  /** Milliseconds until the claim of a process that has gone ends. */
  async #untilNext(): Promise<number | undefined> {
    const [row] = await this.#db.query<{ left: number | null }>(
      `select (extract(epoch from min(claimed_until) - now()) * 1000)::float8 as "left" from eval_runs
       where status in ('queued', 'running') and claimed_until > now()`,
      [],
      "eval-next",
    );
    return row?.left ?? undefined;
  }

  async #claimOne(): Promise<boolean> {
    if (this.#stopping.signal.aborted || this.#working.size >= MOST_RUNS) return false;
    const [claimed] = await this.#db.query<{ id: number }>(
      `update eval_runs set status = 'running', owner = $1, started_at = coalesce(started_at, now()),
         claimed_until = now() + make_interval(secs => $2)
       where id = (select id from eval_runs
         where status in ('queued', 'running') and (claimed_until is null or claimed_until <= now())
         order by id limit 1 for update skip locked)
       returning id`,
      [this.#owner, this.#leaseSeconds],
      "eval-claim",
    );
    if (claimed === undefined) return false;
    const { id } = claimed;
    const abort = new AbortController();
    const done = this.#work(id, abort).finally(() => {
      this.#working.delete(id);
      this.wake();
    });
    this.#working.set(id, { done, abort });
    return true;
  }

  async #work(id: number, abort: AbortController): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, abort.signal]);
    const renewal = setInterval(() => void this.#renew(id, abort), RENEW_MS);
    try {
      const [run] = await this.#db.orm.select().from(evalRuns).where(eq(evalRuns.id, id));
      if (run !== undefined) await this.#workCases(run, signal);
      if (!signal.aborted) await this.#finish(id);
    } catch (error) {
      console.error(`working on evaluation ${id} failed, it is taken up again:`, error);
    } finally {
      clearInterval(renewal);
      if (this.#stopping.signal.aborted) await this.#release(id);
    }
  }

  async #workCases(run: RunRow, signal: AbortSignal): Promise<void> {
    const open = await this.#db.orm
      .select()
      .from(evalResults)
      .where(and(eq(evalResults.runId, run.id), inArray(evalResults.status, ["pending", "running"])))
      .orderBy(asc(evalResults.position), asc(evalResults.id));
    const next = open[Symbol.iterator]();
    const takeTurns = async (): Promise<void> => {
      for (const result of next) {
        if (signal.aborted) return;
        await this.#cases.work(run, result, signal);
      }
    };
    await Promise.all(Array.from({ length: run.concurrency }, takeTurns));
  }

  /** Aborts the work when the run is not ours any more: it was cancelled, or another process has it. */
  async #renew(id: number, abort: AbortController): Promise<void> {
    try {
      const renewed = await this.#db.query(
        `update eval_runs set claimed_until = now() + make_interval(secs => $3)
         where id = $1 and owner = $2 and status = 'running' returning id`,
        [id, this.#owner, this.#leaseSeconds],
        "eval-renew",
      );
      if (renewed.length === 0) abort.abort();
    } catch (error) {
      console.warn(`the lease of evaluation ${id} was not renewed: ${String(error)}`);
    }
  }

  async #finish(id: number): Promise<void> {
    await this.#db.query(
      `update eval_runs set status = 'completed', ended_at = now(), claimed_until = null
       where id = $1 and owner = $2 and status = 'running'
         and not exists (select from eval_results where run_id = $1 and status in ('pending', 'running'))`,
      [id, this.#owner],
      "eval-finish",
    );
  }

  /** Another process need not wait for the lease to end. */
  async #release(id: number): Promise<void> {
    await this.#db.query("update eval_runs set claimed_until = null where id = $1 and owner = $2", [id, this.#owner]);
  }
}
