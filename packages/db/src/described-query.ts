import pg from "pg";

/** A statement as node-postgres and the query builder on it give it. */
export interface Statement {
  text: string;
  name?: string | undefined;
  values?: unknown[];
  rowMode?: string;
  /** Parsers of its own; the query builder's are the same for all its statements. */
  types?: pg.CustomTypesConfig;
}

type Callback = (error: Error | null, result: pg.QueryResult) => void;

/** node-postgres' own, which its types leave out. */
export interface WireConnection {
  parse(statement: { name: string; text: string }): void;
  bind(portal: { portal: string; statement: string; values: string[] }): void;
  describe(what: { type: string; name: string }): void;
  execute(portal: { portal: string; rows: number }): void;
}
/** What a result knows of its columns before the first row. */
interface Columns {
  fields: unknown[];
  _parsers: unknown[] | undefined;
  _prebuiltEmptyResultObject: object | null;
}
interface WireQuery {
  callback: Callback | undefined;
  name: string | undefined;
  _result: Columns;
  _accumulateRows: boolean | undefined;
  hasBeenParsed(connection: WireConnection): boolean | undefined | "";
  prepare(connection: WireConnection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: WireConnection): void;
}
const Query = pg.Query as unknown as new (config: Statement & { queryMode: string }) => WireQuery; // cast: as above

/** Per connection, for the server holds a prepared statement to the columns it was described with. */
const described = new WeakMap<WireConnection, Map<string, Columns>>();
let isDescribed = false;

/**
 * A prepared statement that the server describes once per connection instead of each time: with many columns, making and reading
 * the description takes longer than the row.
 */
export class DescribedQuery extends Query {
  readonly #shape: string | undefined;
  #known: Map<string, Columns> | undefined;
  #hasColumns = false;

  constructor(statement: Statement & { values: unknown[] }) {
    // Only so are they messages of which several go before one Sync.
    super({ ...statement, queryMode: "extended" });
    const { name, rowMode = "object", types } = statement;
    this.#shape = name === undefined ? undefined : `${name} ${rowMode} ${types === undefined ? "" : "own"}`;
  }

  override prepare(connection: WireConnection): void {
    const known = knownOf(connection);
    const columns = this.#shape !== undefined && this.hasBeenParsed(connection) ? known.get(this.#shape) : undefined;
    if (columns === undefined) {
      this.#known = known;
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    isDescribed = true;
    try {
      super.prepare(connection);
    } finally {
      isDescribed = false;
    }
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    this.#hasColumns = true;
  }

  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    super.handleCommandComplete(message, connection);
    if (this.#shape === undefined || !this.#hasColumns) return;
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.#known?.set(this.#shape, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

/** Has `client` run it. @throws what the server says, with the trace of whoever asked */
export async function answerOf(query: DescribedQuery, send: (query: DescribedQuery) => void): Promise<pg.QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
  query.callback = (error, result) => (error === null ? resolve(result) : reject(error));
  send(query);
  try {
    return await promise;
  } catch (error) {
    // Its own trace leads to the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

function knownOf(connection: WireConnection): Map<string, Columns> {
  const known = described.get(connection);
  if (known !== undefined) return known;
  const describe = connection.describe.bind(connection);
  connection.describe = (what) => {
    if (!isDescribed) describe(what);
  };
  const first = new Map<string, Columns>();
  described.set(connection, first);
  return first;
}
