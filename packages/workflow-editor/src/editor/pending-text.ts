import type { JsonObject } from "@oven/contract";

/** Text on its way into the document. */
export interface TypedChange {
  /** The field; also the gesture of the history, so that a visit to a field is one step of undo. */
  key: string;
  label: string;
  edit: (document: JsonObject) => JsonObject;
}

/** After the last key. */
export const REST_MS = 150;
/** Text that is typed without a pause is taken over after this time. */
export const LONGEST_MS = 2_000;

/**
 * Holds what is being typed into one field: a change of the document draws the whole editor anew, which in a large graph takes longer
 * than the next key.
 */
export class PendingText {
  #change: TypedChange | null = null;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onDue: () => void;

  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  get change(): TypedChange | null {
    return this.#change;
  }

  put(change: TypedChange): void {
    if (this.#change === null) this.#since = Date.now();
    this.#change = change;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onDue, Math.max(0, Math.min(REST_MS, this.#since + LONGEST_MS - Date.now())));
  }

  /** What was held, which is held no longer. */
  take(): TypedChange | null {
    const taken = this.#change;
    this.#change = null;
    clearTimeout(this.#timer);
    return taken;
  }
}
