import type { RowChange } from "@oven/engine";

type Start = Extract<RowChange, { type: "start" }>;
type Finish = Extract<RowChange, { type: "finish" }>;

/** What one commit does to one node row: all its changes as one insert or one update. */
export interface RowWrite {
  /** Set: insert; absent: update. */
  start: Start | undefined;
  nodeId: string;
  visit: number;
  item: string | null;
  attempt: number | undefined;
  status: string | undefined;
  /** JSON text; undefined leaves it, null clears it. */
  wait: string | null | undefined;
  error: string | null | undefined;
  errorInfo: string | null | undefined;
  finish: Finish | undefined;
}

/**
 * Merges the changes of a commit row by row: one statement cannot update a row that it inserts itself, nor one row
 * twice.
 */
export function coalesceRows(changes: readonly RowChange[]): RowWrite[] {
  const writes = new Map<string, RowWrite>();
  for (const change of changes) {
    const key = JSON.stringify([change.nodeId, change.visit, change.item]);
    const write = writes.get(key) ?? emptyWrite(change);
    writes.set(key, write);
    apply(write, change);
  }
  return [...writes.values()];
}

function emptyWrite({ nodeId, visit, item }: RowChange): RowWrite {
  return {
    start: undefined,
    nodeId,
    visit,
    item,
    attempt: undefined,
    status: undefined,
    wait: undefined,
    error: undefined,
    errorInfo: undefined,
    finish: undefined,
  };
}

function apply(write: RowWrite, change: RowChange): void {
  switch (change.type) {
    case "start":
      write.start = change;
      write.attempt = change.attempt;
      write.status = "running";
      return;
    case "attempt":
      write.attempt = change.attempt;
      write.status = "running";
      if (change.error !== null) {
        write.error = change.error.message;
        write.errorInfo = JSON.stringify(change.error);
      }
      return;
    case "wait":
      write.status = change.status;
      if (change.wait !== null) write.wait = JSON.stringify(change.wait);
      return;
    case "finish":
      write.finish = change;
      write.attempt = change.attempt;
      write.status = change.status;
      write.wait = null;
      write.error = change.error?.message ?? null;
      write.errorInfo = change.error === null ? null : JSON.stringify(change.error);
      return;
  }
}
