/** A layout that takes a while. */
export interface LayoutUnderWay {
  /** What is done, from 0 to 1. */
  share: number;
  /** Gives it up: everything stays where it stands roughly. */
  stop: () => void;
}

/** How far a layout is, apart from the graph: what is drawn of a thousand states is not drawn anew for each of its steps. */
export class LayoutProgress {
  #now: LayoutUnderWay | null = null;
  readonly #listeners = new Set<() => void>();

  readonly get = (): LayoutUnderWay | null => this.#now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(now: LayoutUnderWay | null): void {
    this.#now = now;
    for (const listener of this.#listeners) listener();
  }
}
