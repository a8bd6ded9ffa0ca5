const RESERVED = new Set([
  ...["trigger", "item", "index", "parent", "execution", "context", "messages", "toolCalls", "toolResults"],
  ...["event", "output", "config", "ctx", "systemPrompt", "loop"],
  ...Object.getOwnPropertyNames(Object.prototype),
]);

/** Ids of states: made of names, unique in the whole definition. */
export class StateNames {
  readonly #taken = new Set<string>();

  take(name: string): string {
    const words = name
      .normalize("NFKD")
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "_")
      .replaceAll(/^_+|_+$/g, "")
      .slice(0, 40);
    const base = /^[a-z]/.test(words) ? words : words === "" ? "step" : `step_${words}`;
    const wanted = RESERVED.has(base) || base.endsWith("_output") || base.endsWith("_error") ? `${base}_step` : base;
    for (let number = 1, id = wanted; ; number += 1, id = `${wanted}_${number}`) {
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      return id;
    }
  }
}
