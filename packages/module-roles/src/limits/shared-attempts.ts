import { createHmac, hkdfSync } from "node:crypto";
import type { Database, Queryable } from "@oven/db";
import {
  type AttemptCounter,
  type AttemptLimit,
  type Succeeded,
  tooManyAttempts,
  WINDOW_MS,
  waitAfter,
} from "./attempts.ts";

/** Of one key; more than any limit counts. */
const MOST_TIMES = 400;
const MOST_CLOSED = 50_000;
const SWEEP_MS = 5 * 60_000;

/** Locks the rows of all keys, in one order, and makes those that are missing. */
const LOCK = `
insert into attempts as a (key, times, at)
select key, '{}', clock_timestamp() from unnest($1::text[]) as key order by key
on conflict (key) do update set key = excluded.key
returning a.key, a.times, (extract(epoch from clock_timestamp()) * 1000000)::bigint as now`;

const ADD = `
update attempts set at = clock_timestamp(), times =
  (array(select t from unnest(times) t where t > $2::bigint order by t) || $3::bigint)[greatest(1, cardinality(times) + 2 - ${MOST_TIMES}):]
where key = any($1::text[])`;

const DROP = `
update attempts a set times = array_remove(times, $2::bigint)
from (select key from attempts where key = any($1::text[]) order by key for update) locked where a.key = locked.key`;

const SWEEP = `delete from attempts where key in (
  select key from attempts where at < clock_timestamp() - interval '15 minutes' for update skip locked)`;

interface AttemptRow extends Record<string, unknown> {
  key: string;
  times: number[];
  now: number;
}

/**
 * Attempts counted over all processes on one PostgreSQL, exactly: each is checked and written under the locks of its rows. What is
 * closed is remembered, so that a flood of wrong keys costs no statement each.
 */
export class SharedAttempts implements AttemptCounter {
  readonly #db: Database;
  readonly #hashKey: Buffer;
  readonly #closedUntil = new Map<string, number>();
  #sweptAt = performance.now();

  /** @param db without row-level security */
  constructor(db: Database, secret: string) {
    this.#db = db;
    this.#hashKey = Buffer.from(hkdfSync("sha256", secret, "", "oven attempts", 32));
  }

  async begin(limits: readonly AttemptLimit[]): Promise<Succeeded> {
    const free = new Map(limits.map(({ key, free }) => [this.#hash(key), free]));
    const keys = [...free.keys()].sort();
    if (keys.length === 0) return () => undefined;
    this.#requireOpen(keys);
    await this.#sweep();
    const at = await this.#db.transaction((tx) => this.#count(tx, keys, free));
    return async () => {
      await this.#db.query(DROP, [keys, at], "attempts-drop");
    };
  }

  async #count(tx: Queryable, keys: readonly string[], free: ReadonlyMap<string, number>): Promise<number> {
    const rows = await tx.query<AttemptRow>(LOCK, [keys], "attempts-lock");
    const now = Math.max(...rows.map((row) => row.now));
    const since = now - WINDOW_MS * 1_000;
    let waitMs = 0;
    for (const { key, times } of rows) {
      const recent = times.filter((time) => time > since);
      const last = recent.at(-1);
      if (last === undefined) continue;
      const ofKey = waitAfter(recent.length, free.get(key) ?? 0, (now - last) / 1_000);
      if (ofKey > 0) this.#close(key, ofKey);
      waitMs = Math.max(waitMs, ofKey);
    }
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    await tx.query(ADD, [keys, since, now], "attempts-add");
    return now;
  }

  #requireOpen(keys: readonly string[]): void {
    const now = performance.now();
    const waitMs = Math.max(0, ...keys.map((key) => (this.#closedUntil.get(key) ?? 0) - now));
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    for (const key of keys) this.#closedUntil.delete(key);
  }

  #close(key: string, waitMs: number): void {
    if (this.#closedUntil.size >= MOST_CLOSED) this.#closedUntil.delete(this.#closedUntil.keys().next().value ?? "");
    this.#closedUntil.set(key, performance.now() + waitMs);
  }

  async #sweep(): Promise<void> {
    const now = performance.now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    await this.#db.query(SWEEP);
  }

  #hash(key: string): string {
    return createHmac("sha256", this.#hashKey).update(key).digest("base64url");
  }
}
