import { isOvenError, SYSTEM_PRINCIPAL } from "@oven/contract";
import type { Database } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import { NextLook, type ServiceMap } from "@oven/module-registry";
import type {} from "@oven/module-workflows";
import { askJudge } from "../expectations/ask-judge.ts";
import { seeRun } from "../expectations/seen-run.ts";
import { scoreJudges } from "../schema.ts";
import type { JudgeRow } from "./judge-service.ts";

/** So long a judgement belongs to one process; a model that takes longer is given up. */
const LEASE_SECONDS = 180;
const JUDGE_MS = 120_000;
const SWEEP_MS = 10_000;
const SOONEST_MS = 50;
/** Models that one process asks at once. */
const MOST_AT_ONCE = 2;
const MOST_ATTEMPTS = 5;
const MOST_COMMENT = 2_000;

interface Claimed extends Record<string, unknown> {
  judge_id: number;
  execution_id: number;
  attempts: number;
}

/** Asks judges about the runs of their samples, each by one process at a time. */
export class JudgeHost {
  readonly #db: Database;
  readonly #services: ServiceMap;
  readonly #stopping = new AbortController();
  readonly #working = new Set<Promise<void>>();
  readonly #next: NextLook;
  #isStarted = false;
  #turn: Promise<void> = Promise.resolve();

  constructor({ db, services }: { db: Database; services: ServiceMap }) {
    this.#db = db;
    this.#services = services;
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

  async stop(): Promise<void> {
    this.#next.cancel();
    this.#stopping.abort();
    await this.#turn;
    await Promise.all(this.#working);
  }

  async #claimQuietly(): Promise<void> {
    this.#next.begin();
    let untilNext: number | undefined;
    try {
      while (await this.#claimOne());
      untilNext = await this.#untilNext();
    } catch (error) {
      untilNext = SWEEP_MS;
      console.error("looking for runs to judge failed, trying again at the next sweep:", error);
    }
    if (!this.#stopping.signal.aborted) this.#next.end(untilNext);
  }

  async #untilNext(): Promise<number | undefined> {
    const [row] = await this.#db.query<{ left: number | null }>(
      `select (extract(epoch from min(due_at) - now()) * 1000)::float8 as "left" from score_judgements
       where status = 'waiting' and due_at > now()`,
      [],
      "judge-next",
    );
    return row?.left == null ? undefined : Math.max(SOONEST_MS, row.left);
  }

  async #claimOne(): Promise<boolean> {
    if (this.#stopping.signal.aborted || this.#working.size >= MOST_AT_ONCE) return false;
    const [claimed] = await this.#db.query<Claimed>(
      `update score_judgements j set attempts = attempts + 1, due_at = now() + make_interval(secs => ${LEASE_SECONDS})
       from (select judge_id, execution_id from score_judgements where status = 'waiting' and due_at <= now()
             order by due_at limit 1 for update skip locked) d
       where j.judge_id = d.judge_id and j.execution_id = d.execution_id
       returning j.judge_id, j.execution_id, j.attempts`,
      [],
      "judge-claim",
    );
    if (claimed === undefined) return false;
    const work = this.#work(claimed)
      .catch((error: unknown) => console.error(`judging execution ${claimed.execution_id} failed:`, error))
      .finally(() => {
        this.#working.delete(work);
        this.wake();
      });
    this.#working.add(work);
    return true;
  }

  async #work(claimed: Claimed): Promise<void> {
    try {
      await this.#judge(claimed);
    } catch (error) {
      await this.#failed(claimed, error);
      return;
    }
    await this.#end(claimed, "scored", null);
  }

  async #judge({ judge_id, execution_id }: Claimed): Promise<void> {
    const [judge] = await this.#db.orm
      .select()
      .from(scoreJudges)
      .where(eq(scoreJudges.id, Number(judge_id)));
    if (judge === undefined) return;
    const { tenantId, targetKind: kind, name, createdBy } = judge;
    const principal = { ...SYSTEM_PRINCIPAL, tenantId };
    const run = await seeRun(this.#services, principal, kind, Number(execution_id), []);
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(JUDGE_MS)]);
    // Not the run's own traffic: what the run may spend is the business of the run, which has ended.
    const caller = { tenantId, userId: createdBy, workflow: `${kind}:${judge.targetId}` };
    const { score, reason } = await askJudge(toExpectation(judge), run, { services: this.#services, caller, signal });
    const said = { name, value: Math.min(1, Math.max(0, score)), comment: reason?.slice(0, MOST_COMMENT) ?? null };
    const by = { source: "judge" as const, scorer: `judge:${judge.id}`, userId: null };
    await this.#services.workflowPlatform.scores.add(principal, kind, Number(execution_id), said, by);
  }

  /** What may pass is tried again, later each time; anything else stands at the judge until the row goes. */
  async #failed(claimed: Claimed, error: unknown): Promise<void> {
    // Another process goes on when this one stops.
    if (this.#stopping.signal.aborted) {
      await this.#again(claimed, 0);
      return;
    }
    const mayPass = !isOvenError(error) || error.retryable;
    const code = isOvenError(error) ? error.code : "INTERNAL";
    const message = error instanceof Error ? error.message : String(error);
    if (mayPass && claimed.attempts < MOST_ATTEMPTS) await this.#again(claimed, 2 ** claimed.attempts * 5);
    else await this.#end(claimed, "failed", { code, message });
  }

  async #again({ judge_id, execution_id }: Claimed, seconds: number): Promise<void> {
    await this.#db.query(
      `update score_judgements set due_at = now() + make_interval(secs => $3) where judge_id = $1 and execution_id = $2 and status = 'waiting'`,
      [judge_id, execution_id, seconds],
      "judge-again",
    );
  }

  async #end(
    { judge_id, execution_id }: Claimed,
    status: "scored" | "failed",
    error: { code: string; message: string } | null,
  ): Promise<void> {
    await this.#db.query(
      `update score_judgements set status = $3, error_code = $4, error_message = $5, ended_at = now()
       where judge_id = $1 and execution_id = $2 and status = 'waiting'`,
      [judge_id, execution_id, status, error?.code ?? null, error?.message ?? null],
      "judge-end",
    );
  }
}

function toExpectation({ path, rubric, model }: JudgeRow) {
  return { type: "judge" as const, path, rubric, model, threshold: 0 };
}
