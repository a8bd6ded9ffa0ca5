import pg from "pg";

/** Whose rows a statement may see: row-level security asks for both. */
export interface Wall {
  role: string;
  tenantId: number;
}

/** A statement as node-postgres and the query builder on it give it. */
export interface Statement {
  text: string;
  name?: string | undefined;
  values?: unknown[];
}

/** What takes on role and tenant, until the transaction ends. */
export const WALL_STATEMENT = "select set_config('role', $1, true), set_config('oven.tenant', $2, true)";

/** node-postgres' own, which its types leave out. */
interface WireConnection {
  parse(statement: { name: string; text: string }): void;
  bind(portal: { portal: string; statement: string; values: string[] }): void;
  execute(portal: { portal: string; rows: number }): void;
}
interface WireQuery {
  callback: ((error: Error | null, result: pg.QueryResult) => void) | undefined;
  prepare(connection: WireConnection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: WireConnection): void;
}
const Query = pg.Query as unknown as new (config: Statement & { queryMode: string }) => WireQuery; // cast: as above

/**
 * One statement behind the wall between tenants: role, tenant and statement go out before one Sync, which makes them one
 * transaction; with its end the connection is outside again.
 */
export class WalledQuery extends Query {
  readonly #wall: Wall;
  readonly #prepared: string | undefined;
  #isBehindWall = false;

  /** @param prepared the name under which the connection has prepared WALL_STATEMENT; absent: it has not */
  constructor(wall: Wall, statement: Statement & { values: unknown[] }, prepared?: string) {
    // Only so are they messages of which several go before one Sync.
    super({ ...statement, queryMode: "extended" });
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
