import { DescribedQuery, type Statement, type WireConnection } from "./described-query.ts";

/** Whose rows a statement may see: row-level security asks for both. */
export interface Wall {
  role: string;
  tenantId: number;
}

/** What takes on role and tenant, until the transaction ends. */
export const WALL_STATEMENT = "select set_config('role', $1, true), set_config('oven.tenant', $2, true)";

/**
 * One statement behind the wall between tenants: role, tenant and statement go out before one Sync, which makes them one
 * transaction; with its end the connection is outside again.
 */
export class WalledQuery extends DescribedQuery {
  readonly #wall: Wall;
  readonly #prepared: string | undefined;
  #isBehindWall = false;

  /** @param prepared the name under which the connection has prepared WALL_STATEMENT; absent: it has not */
  constructor(wall: Wall, statement: Statement & { values: unknown[] }, prepared?: string) {
    super(statement);
    this.#wall = wall;
    this.#prepared = prepared;
  }

  override prepare(connection: WireConnection): void {
    const { role, tenantId } = this.#wall;
    if (this.#prepared === undefined) connection.parse({ name: "", text: WALL_STATEMENT });
    connection.bind({ portal: "", statement: this.#prepared ?? "", values: [role, String(tenantId)] });
    connection.execute({ portal: "", rows: 0 });
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isBehindWall) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (this.#isBehindWall) super.handleCommandComplete(message, connection);
    this.#isBehindWall = true;
  }
}
