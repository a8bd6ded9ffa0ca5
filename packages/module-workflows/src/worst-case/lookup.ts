/**
 * What is computed without waiting, of things that must be read first: what is not known is noted, and asked for again once `load` has
 * read it. A key is a text, or a list of what makes one.
 */
export class Lookup<Key extends string | readonly (string | number | null)[], Value> {
  readonly #read: (key: Key) => Promise<Value>;
  readonly #known = new Map<string, Value>();
  readonly #missing = new Map<string, Key>();

  constructor(read: (key: Key) => Promise<Value>) {
    this.#read = read;
  }

  /** Undefined: not read yet. */
  get(key: Key): Value | undefined {
    const name = JSON.stringify(key);
    if (!this.#known.has(name)) this.#missing.set(name, key);
    return this.#known.get(name);
  }

  /** Reads what was missing; false: nothing was. @throws what reading throws */
  async load(): Promise<boolean> {
    const missing = [...this.#missing];
    this.#missing.clear();
    await Promise.all(missing.map(async ([name, key]) => this.#known.set(name, await this.#read(key))));
    return missing.length > 0;
  }
}
