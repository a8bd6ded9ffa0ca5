import type { NotificationKind } from "@oven/contract/system";
import type { NotifyTarget, RunNotify, WorkflowNotifyRows } from "./workflow-notify-rows.ts";

/** How long another process's change may stay unseen. */
const FRESH_MS = 5_000;
const CACHE_SIZE = 10_000;

/** How a run ended. */
export interface RunEnd {
  kind: Extract<NotificationKind, "run.completed" | "run.failed">;
  outcome: unknown;
}

/** What is known of who is told of the ends of runs: of most of them nobody, which is not read anew for each. */
export class KnownEnds {
  readonly #rows: WorkflowNotifyRows;
  readonly #now: () => number;
  readonly #known = new Map<string, { said: RunNotify; until: number }>();
  #generation = 0;
  /** Until then what is read may be from before a change that was not committed when it was made known here. */
  #unsettledUntil = Number.NEGATIVE_INFINITY;

  constructor(rows: WorkflowNotifyRows, now: () => number) {
    this.#rows = rows;
    this.#now = now;
  }

  /** As it is now; remembered where it may spare somebody an event. */
  async read(run: NotifyTarget, tenantId: number): Promise<RunNotify> {
    const [began, at] = [this.#generation, this.#now()];
    const said = await this.#rows.ofRun(run, tenantId);
    // What was read while something changed is used once.
    if (began === this.#generation && at >= this.#unsettledUntil && mayTellNobody(said)) {
      if (this.#known.size >= CACHE_SIZE) this.#known.clear();
      this.#known.set(keyOf(run, tenantId), { said, until: at + FRESH_MS });
    }
    return said;
  }

  /** False: nobody, for sure. */
  mayTell(run: NotifyTarget, tenantId: number, end: RunEnd): boolean {
    const key = keyOf(run, tenantId);
    const known = this.#known.get(key);
    if (known !== undefined && this.#now() < known.until)
      return hasRule(known.said, end) || notifiesStarter(known.said, end);
    this.#known.delete(key);
    return true;
  }

  /** Drops what is remembered, after a change. @param isJoint it is part of a transaction that goes on */
  forget(isJoint: boolean): void {
    this.#generation++;
    this.#known.clear();
    if (isJoint) this.#unsettledUntil = this.#now() + FRESH_MS;
  }
}

/** Whether rules of the tenant are about such ends. */
export function hasRule({ ruled }: RunNotify, { kind }: RunEnd): boolean {
  return ruled.includes(kind);
}

/** Whether the workflow says so. */
export function notifiesStarter({ onComplete, onFailure }: RunNotify, { kind, outcome }: RunEnd): boolean {
  // A run of which only a part succeeded has ended by itself, and is a failure to whoever waits for it.
  const isGood = kind === "run.completed" && outcome !== "partial_success";
  return isGood ? onComplete : onFailure;
}

function mayTellNobody(said: RunNotify): boolean {
  const ends: RunEnd[] = [
    { kind: "run.completed", outcome: "success" },
    { kind: "run.failed", outcome: null },
  ];
  return ends.some((end) => !hasRule(said, end) && !notifiesStarter(said, end));
}

function keyOf({ kind, workflowId }: NotifyTarget, tenantId: number): string {
  return `${tenantId}:${kind}:${workflowId}`;
}
