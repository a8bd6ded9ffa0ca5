import type { RowChange, RunCommit } from "@oven/engine";
import { type Birth, birthStatement } from "./birth-statement.ts";
import type { Write } from "./commit-group.ts";
import { type CommitExtras, commitStatement } from "./commit-statement.ts";
import type { RunTableNames } from "./run-kinds.ts";

interface CommitWrite extends Write {
  executionId: number;
  commit: RunCommit;
  extras: CommitExtras;
}

interface BirthWrite extends Write {
  birth: Birth;
}

/** A run to be written: as one with its first step, where that follows at once. */
export function toBirthWrite(birth: Birth): BirthWrite {
  return { executionId: birth.executionId, birth, toCall: () => birthStatement(birth) };
}

/** A commit to be written: as one with the one before it, where that says nothing to anybody outside the run. */
export function toWrite(commit: RunCommit, names: RunTableNames, extras: CommitExtras): CommitWrite {
  return {
    executionId: commit.executionId,
    commit,
    extras,
    toCall: () => commitStatement(commit, names, extras),
    joined: (earlier) => {
      if (isBirth(earlier))
        return canBeBorn(commit) ? toWrite(commit, names, { ...extras, birth: earlier.birth }) : undefined;
      if (!isCommit(earlier) || !mayJoin(earlier.commit, commit)) return undefined;
      const { birth } = earlier.extras;
      if (birth !== undefined && !canBeBorn(commit)) return undefined;
      return toWrite(join(earlier.commit, commit), names, {
        ...extras,
        outbox: [...earlier.extras.outbox, ...extras.outbox],
        before: earlier.extras.before,
        birth,
      });
    },
  };
}

function isBirth(write: Write): write is BirthWrite {
  return "birth" in write;
}

/** Children are made of their parent's row, which the statement that inserts it does not see. */
function canBeBorn({ children }: RunCommit): boolean {
  return children.length === 0;
}

function isCommit(write: Write): write is CommitWrite {
  return "commit" in write;
}

/** A child takes its parent's log as it stood when it was begun, and a review belongs to its step: those end what can be joined. */
function mayJoin(earlier: RunCommit, later: RunCommit): boolean {
  const said = earlier.reviews.length + earlier.children.length + earlier.outgoing.length + earlier.signals.length;
  const follows = later.epoch === earlier.epoch && later.seq === earlier.seq + earlier.events.length;
  return follows && said === 0 && earlier.columns.status === "running" && !changesEnded(earlier, later);
}

/** What comes after a row's outcome changes nothing, which a statement of its own sees to. */
function changesEnded(earlier: RunCommit, later: RunCommit): boolean {
  const ended = earlier.rows.filter(({ type }) => type === "finish");
  return ended.some((one) => later.rows.some((other) => isSameRow(one, other)));
}

function isSameRow(one: RowChange, other: RowChange): boolean {
  return one.nodeId === other.nodeId && one.visit === other.visit && one.item === other.item;
}

/** Two steps as one: what the first one changed, and what both left. */
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
