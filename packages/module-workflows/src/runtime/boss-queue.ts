import type { Database } from "@oven/db";
import type { WorkQueue } from "@oven/engine";
import { fromPglite, PgBoss } from "pg-boss";

const QUEUE = "oven-run";
/** NOTIFY wakes workers at once; polling is only the floor under it. */
const POLL_SECONDS = 2;
const CONCURRENCY = 4;

/**
 * Wake-ups on pg-boss, for both databases. A job says "look at this run" and no more: the run row is the truth, so a lost or
 * doubled job does no harm and none is tried again.
 */
export class BossQueue implements WorkQueue {
  readonly #boss: PgBoss;
  #ready: Promise<void> | undefined;

  constructor(db: Database) {
    const options = { useListenNotify: true, schema: "pgboss", openTelemetry: { enabled: false } };
    this.#boss =
      "pglite" in db.native
        ? new PgBoss({ ...options, db: fromPglite(db.native.pglite), backend: "pglite" })
        : new PgBoss({ ...options, connectionString: db.native.connectionString, max: 4 });
    this.#boss.on("error", (error) => console.warn(`queue: ${error.message}`));
  }

  start(): Promise<void> {
    this.#ready ??= this.#start();
    return this.#ready;
  }

  async stop(): Promise<void> {
    if (this.#ready === undefined) return;
    await this.#boss.stop({ graceful: true, timeout: 5_000 });
  }

  async enqueue(executionId: number, options: { at?: Date } = {}): Promise<void> {
    await this.start();
    // One waiting job a run is enough: singletonKey with the `short` policy drops a second one.
    const send = { singletonKey: String(executionId), ...(options.at === undefined ? {} : { startAfter: options.at }) };
    await this.#boss.send(QUEUE, { executionId }, send);
  }

  async work(handler: (executionId: number) => Promise<void>): Promise<() => Promise<void>> {
    await this.start();
    await this.#boss.work<{ executionId: number }>(
      QUEUE,
      {
        pollingIntervalSeconds: POLL_SECONDS,
        notifyPollingIntervalSeconds: POLL_SECONDS,
        batchSize: 20,
        burstWhenBatchFull: true,
        localConcurrency: CONCURRENCY,
      },
      async (jobs) => {
        await Promise.all(jobs.map((job) => handler(job.data.executionId)));
      },
    );
    return () => this.#boss.offWork(QUEUE, { wait: true });
  }

  async #start(): Promise<void> {
    await this.#boss.start();
    await this.#boss.createQueue(QUEUE, {
      policy: "short",
      notify: true,
      retryLimit: 0,
      expireInSeconds: 60,
      retentionSeconds: 3_600,
      deleteAfterSeconds: 60,
    });
  }
}
