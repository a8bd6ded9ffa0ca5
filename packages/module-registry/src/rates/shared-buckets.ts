import type { Queryable } from "@oven/db";

/** A process admits so much of a minute's worth before it reports it: what one second brings. */
const CREDIT_SECONDS = 1;
/** Beyond it the oldest are forgotten: their next request asks the database. */
const MOST_BUCKETS = 50_000;
const SWEEP_MS = 5 * 60_000;

/*
 * One row a key, changed under its lock: it fills in for the time since, pays what this process has admitted on credit, and gives
 * as many of the wanted requests as are left. `excluded.at` is taken before the row's lock is waited for.
 */
const TAKE = `
insert into rate_buckets as b (key, level, granted, at)
select $1, $2::float8 - $3 - g, g, clock_timestamp() from (select least($4::int, greatest(0, floor($2::float8 - $3))::int) as g) first
on conflict (key) do update set (level, granted, at) = (
  select r - $3 - g, g, greatest(b.at, excluded.at)
  from (select least($2::float8, b.level + greatest(0, extract(epoch from excluded.at - b.at)) * $2::float8 / 60) as r) refilled,
    lateral (select least($4::int, greatest(0, floor(r - $3))::int) as g) wanted)
returning level, granted`;

const SWEEP = `delete from rate_buckets where key in (
  select key from rate_buckets where at < clock_timestamp() - interval '5 minutes' for update skip locked)`;

interface Bucket {
  /** What was left when the database was asked, of all processes. */
  level: number;
  /** When that was; performance clock, in ms. */
  at: number;
  /** Admitted since, and not reported. */
  spent: number;
  /** Nothing is left before that. */
  closedUntil: number;
  waiting: ((waitMs: number) => void)[];
  failing: ((error: unknown) => void)[];
  asking: boolean;
}

/**
 * Buckets that all processes on one PostgreSQL share. A process admits on credit, without asking, up to what the rate brings in one
 * second, as long as its last answer leaves that much; then one statement reports it. So n processes together admit at most n/60 of the
 * rate more than one bucket would, and a rate below 60 a minute is exact. Requests that come while a statement runs share the next one.
 */
export class SharedBuckets {
  readonly #db: Queryable;
  readonly #buckets = new Map<string, Bucket>();
  readonly #now: () => number;
  #sweptAt: number;

  constructor(db: Queryable, now: () => number = () => performance.now()) {
    this.#db = db;
    this.#now = now;
    this.#sweptAt = now();
  }

  /** Takes one; when there is none, the milliseconds until there is. Answers at once while there is credit. */
  take(key: string, perMinute: number): number | Promise<number> {
    const now = this.#now();
    const bucket = this.#bucket(key);
    if (bucket.closedUntil > now) return Math.ceil(bucket.closedUntil - now);
    const left = Math.min(perMinute, bucket.level + ((now - bucket.at) * perMinute) / 60_000) - bucket.spent;
    if (bucket.spent + 1 <= (perMinute * CREDIT_SECONDS) / 60 && left >= 1) {
      bucket.spent++;
      return 0;
    }
    return new Promise((resolve, reject) => {
      bucket.waiting.push(resolve);
      bucket.failing.push(reject);
      if (!bucket.asking) void this.#ask(key, bucket, perMinute);
    });
  }

  #bucket(key: string): Bucket {
    let bucket = this.#buckets.get(key);
    if (bucket !== undefined) return bucket;
    if (this.#buckets.size >= MOST_BUCKETS) this.#buckets.delete(this.#buckets.keys().next().value ?? "");
    bucket = { level: 0, at: this.#now(), spent: 0, closedUntil: 0, waiting: [], failing: [], asking: false };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** For all that wait now, and then for those that came meanwhile. */
  async #ask(key: string, bucket: Bucket, perMinute: number): Promise<void> {
    bucket.asking = true;
    while (bucket.waiting.length > 0) {
      const waiting = bucket.waiting.splice(0);
      const failing = bucket.failing.splice(0);
      const { spent } = bucket;
      bucket.spent = 0;
      try {
        await this.#sweep();
        const [row] = await this.#db.query<{ level: number; granted: number }>(
          TAKE,
          [key, perMinute, spent, waiting.length],
          "take-of-rate",
        );
        if (row === undefined) throw new Error("a bucket answered no row");
        bucket.level = row.level;
        bucket.at = this.#now();
        const waitMs = Math.max(1, Math.ceil(((1 - row.level) * 60_000) / perMinute));
        if (row.granted < waiting.length) bucket.closedUntil = bucket.at + waitMs;
        for (const [index, resolve] of waiting.entries()) resolve(index < row.granted ? 0 : waitMs);
      } catch (error) {
        // Reported with the next statement.
        bucket.spent += spent;
        for (const reject of failing) reject(error);
      }
    }
    bucket.asking = false;
  }

  /** Rows that are full again say nothing. */
  async #sweep(): Promise<void> {
    const now = this.#now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    await this.#db.query(SWEEP);
  }
}
