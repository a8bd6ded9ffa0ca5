/** How often a statement is seen before it is worth a plan that the server keeps. */
const WORTH_PREPARING = 5;
/** Statements that are prepared: each connection keeps the plans of all of them, some ten KiB each. */
const MAX_PREPARED = 100;
/** Texts that are counted at a time; lists with many filters have more than anybody wants to know. */
const MAX_COUNTED = 1_000;

/** Finds the statements that are asked again and again, and gives each a name. */
export class FrequentStatements {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** The name under which to prepare it; undefined: not often enough yet, or one too many. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= MAX_PREPARED) return name;
    const count = (this.#counts.get(text) ?? 0) + 1;
    if (count >= WORTH_PREPARING) {
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
