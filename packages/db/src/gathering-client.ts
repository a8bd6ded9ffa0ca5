import type { Socket } from "node:net";
import pg from "pg";
import { type Statement, type Wall, WalledQuery } from "./walled-query.ts";

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

  /** One statement behind the wall between tenants, as a transaction of its own. */
  queryWithin(wall: Wall, statement: Statement, values: unknown[]): Promise<pg.QueryResult> {
    return this.sendWithin(wall, { ...statement, values });
  }

  /** @param prepared under which name this connection knows the wall's own statement, if it does */
  protected async sendWithin(
    wall: Wall,
    statement: Statement & { values: unknown[] },
    prepared?: string,
  ): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    const query = new WalledQuery(wall, statement, prepared);
    query.callback = (error, result) => (error === null ? resolve(result) : reject(error));
    this.query(query);
    try {
      return await promise;
    } catch (error) {
      // Its own trace leads to the socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
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
