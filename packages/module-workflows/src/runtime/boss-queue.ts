import type { ExecutionKind } from "@oven/contract/run";
import type { Database, SqlPort } from "@oven/db";
import type { WorkQueue } from "@oven/engine";
import { type ConstructorOptions, type Db, fromPglite, type Instance, PgBoss } from "pg-boss";
import type { RunKinds } from "./run-kinds.ts";

const QUEUE = "oven-run";
/** NOTIFY wakes workers at once; polling is only the floor under it. */
const POLL_SECONDS = 2;
const FETCHERS = 1;
const MAX_BATCH = 20;

interface WakeUp {
  executionId: number;
  priority?: number;
  /** Where its sender knew. */
  kind?: ExecutionKind;
}

export interface BossQueueOptions {
  /** How many runs this process works on: hardly more wake-ups are fetched, for others may have room. Default 50. */
  concurrency?: number;
  /** Under which `instances` shows this process. */
  instanceName?: string;
  /** What kind of run a wake-up is about goes along with it. */
  kinds?: RunKinds;
}

/**
 * Wake-ups on pg-boss, for every database. A job says "look at this run" and no more: the run row is the truth, so a lost or
 * doubled job does no harm and none is tried again.
 */
export class BossQueue implements WorkQueue {
  readonly #boss: PgBoss;
  readonly #concurrency: number;
  readonly #kinds: RunKinds | undefined;
  #ready: Promise<void> | undefined;

  constructor(db: Database, { concurrency = 50, instanceName, kinds }: BossQueueOptions = {}) {
    this.#concurrency = concurrency;
    this.#kinds = kinds;
    const options = {
      useListenNotify: true,
      schema: "pgboss",
      openTelemetry: { enabled: false },
      ...(instanceName === undefined ? {} : { instanceName }),
    };
    const { native } = db;
    if ("pglite" in native) this.#boss = new PgBoss({ ...options, db: fromPglite(native.pglite), backend: "pglite" });
    else if ("executeSql" in native) this.#boss = new PgBoss({ ...options, db: fromSqlPort(native) });
    // Its options go on to node-postgres' pool, which takes a client class.
    else this.#boss = new PgBoss({ ...options, ...native, max: 4 } as ConstructorOptions);
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

  async enqueue(executionId: number, options: { at?: Date; priority?: number } = {}): Promise<void> {
    await this.start();
    const { at, priority = 0 } = options;
    const kind = this.#kinds?.known(executionId);
    const wakeUp: WakeUp = { executionId, priority, ...(kind === undefined ? {} : { kind }) };
    // One waiting job a run is enough: singletonKey with the `short` policy drops a second one.
    const send = { singletonKey: String(executionId), priority, ...(at === undefined ? {} : { startAfter: at }) };
    await this.#boss.send(QUEUE, wakeUp, send);
  }

  async work(handler: (executionId: number, priority: number) => Promise<void>): Promise<() => Promise<void>> {
    await this.start();
    const fetchers = Math.min(FETCHERS, this.#concurrency);
    await this.#boss.work<WakeUp>(
      QUEUE,
      {
        pollingIntervalSeconds: POLL_SECONDS,
        notifyPollingIntervalSeconds: POLL_SECONDS,
        batchSize: Math.min(MAX_BATCH, Math.ceil(this.#concurrency / fetchers)),
        burstWhenBatchFull: true,
        localConcurrency: fetchers,
      },
      async (jobs) => {
        await Promise.all(
          jobs.map(({ data: { executionId, priority = 0, kind } }) => {
            if (kind !== undefined) this.#kinds?.remember(executionId, kind);
            return handler(executionId, priority);
          }),
        );
      },
    );
    return () => this.#boss.offWork(QUEUE, { wait: true });
  }

  /** The processes on this queue, with their heartbeats. */
  async instances(): Promise<Instance[]> {
    await this.start();
    return this.#boss.getInstances();
  }

  /** Wake-ups that nobody has fetched yet. */
  async depth(): Promise<number> {
    await this.start();
    const [stats] = await this.#boss.getQueueStats(QUEUE);
    return stats?.queuedCount ?? 0;
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

/** For a database that pg-boss cannot connect to by itself. */
function fromSqlPort(port: SqlPort): Db {
  return {
    executeSql: (sql, values) => port.executeSql(sql, values),
    listen: async (channel, onNotification, onReconnect) => {
      const close = await port.listen(channel, onNotification);
      onReconnect();
      return { close };
    },
  };
}
