import { type PGlite, protocol } from "@electric-sql/pglite";
import { BatchReply, type PreparedCall, toParameter } from "./prepared-batch.ts";

/**
 * The same on the embedded database: the messages go to it in one buffer, which skips the parsing and describing that each of
 * its own queries pays for.
 */
export class PgliteBatch {
  readonly #pglite: PGlite;
  readonly #onWrite: () => void;
  readonly #prepared = new Set<string>();

  /** @param onWrite called after each batch that may have changed rows */
  constructor(pglite: PGlite, onWrite: () => void = () => {}) {
    this.#pglite = pglite;
    this.#onWrite = onWrite;
  }

  run(calls: readonly PreparedCall[]): Promise<boolean[]> {
    // Both locks, as its own queries take them: no other query and no open transaction may come between.
    return this.#pglite._runExclusiveTransaction(() => this.#pglite._runExclusiveQuery(() => this.#send(calls)));
  }

  async #send(calls: readonly PreparedCall[]): Promise<boolean[]> {
    const { serialize } = protocol;
    const toParse: string[] = [];
    const messages: Uint8Array[] = [];
    for (const { name, sql, params } of calls) {
      if (!this.#prepared.has(name) && !toParse.includes(name)) {
        messages.push(serialize.parse({ name, text: sql }));
        toParse.push(name);
      }
      messages.push(serialize.bind({ statement: name, values: params.map(toParameter) }), serialize.execute({}));
    }
    messages.push(serialize.sync());
    const answer = await this.#pglite.execProtocol(Buffer.concat(messages), { throwOnError: false });
    const answered = this.#read(answer.messages, toParse);
    if (calls.length > 0) this.#onWrite();
    return answered;
  }

  #read(messages: readonly { name: string }[], toParse: string[]): boolean[] {
    const reply = new BatchReply();
    for (const message of messages) {
      if (message.name === "parseComplete") this.#prepared.add(toParse.shift() ?? "");
      else if (message.name === "dataRow") reply.onRow();
      else if (message.name === "commandComplete") reply.onComplete();
      else if (message.name === "error") throw reply.failure(message);
    }
    return reply.answered;
  }
}
