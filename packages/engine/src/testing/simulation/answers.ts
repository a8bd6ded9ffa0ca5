import { isTerminal } from "@oven/contract/run";
import type { Unit } from "../../index.ts";
import type { MemoryStore, StoredReview } from "../memory-store.ts";
import type { SimulatedClock } from "../simulated-clock.ts";
import { nodeRun } from "./call-ledger.ts";
import type { Fault, Shape } from "./shape.ts";

const MAX_EVENTS = 25;
const ACTIONS = ["approve", "edit", "reject"] as const;

/** The people and systems around a run. What they do when it is at rest depends on its state alone. */
export class Answers {
  readonly #store: MemoryStore;
  readonly #clock: SimulatedClock;
  readonly #shapes: ReadonlyMap<string, Shape>;
  #sent = 0;
  readonly #sentTo = new Map<number, number>();
  /** How often a person had an at-most-once call made again. */
  readonly reruns = new Map<string, number>();

  constructor(store: MemoryStore, clock: SimulatedClock, shapes: ReadonlyMap<string, Shape>) {
    this.#store = store;
    this.#clock = clock;
    this.#shapes = shapes;
  }

  /** Answers what waits for a person or an event; false when time must pass first, or nothing is asked. */
  async give(runId: number): Promise<boolean> {
    const { state } = this.#store.run(runId);
    if (!state || state.units.some(({ status }) => status === "backoff")) return false;
    const review = this.#openReviews(runId)[0];
    if (review) {
      await this.#decide(review);
      return true;
    }
    if ((this.#sentTo.get(runId) ?? 0) >= MAX_EVENTS) return false;
    const listening = state.units
      .filter((unit) => unit.status === "waiting" && unit.wait?.for === "event" && !this.#isDeaf(unit))
      .sort((one, other) => one.nodeId.localeCompare(other.nodeId))[0];
    if (listening?.wait?.for === "event") return this.#send(runId, listening.wait.event);
    const idle = (state.idle ?? []).filter(({ for: what }) => what === "event")[0];
    const event = idle?.events[(this.#visitsOf(runId, idle.stateId) - 1) % idle.events.length];
    return event === undefined ? false : this.#send(runId, event);
  }

  /** What happens at any moment in a wild case. */
  async disturb(runId: number, kind: Fault["kind"], amount: number): Promise<boolean> {
    if (isTerminal(this.#store.run(runId).status)) return false;
    if (kind === "cancel") {
      const signal = { type: "cancel" as const, data: { reason: null, by: "the simulation" } };
      // The same message twice is one.
      const first = await this.#store.sendSignal(runId, signal, "cancel");
      const second = await this.#store.sendSignal(runId, signal, "cancel");
      if (second) throw new Error("a signal was accepted twice");
      return first;
    }
    const reviews = this.#openReviews(runId, true);
    const review = reviews[amount % Math.max(1, reviews.length)];
    if (kind !== "event" && review) {
      await this.#decide(review);
      if (kind === "decide twice" && (await this.#submit(review, "reject")))
        throw new Error("a review was decided twice");
      return true;
    }
    const names = [...this.#shapes.keys()].flatMap((id) => [`go_${id}`, `leave_${id}`, `event_${id}`]);
    return this.#send(runId, names[amount % names.length] ?? "nothing");
  }

  #openReviews(runId: number, all = false): StoredReview[] {
    return [...this.#store.reviews.values()]
      .filter((review) => review.executionId === runId && review.status === "open")
      .filter((review) => all || isLost(review) || this.#shapes.get(review.open.nodeId)?.broken !== true)
      .sort((one, other) => key(one).localeCompare(key(other)));
  }

  async #decide(review: StoredReview): Promise<void> {
    if (isLost(review)) {
      const unit = key(review);
      this.reruns.set(unit, (this.reruns.get(unit) ?? 0) + 1);
      await this.#submit(review, "rerun");
      return;
    }
    const size = this.#shapes.get(review.open.nodeId)?.size ?? 0;
    await this.#submit(review, ACTIONS[size % ACTIONS.length] ?? "approve");
  }

  #submit({ id }: StoredReview, action: string): Promise<boolean> {
    const decidedAt = new Date(this.#clock.now()).toISOString();
    return this.#store.decide(id, { action, data: { by: "simulation" }, reason: "because", reviewer: 1, decidedAt });
  }

  async #send(runId: number, event: string): Promise<boolean> {
    this.#sent += 1;
    this.#sentTo.set(runId, (this.#sentTo.get(runId) ?? 0) + 1);
    const data = { event, payload: { n: 1 }, correlation: null };
    return this.#store.sendSignal(runId, { type: "event", data }, `event:${this.#sent}`);
  }

  /** Nobody sends what this node waits for; its deadline or nothing ends the wait. */
  #isDeaf({ nodeId }: Unit): boolean {
    return this.#shapes.get(nodeId)?.broken === true;
  }

  #visitsOf(runId: number, stateId: string): number {
    const { events } = this.#store.run(runId);
    return Math.max(1, events.filter(({ fields }) => fields.nodeId === stateId).length);
  }
}

function isLost({ open }: StoredReview): boolean {
  return open.request.actions.includes("rerun");
}

function key({ executionId, open }: StoredReview): string {
  return `${executionId} ${nodeRun(open)}`;
}
