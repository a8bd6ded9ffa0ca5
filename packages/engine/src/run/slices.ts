/** How long one computation holds the process before anything else has its turn. */
const SLICE_MS = 4;

/** Gives one computation a turn in each round of the event loop, however many there are: between two slices requests are served. */
class Turns {
  readonly #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#give());
    });
  }

  #give(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(() => this.#give());
  }
}

/** One for the process: what is to be shared is its event loop. */
const turns = new Turns();

/** Resolves when it is the caller's turn: before the next part of something that is done in parts. */
export function nextTurn(): Promise<void> {
  return turns.next();
}

/**
 * Goes through what may take seconds without holding the process: in slices of a few milliseconds.
 * @param each answers false to stop
 */
export async function inSlices<Step>(steps: Iterable<Step>, each: (step: Step) => boolean | undefined): Promise<void> {
  await turns.next();
  let until = performance.now() + SLICE_MS;
  for (const step of steps) {
    if (each(step) === false) return;
    if (performance.now() < until) continue;
    await turns.next();
    until = performance.now() + SLICE_MS;
  }
}
