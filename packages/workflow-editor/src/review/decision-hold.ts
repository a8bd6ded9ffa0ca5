import type { Review } from "@oven/contract/review";
import type { DecisionDraft } from "./decide.ts";

/** Milliseconds in which a decision can be taken back: nothing has been sent, so nothing has started. */
export const GRACE_MS = 5_000;

export interface HeldDecision {
  /** The one that was looked at, then those decided with it. */
  reviews: readonly [Review, ...Review[]];
  draft: DecisionDraft;
  /** When it is sent. */
  until: number;
}

/** A decision that was not taken. */
export interface Refusal {
  review: Review;
  draft: DecisionDraft;
  error: unknown;
  /** Another person has decided this review before; its page says so. */
  late: boolean;
}

export interface HoldState {
  held: HeldDecision | null;
  refused: readonly Refusal[];
  /** Counts what was sent and answered: the lists are old then. */
  sent: number;
}

/** `leaving`: the page goes away, the request must outlive it. Answers what was refused, and never throws. */
export type SendDecision = (decision: HeldDecision, leaving: boolean) => Promise<Refusal[]>;

/** Keeps one decision back for a moment; the next one, or leaving the page, sends it at once. */
export class DecisionHold {
  readonly #send: SendDecision;
  readonly #listeners = new Set<() => void>();
  readonly #taken = new Set<string>();
  #undone: HeldDecision | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: HoldState = { held: null, refused: [], sent: 0 };

  constructor(send: SendDecision) {
    this.#send = send;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): HoldState => this.#state;

  hold(reviews: HeldDecision["reviews"], draft: DecisionDraft): void {
    this.flush();
    this.#undone = null;
    for (const review of reviews) this.#taken.add(keyOf(review));
    this.#timer = setTimeout(() => this.flush(), GRACE_MS);
    this.#set({ held: { reviews, draft, until: Date.now() + GRACE_MS } });
  }

  /** Takes the held decision back; what was typed is there again with `undone`. */
  undo(): Review | null {
    const { held } = this.#state;
    if (held === null) return null;
    clearTimeout(this.#timer);
    this.#undone = held;
    this.#release(held.reviews);
    this.#set({ held: null });
    return held.reviews[0];
  }

  /** What was typed for the decision about this review that was refused, or taken back last, until another is made. */
  undone(review: Review): DecisionDraft | null {
    const refused = this.#state.refused.findLast((one) => keyOf(one.review) === keyOf(review));
    if (refused !== undefined) return refused.draft;
    return this.#undone !== null && keyOf(this.#undone.reviews[0]) === keyOf(review) ? this.#undone.draft : null;
  }

  flush(leaving = false): void {
    const { held } = this.#state;
    if (held === null) return;
    clearTimeout(this.#timer);
    this.#set({ held: null });
    void this.#send(held, leaving).then((refused) => {
      this.#release(refused.map(({ review }) => review));
      const told = refused.filter(({ late }) => !late);
      this.#set({ refused: [...this.#state.refused, ...told], sent: this.#state.sent + 1 });
    });
  }

  /** Whether it was decided here, as it stands: an edit by somebody else is another proposal. */
  isTaken(review: Review): boolean {
    return this.#taken.has(keyOf(review));
  }

  forgetRefusals(): void {
    this.#set({ refused: [] });
  }

  #release(reviews: readonly Review[]): void {
    for (const review of reviews) this.#taken.delete(keyOf(review));
  }

  #set(change: Partial<HoldState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function keyOf({ id, digest }: Review): string {
  return `${id}:${digest}`;
}
