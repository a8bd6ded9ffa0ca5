import type { ExecutionSummary } from "@oven/contract";

/** One onlooker of a run. A notice that comes between two waits is not missed. */
export interface RunSubscription {
  /** Whether the run came to rest before, as far as that is remembered. */
  readonly hasRested: boolean;
  /** Resolves at the next notice, after `milliseconds`, or when `signal` fires. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** What a commit may have made of a run: it goes on, or it may have come to rest. */
export type RunNews = "goes on" | "may rest";

const REMEMBERED = 1_000;

/** Tells those who look at a run that something of it was committed. A view only: nothing is lost when nobody looks. */
export class RunWatch {
  readonly #watchers = new Map<number, Set<(news: RunNews) => void>>();
  readonly #onWaiting: (executionId: number) => void;
  /** The runs that came to rest last, ended ones as they are: whoever began to look after that must not wait for it. */
  readonly #rested = new Map<number, ExecutionSummary | undefined>();

  /** @param onWaiting is told, at each wait, that somebody here looks at the run: it may be worked on elsewhere */
  constructor(onWaiting: (executionId: number) => void = () => {}) {
    this.#onWaiting = onWaiting;
  }

  /** @param ended the run, if it is known as it will stay */
  notify(executionId: number, news: RunNews = "may rest", ended?: ExecutionSummary): void {
    if (news === "may rest") this.#remember(executionId, ended);
    for (const tell of this.#watchers.get(executionId) ?? []) tell(news);
  }

  /** A run that ended a moment ago, as it was written; undefined: it has not, or that is not remembered. */
  ended(executionId: number): ExecutionSummary | undefined {
    return this.#rested.get(executionId);
  }

  /** @param only "may rest": whoever waits for the end alone is not woken by each step */
  subscribe(executionId: number, only?: "may rest"): RunSubscription {
    let noticed = false;
    let wake: (() => void) | undefined;
    const onNotice = (news: RunNews) => {
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
