import type { JsonObject } from "@oven/contract";
import { hashJson } from "@oven/engine";

/** What a server of the older era asked in the middle of a call. */
export interface LegacyQuestion {
  /** The same question of the same call has the same key when the call is made anew. */
  key: string;
  params: JsonObject;
}

/**
 * A server of the older era asks while its call is open, and a person may need days. So the call is given up, and made anew with
 * the answers so far: each question is known by what it asks, and by how many like it came before.
 */
export class LegacyQuestions {
  readonly #answers: Readonly<Record<string, JsonObject>>;
  readonly #seen = new Map<string, number>();
  open: LegacyQuestion | undefined;

  constructor(answers: Readonly<Record<string, JsonObject>>) {
    this.#answers = answers;
  }

  /** The answer, if there is one already. */
  ask(params: JsonObject): JsonObject | undefined {
    const { message = null, requestedSchema = null, mode = null, url = null } = params;
    const hash = hashJson({ message, requestedSchema, mode, url });
    const count = this.#seen.get(hash) ?? 0;
    this.#seen.set(hash, count + 1);
    const key = `${hash}#${count}`;
    const answer = this.#answers[key];
    if (answer === undefined) this.open ??= { key, params };
    return answer;
  }
}
