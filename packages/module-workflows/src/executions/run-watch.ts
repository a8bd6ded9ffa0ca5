import type { ExecutionSummary } from "@oven/contract/run";

/** One subscription to a run. A notice between two waits is not missed. */
export interface RunSubscription {
  /** Whether the run has settled before, as far as this process remembers. */
  readonly hasRested: boolean;
  /** Resolves at the next notice, after `milliseconds`, or when `signal` fires. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Whether a commit has only moved the run on, or may have settled it. */
export type RunProgress = "progressed" | "settled";

const REMEMBERED = 1_000;

/** Notifies subscribers of commits of a run. It is for viewing only: nothing is lost without subscribers. */
export class RunWatch {
  readonly #watchers = new Map<number, Set<(news: RunProgress) => void>>();
  readonly #onWaiting: (executionId: number) => void;
  /** The runs that settled last, with the result of ended ones, so that a subscription which begins afterwards does not wait. */
  readonly #rested = new Map<number, ExecutionSummary | undefined>();

  /** @param onWaiting called at each wait with the run that is viewed here, since another process may be working on it */
  constructor(onWaiting: (executionId: number) => void = () => {}) {
    this.#onWaiting = onWaiting;
  }

  /** @param ended the run's final row, where it is known */
  notify(executionId: number, news: RunProgress = "settled", ended?: ExecutionSummary): void {
    if (news === "settled") this.#remember(executionId, ended);
    for (const tell of this.#watchers.get(executionId) ?? []) tell(news);
  }

  /** The final row of a run that ended a moment ago; undefined when it has not ended or is not remembered. */
  ended(executionId: number): ExecutionSummary | undefined {
    return this.#rested.get(executionId);
  }

  /** Whether anything in this process follows the run. */
  isWatched(executionId: number): boolean {
    return this.#watchers.has(executionId);
  }

  /** @param only "settled": wakes the subscriber only when the run may have settled, not at each step */
  subscribe(executionId: number, only?: "settled"): RunSubscription {
    let noticed = false;
    let wake: (() => void) | undefined;
    const onNotice = (news: RunProgress) => {
      if (only !== undefined && news !== only) return;
      noticed = true;
      wake?.();
    };
    const watchers = this.#watchers.get(executionId) ?? new Set();
    this.#watchers.set(executionId, watchers.add(onNotice));
    return {
      hasRested: this.#rested.has(executionId),
      wait: async (milliseconds, signal) => {
        if (!noticed && !signal.aborted) {
          this.#onWaiting(executionId);
          await sleep(milliseconds, signal, (resolve) => (wake = resolve));
        }
        noticed = false;
        wake = undefined;
      },
      close: () => {
        watchers.delete(onNotice);
        if (watchers.size === 0) this.#watchers.delete(executionId);
      },
    };
  }

  #remember(executionId: number, ended: ExecutionSummary | undefined): void {
    this.#rested.set(executionId, ended ?? this.#rested.get(executionId));
    if (this.#rested.size <= REMEMBERED) return;
    const [oldest] = this.#rested.keys();
    if (oldest !== undefined) this.#rested.delete(oldest);
  }
}

function sleep(milliseconds: number, signal: AbortSignal, expose: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener("abort", finish, { once: true });
    expose(finish);
  });
}
