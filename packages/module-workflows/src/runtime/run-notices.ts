import { randomUUID } from "node:crypto";
import type { Database } from "@oven/db";

/*
 * What processes on one database tell each other: `s` these runs have a signal, `w` these runs wrote something, `h` these runs are held, `v`
 * somebody here views these runs. Ids only, many to a message. Nothing depends on a message that is lost: heartbeats, polling and
 * sweeps are the floor.
 */
export interface RunNotices {
  /** @throws OvenError DATABASE_UNAVAILABLE when there is no direct connection at the start */
  start(on: RunNoticeHandlers): Promise<void>;
  /** A run that another process holds has something to look at. */
  signal(executionId: number): void;
  /** A run that another process holds begins no new step. */
  hold(executionId: number): void;
  /** Something of this run was committed here. Sent only when another process has a viewer of it. */
  written(executionId: number): void;
  /** Tells other processes that the run is viewed here. It must be called again as long as the run is viewed. */
  viewing(executionId: number): void;
  stop(): Promise<void>;
}

export interface RunNoticeHandlers {
  onSignal(executionId: number): void;
  onHold(executionId: number): void;
  onWritten(executionId: number): void;
}

const CHANNEL = "oven_runs";
/** NOTIFY takes a lock that all commits with one share, so there are few: one a kind and interval. */
const INTERVALS = { s: 10, w: 50, h: 10, v: 50 } as const;
type Kind = keyof typeof INTERVALS;

/** A view is announced again this often, and forgotten when it was not for three times as long. */
const RENEW_MS = 5_000;
const FORGET_MS = 3 * RENEW_MS;
/** PostgreSQL takes less than 8,000 bytes; an id has at most 16 digits. */
const IDS_PER_MESSAGE = 400;

/** With the embedded database there is no other process. */
export const NO_NOTICES: RunNotices = {
  start: async () => {},
  signal: () => {},
  hold: () => {},
  written: () => {},
  viewing: () => {},
  stop: async () => {},
};

export function createRunNotices(db: Database): RunNotices {
  return db.dialect === "postgres" ? new PostgresRunNotices(db) : NO_NOTICES;
}

class PostgresRunNotices implements RunNotices {
  readonly #db: Database;
  readonly #self = randomUUID().slice(0, 8);
  readonly #outboxes: Record<Kind, Outbox>;
  /** Runs that are viewed elsewhere, and until when that is believed. */
  readonly #viewed = new Map<number, number>();
  /** Runs that are viewed here, and when that was said last. */
  readonly #announced = new Map<number, number>();
  #stopListening: (() => Promise<void>) | undefined;
  #forgetTimer: NodeJS.Timeout | undefined;

  constructor(db: Database) {
    this.#db = db;
    const outbox = (kind: Kind) => new Outbox(INTERVALS[kind], (ids) => this.#send(kind, ids));
    this.#outboxes = { s: outbox("s"), w: outbox("w"), h: outbox("h"), v: outbox("v") };
  }

  async start(on: RunNoticeHandlers): Promise<void> {
    this.#stopListening = await this.#db.listen(CHANNEL, (message) => this.#receive(message, on));
    this.#forgetTimer = setInterval(() => this.#forget(), FORGET_MS);
    this.#forgetTimer.unref();
  }

  signal(executionId: number): void {
    this.#outboxes.s.add(executionId);
  }

  hold(executionId: number): void {
    this.#outboxes.h.add(executionId);
  }

  written(executionId: number): void {
    const until = this.#viewed.get(executionId);
    if (until !== undefined && until > Date.now()) this.#outboxes.w.add(executionId);
  }

  viewing(executionId: number): void {
    const now = Date.now();
    if (now - (this.#announced.get(executionId) ?? 0) < RENEW_MS) return;
    this.#announced.set(executionId, now);
    this.#outboxes.v.add(executionId);
  }

  async stop(): Promise<void> {
    clearInterval(this.#forgetTimer);
    await Promise.all(Object.values(this.#outboxes).map((outbox) => outbox.stop()));
    await this.#stopListening?.();
  }

  async #send(kind: Kind, ids: readonly number[]): Promise<void> {
    for (let from = 0; from < ids.length; from += IDS_PER_MESSAGE) {
      const message = `${kind} ${this.#self} ${ids.slice(from, from + IDS_PER_MESSAGE).join(",")}`;
      await this.#db.query("select pg_notify($1, $2)", [CHANNEL, message], "run-notice");
    }
  }

  #receive(message: string, { onSignal, onHold, onWritten }: RunNoticeHandlers): void {
    const [kind, sender, list = ""] = message.split(" ");
    if (sender === this.#self) return;
    const ids = list.split(",").map(Number);
    if (kind === "s") for (const id of ids) onSignal(id);
    if (kind === "h") for (const id of ids) onHold(id);
    if (kind === "w") for (const id of ids) onWritten(id);
    if (kind === "v") for (const id of ids) this.#viewed.set(id, Date.now() + FORGET_MS);
  }

  #forget(): void {
    const now = Date.now();
    for (const [id, until] of this.#viewed) if (until <= now) this.#viewed.delete(id);
    for (const [id, at] of this.#announced) if (now - at > FORGET_MS) this.#announced.delete(id);
  }
}

/** Gathers ids: the first goes at once, what comes within the interval after it goes together. */
class Outbox {
  readonly #intervalMs: number;
  readonly #send: (ids: readonly number[]) => Promise<void>;
  readonly #ids = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #sentAt = 0;

  constructor(intervalMs: number, send: (ids: readonly number[]) => Promise<void>) {
    this.#intervalMs = intervalMs;
    this.#send = send;
  }

  add(id: number): void {
    this.#ids.add(id);
    if (this.#timer !== undefined || this.#sending !== undefined) return;
    const wait = Math.max(0, this.#sentAt + this.#intervalMs - Date.now());
    this.#timer = setTimeout(() => void this.#flush(), wait);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    this.#timer = undefined;
    await this.#sending;
    if (this.#ids.size === 0) return;
    const ids = [...this.#ids];
    this.#ids.clear();
    this.#sentAt = Date.now();
    this.#sending = this.#trySend(ids);
    await this.#sending;
    this.#sending = undefined;
    const [next] = this.#ids;
    if (next !== undefined) this.add(next);
  }

  async #trySend(ids: readonly number[]): Promise<void> {
    try {
      await this.#send(ids);
    } catch (error) {
      console.warn(
        `telling other processes of ${ids.length} runs failed; they find out by themselves: ${String(error)}`,
      );
    }
  }
}
