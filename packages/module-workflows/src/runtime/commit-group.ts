import { BatchError, type Database, type PreparedCall } from "@oven/db";
import type { RowChange, RunCommit } from "@oven/engine";
import { type CommitExtras, commitStatement } from "./commit-statement.ts";
import { type RunInsert, runInsertStatement } from "./insert-execution.ts";
import type { RunTableNames } from "./run-kinds.ts";

/** A statement that waits to be sent. */
export interface Write {
  /** Makes the statement, at the time when it is sent. */
  toCall(): PreparedCall;
  /** The run that is written; undefined: no other write is joined to this one. */
  executionId?: number;
  /** Joins this write to the one before it of the same run; undefined: they stay two statements. */
  joined?(earlier: Write): Write | undefined;
}

interface Waiting {
  write: Write;
  resolve(applied: boolean): void;
  reject(error: unknown): void;
}

/** A statement of one or several writes, with the callers that wait for it. */
interface Entry {
  write: Write;
  of: Waiting[];
}

/** With more statements in a group, one run would wait for too many others. */
const MAX_GROUP = 64;
/** Steps of one run in one statement. Each number of steps is another statement to prepare. */
const MAX_JOINED = 4;

/**
 * Sends the commits of many runs together: those that become ready while the last group is on its way go as one transaction, and
 * steps of one run that follow each other as one statement. A single one goes at once. One that fails is taken out by its index,
 * and the others are sent again without it.
 */
export class CommitGroup {
  readonly #db: Database;
  #waiting: Entry[] = [];
  /** The last waiting write of each run. */
  #last = new Map<number, Entry>();
  #sending = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @returns whether the statement had an effect, so that its fence held. @throws the database's error for this very statement */
  submit(write: Write): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#add({ write, resolve, reject });
      if (this.#sending) return;
      this.#sending = true;
      setImmediate(() => void this.#sendAll());
    });
  }

  #add(waiting: Waiting): void {
    const { write } = waiting;
    const last = write.executionId === undefined ? undefined : this.#last.get(write.executionId);
    const joined = last !== undefined && last.of.length < MAX_JOINED ? write.joined?.(last.write) : undefined;
    if (last !== undefined && joined !== undefined) {
      last.write = joined;
      last.of.push(waiting);
      return;
    }
    const entry = { write, of: [waiting] };
    this.#waiting.push(entry);
    if (write.executionId !== undefined) this.#last.set(write.executionId, entry);
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MAX_GROUP);
      for (const entry of group) this.#forget(entry);
      await this.#send(group);
    }
    this.#sending = false;
  }

  /** No later write is joined to an entry that is being sent. */
  #forget(entry: Entry): void {
    const { executionId } = entry.write;
    if (executionId !== undefined && this.#last.get(executionId) === entry) this.#last.delete(executionId);
  }

  async #send(group: readonly Entry[]): Promise<void> {
    const calls: PreparedCall[] = [];
    for (const [index, { write }] of group.entries()) {
      try {
        calls.push(write.toCall());
      } catch (error) {
        return this.#sendWithout(group, index, error);
      }
    }
    try {
      const applied = await this.#db.batch(calls);
      for (const [index, { of }] of group.entries()) for (const each of of) each.resolve(applied[index] === true);
    } catch (error) {
      if (error instanceof BatchError) return this.#sendWithout(group, error.index, error.cause);
      for (const { of } of group) for (const each of of) each.reject(error);
    }
  }

  /** Sends the others again. The steps before a bad one in the same statement can be written, so the steps of that statement go one by one. */
  async #sendWithout(group: readonly Entry[], index: number, cause: unknown): Promise<void> {
    const of = group[index]?.of ?? [];
    const alone = of.length > 1 ? of.map((each) => ({ write: each.write, of: [each] })) : [];
    if (alone.length === 0) for (const each of of) each.reject(cause);
    const others = [...group.slice(0, index), ...alone, ...group.slice(index + 1)];
    if (others.length > 0) await this.#send(others);
  }
}

interface CommitWrite extends Write {
  executionId: number;
  commit: RunCommit;
  extras: CommitExtras;
}

interface RunInsertWrite extends Write {
  runInsert: RunInsert;
}

/** The insert of a run: joined with its first step where that follows at once. */
export function toRunInsertWrite(runInsert: RunInsert): RunInsertWrite {
  return { executionId: runInsert.executionId, runInsert, toCall: () => runInsertStatement(runInsert) };
}

/** A commit: joined with the one before it where that one has nothing for anyone outside the run. */
export function toWrite(commit: RunCommit, names: RunTableNames, extras: CommitExtras): CommitWrite {
  return {
    executionId: commit.executionId,
    commit,
    extras,
    toCall: () => commitStatement(commit, names, extras),
    joined: (earlier) => {
      if (isRunInsert(earlier))
        return fitsIntoInsert(commit) ? toWrite(commit, names, { ...extras, runInsert: earlier.runInsert }) : undefined;
      if (!isCommit(earlier) || !mayJoin(earlier.commit, commit)) return undefined;
      const { runInsert } = earlier.extras;
      if (runInsert !== undefined && !fitsIntoInsert(commit)) return undefined;
      return toWrite(join(earlier.commit, commit), names, {
        ...extras,
        outbox: [...earlier.extras.outbox, ...extras.outbox],
        before: earlier.extras.before,
        runInsert,
      });
    },
  };
}

function isRunInsert(write: Write): write is RunInsertWrite {
  return "runInsert" in write;
}

/** A commit with children cannot be joined to the run's insert: they are selected from their parent's row, which that statement cannot see. */
function fitsIntoInsert({ children }: RunCommit): boolean {
  return children.length === 0;
}

function isCommit(write: Write): write is CommitWrite {
  return "commit" in write;
}

/** A commit is not joined to one with reviews, children or signals: a child reads its parent's log as of its beginning, and a review belongs to its step. */
function mayJoin(earlier: RunCommit, later: RunCommit): boolean {
  const said = earlier.reviews.length + earlier.children.length + earlier.outgoing.length + earlier.signals.length;
  const follows = later.epoch === earlier.epoch && later.seq === earlier.seq + earlier.events.length;
  return follows && said === 0 && earlier.columns.status === "running" && !changesEnded(earlier, later);
}

/** Whether the second commit changes a row that the first one ended: that has no effect in a statement of its own, so they stay apart. */
function changesEnded(earlier: RunCommit, later: RunCommit): boolean {
  const ended = earlier.rows.filter(({ type }) => type === "finish");
  return ended.some((one) => later.rows.some((other) => isSameRow(one, other)));
}

function isSameRow(one: RowChange, other: RowChange): boolean {
  return one.nodeId === other.nodeId && one.visit === other.visit && one.item === other.item;
}

/** Two commits as one: all rows that either changed, with the columns of the run as the second left them. */
function join(earlier: RunCommit, later: RunCommit): RunCommit {
  const { snapshot = earlier.snapshot, wakeAt = earlier.wakeAt } = later;
  return {
    ...later,
    seq: earlier.seq,
    rows: [...earlier.rows, ...later.rows],
    events: [...earlier.events, ...later.events],
    outbox: [...earlier.outbox, ...later.outbox],
    ...(wakeAt === undefined ? {} : { wakeAt }),
    ...(snapshot === undefined ? {} : { snapshot }),
  };
}
