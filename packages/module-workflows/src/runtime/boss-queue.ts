import { hostname } from "node:os";
import type { ExecutionKind } from "@oven/contract/run";
import type { Database, SqlPort } from "@oven/db";
import type { WorkQueue } from "@oven/engine";
import { type ConstructorOptions, type Db, fromPglite, type Instance, PgBoss } from "pg-boss";
import type { RunKinds } from "./run-kinds.ts";

const QUEUE = "oven-run";
/** NOTIFY wakes workers at once; polling is only the floor under it. */
const POLL_SECONDS = 2;
/** No notification is lost within one process. */
const EMBEDDED_POLL_SECONDS = 60;
/** Jobs that wait for other jobs: there are none. */
const FLOW_SECONDS = 3_600;
/** A job is fetched when the database's clock is past its time. */
const PAST_DUE_MS = 5;
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

/** A process on the queue, as it was at its last heartbeat. */
export type QueueProcess = Pick<
  Instance,
  "id" | "name" | "host" | "pid" | "live" | "startedOn" | "heartbeatOn" | "stoppedOn" | "nodeVersion"
> & { metrics: { rss: number | null } | null };

/**
 * Wake-ups on pg-boss, for every database. A job says "look at this run" and no more: the run row is the truth, so a lost or
 * doubled job does no harm and none is tried again.
 */
export class BossQueue implements WorkQueue {
  readonly #boss: PgBoss;
  readonly #concurrency: number;
  readonly #kinds: RunKinds | undefined;
  readonly #embedded: QueueProcess | undefined;
  readonly #delayed = new Set<NodeJS.Timeout>();
  #worker: string | undefined;
  #ready: Promise<void> | undefined;

  constructor(db: Database, { concurrency = 50, instanceName, kinds }: BossQueueOptions = {}) {
    this.#concurrency = concurrency;
    this.#kinds = kinds;
    const options = {
      useListenNotify: true,
      schema: "pgboss",
      openTelemetry: { enabled: false },
      schedule: false,
      flowIntervalSeconds: FLOW_SECONDS,
      ...(instanceName === undefined ? {} : { instanceName }),
    };
    const { native } = db;
    if ("pglite" in native) {
      this.#embedded = thisProcess(instanceName);
      // Its register of processes has one row here, and takes a sample fifty times a second for it.
      const own = { db: fromPglite(native.pglite), backend: "pglite" as const, registerInstance: false };
      this.#boss = new PgBoss({ ...options, ...own });
    } else if ("executeSql" in native) this.#boss = new PgBoss({ ...options, db: fromSqlPort(native) });
    // Its options go on to node-postgres' pool, which takes a client class.
    else this.#boss = new PgBoss({ ...options, ...native, max: 4 } as ConstructorOptions);
    this.#boss.on("error", (error) => console.warn(`queue: ${error.message}`));
  }

  start(): Promise<void> {
    this.#ready ??= this.#start();
    return this.#ready;
  }

  async stop(): Promise<void> {
    for (const timer of this.#delayed) clearTimeout(timer);
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
    if (at !== undefined && this.#embedded !== undefined) this.#fetchAt(at);
  }

  async work(handler: (executionId: number, priority: number) => Promise<void>): Promise<() => Promise<void>> {
    await this.start();
    const fetchers = Math.min(FETCHERS, this.#concurrency);
    this.#worker = await this.#boss.work<WakeUp>(
      QUEUE,
      {
        pollingIntervalSeconds: POLL_SECONDS,
        notifyPollingIntervalSeconds: this.#embedded === undefined ? POLL_SECONDS : EMBEDDED_POLL_SECONDS,
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
  async instances(): Promise<QueueProcess[]> {
    await this.start();
    if (this.#embedded !== undefined)
      return [{ ...this.#embedded, heartbeatOn: new Date(), metrics: { rss: process.memoryUsage.rss() } }];
    return this.#boss.getInstances();
  }

  /** Wake-ups that nobody has fetched yet. */
  async depth(): Promise<number> {
    await this.start();
    const [stats] = await this.#boss.getQueueStats(QUEUE);
    return stats?.queuedCount ?? 0;
  }

  /** What was to be fetched before this process began is found by polling. */
  #fetchAt(at: Date): void {
    const timer = setTimeout(
      () => {
        this.#delayed.delete(timer);
        if (this.#worker !== undefined) this.#boss.notifyWorker(this.#worker);
      },
      Math.min(at.getTime() - Date.now() + PAST_DUE_MS, EMBEDDED_POLL_SECONDS * 1_000),
    );
    timer.unref();
    this.#delayed.add(timer);
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

function thisProcess(name: string | undefined): QueueProcess {
  const now = new Date();
  const { pid, version } = process;
  const where = { id: `${pid}`, name: name ?? null, host: hostname(), pid, nodeVersion: version };
  return { ...where, live: true, startedOn: now, heartbeatOn: now, stoppedOn: null, metrics: null };
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
