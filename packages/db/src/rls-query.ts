import { DescribedQuery, type Statement, type WireConnection } from "./described-query.ts";

/** Whose rows a statement may see: row-level security asks for both. */
export interface RlsContext {
  role: string;
  tenantId: number;
}

/** What takes on role and tenant, until the transaction ends. */
export const RLS_STATEMENT = "select set_config('role', $1, true), set_config('oven.tenant', $2, true)";

/**
 * One statement under row-level security: role, tenant and statement go out before one Sync, which makes them one
 * transaction; with its end the connection is outside again.
 */
export class RlsQuery extends DescribedQuery {
  readonly #context: RlsContext;
  readonly #prepared: string | undefined;
  #isInContext = false;

  /** @param prepared the name under which the connection has prepared RLS_STATEMENT; absent: it has not */
  constructor(context: RlsContext, statement: Statement & { values: unknown[] }, prepared?: string) {
    super(statement);
    this.#context = context;
    this.#prepared = prepared;
  }

  override prepare(connection: WireConnection): void {
    const { role, tenantId } = this.#context;
    if (this.#prepared === undefined) connection.parse({ name: "", text: RLS_STATEMENT });
    connection.bind({ portal: "", statement: this.#prepared ?? "", values: [role, String(tenantId)] });
    connection.execute({ portal: "", rows: 0 });
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isInContext) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (this.#isInContext) super.handleCommandComplete(message, connection);
    this.#isInContext = true;
  }
}
