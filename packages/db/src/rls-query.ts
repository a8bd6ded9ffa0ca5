import pg from "pg";
import type { RlsContext } from "./row-level-security.ts";

/** Messages of PostgreSQL's extended protocol; node-postgres has them, its types do not. */
interface Connection {
  stream: { cork?(): void; uncork?(): void };
  parse(statement: { name: string; text: string }): void;
  bind(portal: { portal: string; statement: string; values: string[] }): void;
  execute(portal: { portal: string; rows: number }): void;
}
/** The methods that a client calls with the server's answers to a query. */
interface AnsweredQuery {
  name: string | undefined;
  text: string;
  submit(connection: Connection): Error | null;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
interface QueryConfig extends pg.QueryConfig {
  queryMode: string;
  callback: (error: Error | null, result: pg.QueryResult) => void;
}
const Query = pg.Query as unknown as new (config: QueryConfig) => AnsweredQuery; // cast: as above

/** Sets role and tenant until the transaction ends. */
const CONTEXT_STATEMENT = "select set_config('role', $1, true), set_config('oven.tenant', $2, true)";
const CONTEXT_NAME = "oven_context";

/** Connections that have prepared CONTEXT_STATEMENT. */
const prepared = new WeakSet<Connection>();

/**
 * One statement under row-level security. Context and statement are sent before one Sync, which makes them one transaction and one round
 * trip; begin and commit around it halve the number of small reads a second (docs/decisions/0049).
 */
export class RlsQuery extends Query {
  /** Whether the connection keeps its session, so that the context's statement is prepared once. */
  keepsSession = false;
  readonly #context: RlsContext;
  #isContextSet = false;

  constructor(context: RlsContext, statement: pg.QueryConfig, callback: QueryConfig["callback"]) {
    super({ ...statement, queryMode: "extended", callback });
    this.#context = context;
  }

  override submit(connection: Connection): Error | null {
    const { role, tenantId } = this.#context;
    const name = this.keepsSession ? CONTEXT_NAME : "";
    connection.stream.cork?.();
    try {
      if (!this.keepsSession || !prepared.has(connection)) connection.parse({ name, text: CONTEXT_STATEMENT });
      if (this.keepsSession) prepared.add(connection);
      connection.bind({ portal: "", statement: name, values: [role, String(tenantId)] });
      connection.execute({ portal: "", rows: 0 });
      return super.submit(connection);
    } finally {
      connection.stream.uncork?.();
    }
  }

  override handleDataRow(message: unknown): void {
    if (this.#isContextSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#isContextSet) super.handleCommandComplete(message, connection);
    this.#isContextSet = true;
  }
}
