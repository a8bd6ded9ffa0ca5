import { isTerminal } from "@oven/contract/run";
import type { ExecutionStore, RunCommit, RunRecord } from "@oven/engine";

/** Hears what this process does to runs. Must not throw, and must be quick: it is on the way of every commit. */
export interface RunObserver {
  onClaimed?(run: RunRecord): void;
  /** After a commit that took effect, with how long it took. */
  onCommitted?(run: RunRecord, commit: RunCommit, durationMs: number): void;
  /** A commit of this process was refused: another one has taken the run over. */
  onFenced?(run: RunRecord): void;
  /** This process no longer works on the run. */
  onReleased?(run: RunRecord): void;
}

/** The store with observers beside it. Without observers it is the store itself. */
export function observeRuns<Store extends ExecutionStore>(store: Store, observers: readonly RunObserver[]): Store {
  if (observers.length === 0) return store;
  const runs = new Map<number, RunRecord>();
  const release = (executionId: number): void => {
    const run = runs.get(executionId);
    if (run === undefined) return;
    runs.delete(executionId);
    for (const observer of observers) observer.onReleased?.(run);
  };
  const observed: Pick<ExecutionStore, "claim" | "commit" | "release"> = {
    claim: async (executionId, worker, leaseMs) => {
      const claimed = await store.claim(executionId, worker, leaseMs);
      if (claimed === undefined) return undefined;
      const { found: _, ...run } = claimed;
      // A lease that was lost without a word of it.
      release(executionId);
      runs.set(executionId, run);
      for (const observer of observers) observer.onClaimed?.(run);
      return claimed;
    },
    commit: async (commit) => {
      const started = performance.now();
      const committed = await store.commit(commit);
      const run = runs.get(commit.executionId);
      if (committed && run !== undefined)
        for (const observer of observers) observer.onCommitted?.(run, commit, performance.now() - started);
      if (!committed && run !== undefined) for (const observer of observers) observer.onFenced?.(run);
      // A lost fence is another worker's run by now, and a run that ended gives its lease up.
      if (!committed || isTerminal(commit.columns.status)) release(commit.executionId);
      return committed;
    },
    release: async (executionId, epoch) => {
      const released = await store.release(executionId, epoch);
      if (released) release(executionId);
      return released;
    },
  };
  const bound = new Map<PropertyKey, unknown>(Object.entries(observed));
  return new Proxy(store, {
    get(target, key) {
      if (bound.has(key)) return bound.get(key);
      const value: unknown = Reflect.get(target, key, target);
      // Private fields are the store's own, not the proxy's.
      if (typeof value === "function") bound.set(key, value.bind(target));
      return bound.get(key) ?? value;
    },
  });
}
