import type { Socket } from "node:net";
import pg from "pg";
import { answerOf, type Statement } from "./described-query.ts";
import { type RlsContext, RlsQuery } from "./rls-query.ts";

/**
 * A client that sends all statements of one turn of the event loop in one write. A pipelined client writes each of them separately, which
 * takes longer than making the statement.
 */
export class GatheringClient extends pg.Client {
  #isGathering = false;

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of node-postgres; whatever came is handed on
  override query(statement: any, ...rest: any[]): any {
    this.#gather();
    return super.query(statement, ...rest);
  }

  /** One statement under row-level security, as a transaction of its own. */
  queryWithin(context: RlsContext, statement: Statement, values: unknown[]): Promise<pg.QueryResult> {
    return this.sendWithin(context, { ...statement, values });
  }

  /** @param prepared the name under which this connection has prepared RLS_STATEMENT; absent when it has not */
  protected sendWithin(
    context: RlsContext,
    statement: Statement & { values: unknown[] },
    prepared?: string,
  ): Promise<pg.QueryResult> {
    return answerOf(new RlsQuery(context, statement, prepared), (query) => this.query(query));
  }

  /** Until the code that is running now awaits something. */
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
