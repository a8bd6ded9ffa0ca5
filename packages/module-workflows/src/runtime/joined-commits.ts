import type { RowChange, RunCommit } from "@oven/engine";
import type { Write } from "./commit-group.ts";
import { type CommitExtras, commitStatement } from "./commit-statement.ts";
import { type RunInsert, runInsertStatement } from "./insert-execution.ts";
import type { RunTableNames } from "./run-kinds.ts";

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
