import type { Socket } from "node:net";
import pg from "pg";

/**
 * A client that writes what is asked in one go as one: a pipelined client else writes each statement by itself, and a write takes
 * longer than making a statement.
 */
export class GatheringClient extends pg.Client {
  #isGathering = false;

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of node-postgres; whatever came is handed on
  override query(statement: any, ...rest: any[]): any {
    this.#gather();
    return super.query(statement, ...rest);
  }

  /** Until whoever asks now has to wait for something. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection; // cast: it has one, its types do not say so
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }
}
