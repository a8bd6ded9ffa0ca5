/** How often a statement must occur before it is prepared. */
const WORTH_PREPARING = 5;
/** Each connection keeps the plans of all prepared statements, some ten KiB each. */
const MAX_PREPARED = 100;
/** Texts that are counted at a time: lists with many filters have very many. */
const MAX_COUNTED = 1_000;

/** Finds statements that occur often, and gives each a name. */
export class FrequentStatements {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #worthPreparing: number;
  readonly #maxPrepared: number;

  /** @param options `worthPreparing`: from which occurrence on; `maxPrepared`: so many statements and no more */
  constructor({ worthPreparing = WORTH_PREPARING, maxPrepared = MAX_PREPARED } = {}) {
    this.#worthPreparing = worthPreparing;
    this.#maxPrepared = maxPrepared;
  }

  /** The name under which to prepare it; undefined when it is not frequent yet or there are too many. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= this.#maxPrepared) return name;
    const count = (this.#counts.get(text) ?? 0) + 1;
    if (count >= this.#worthPreparing) {
      this.#counts.delete(text);
      const given = `frequent-${this.#names.size + 1}`;
      this.#names.set(text, given);
      return given;
    }
    if (this.#counts.size >= MAX_COUNTED) this.#counts.clear();
    this.#counts.set(text, count);
    return undefined;
  }
}
