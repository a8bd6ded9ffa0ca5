import type { Socket } from "node:net";
import pg from "pg";
import { answerOf, type Statement } from "./described-query.ts";
import { type Wall, WalledQuery } from "./walled-query.ts";

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
  protected sendWithin(
    wall: Wall,
    statement: Statement & { values: unknown[] },
    prepared?: string,
  ): Promise<pg.QueryResult> {
    return answerOf(new WalledQuery(wall, statement, prepared), (query) => this.query(query));
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
