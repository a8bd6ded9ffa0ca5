import { isConnectionLost } from "@oven/db";

/** At most one line of a kind within this time. */
const QUIET_MS = 1_000;
const MOST_KINDS = 1_000;
/** SQL and its parameters, as the query builder puts them into an error's message. */
const SQL = /Failed query:[\s\S]*/;
/** What single lines say of a database that is away. */
const AWAY =
  /database (?:does not answer|connection lost)|DATABASE_UNAVAILABLE|ECONNREFUSED|Connection terminated|Failed query:/;

/**
 * What is said on the console while the database is away, in single lines without SQL, each kind at most once a second: every
 * request and every sweep fails then, and each would write a stack trace.
 */
export class OutageLines {
  readonly #now: () => number;
  readonly #saidAt = new Map<string, number>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The parts as they are to be said; undefined: nothing is. Whatever is not about the connection stays as it is. */
  shorten(parts: readonly unknown[]): unknown[] | undefined {
    const isAway = parts.some((part) =>
      part instanceof Error ? isConnectionLost(part) : typeof part === "string" && AWAY.test(part),
    );
    if (!isAway) return [...parts];
    const line = parts.map(toLine).join(" ");
    const kind = line.replaceAll(/\d+/g, "#");
    const now = this.#now();
    const saidAt = this.#saidAt.get(kind);
    if (saidAt !== undefined && now - saidAt < QUIET_MS) return undefined;
    if (this.#saidAt.size >= MOST_KINDS) this.#saidAt.clear();
    this.#saidAt.set(kind, now);
    return [line];
  }
}

function toLine(part: unknown): string {
  if (part instanceof Error) return "The database does not answer";
  return String(part)
    .replace(SQL, "a query failed")
    .replaceAll(/\s*\n\s*/g, " ");
}
