import {
  type messages,
  PGlite,
  type PGliteOptions,
  parse,
  protocol,
  type QueryOptions,
  type Results,
  type Transaction,
  types,
} from "@electric-sql/pglite";
import { FrequentStatements } from "./frequent-statements.ts";
import { NotedWrites } from "./own-writes.ts";

/** Preparing costs no more than the description that each statement needs, and there is one connection that keeps plans. */
const WORTH_PREPARING = 2;
const MAX_PREPARED = 300;

type Message = messages.BackendMessage;

/** What the database says of a statement when it is parsed. */
interface Description {
  /** The type ids of its parameters. */
  typeIds: readonly number[];
  /** The description of its columns; absent when the statement returns no rows. */
  row: Message | undefined;
}

/**
 * An embedded database that prepares what it is asked again. `query` of PGlite sends six messages one by one and has each statement
 * parsed, described twice and planned, which is nine tenths of what a short one costs; here one of them goes out as one message group.
 */
export class PreparingPglite extends PGlite {
  readonly #frequent = new FrequentStatements({ worthPreparing: WORTH_PREPARING, maxPrepared: MAX_PREPARED });
  /** By the name of the prepared statement. */
  readonly #prepared = new Map<string, Description>();
  /** Of this process, and so all there are. */
  readonly writes = new NotedWrites();

  constructor(options: PGliteOptions) {
    // PGlite's own go through each byte by itself, which for some megabytes takes seconds.
    const bytes = { parsers: { [types.BYTEA]: parseBytes }, serializers: { [types.BYTEA]: serializeBytes } };
    super({ ...bytes, ...options });
  }

  // biome-ignore lint/suspicious/noExplicitAny: as PGlite declares parameters
  override async query<T>(text: string, params: any[] = [], options?: QueryOptions): Promise<Results<T>> {
    if (needsPglite(options)) return this.#noting(text, await super.query(text, params, options));
    await this._checkReady();
    return this._runExclusiveTransaction(async () => {
      const result = await this.#run<T>(text, params, options);
      await this.syncToFs();
      return result;
    });
  }

  override transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return super.transaction((tx) => {
      const plain = tx.query;
      const query: Transaction["query"] = async (text, params = [], options) => {
        if (needsPglite(options)) return this.#noting(text, await plain(text, params, options));
        if (tx.closed) throw new Error("Transaction is closed");
        return this.#run(text, params, options);
      };
      // Its `closed` is a getter, which a copy would lose.
      return work(Object.defineProperty(tx, "query", { value: query }));
    });
  }

  /** Several statements in one text. */
  override async exec(text: string, options?: QueryOptions): Promise<Results[]> {
    const results = await super.exec(text, options);
    for (const result of results) this.#noting(text, result);
    return results;
  }

  #run<T>(text: string, params: readonly unknown[], options: QueryOptions = {}): Promise<Results<T>> {
    return this._runExclusiveQuery(async () => {
      try {
        const name = this.#frequent.nameOf(text) ?? "";
        const known = this.#prepared.get(name);
        const { typeIds, row } = known ?? (await this.#parse(name, text, options));
        const values = params.map((value, at) => this.#toText(value, typeIds[at] ?? 0, options));
        const { serialize } = protocol;
        const answer = await this.#send(
          [serialize.bind({ statement: name, values }), serialize.execute({}), serialize.sync()],
          options,
        );
        const messages = row === undefined ? answer : [row, ...answer];
        const [result] = parse.parseResults(messages, this.#parsers(options), { ...options, parsers: undefined });
        return this.#noting(text, result as Results<T>); // cast: rows are what the caller's statement gives
      } catch (error) {
        // As PGlite tells what failed.
        if (error instanceof protocol.messages.DatabaseError)
          Object.assign(error, { query: text, params, queryOptions: options });
        throw error;
      }
    });
  }

  #noting<R extends Results<unknown>>(text: string, result: R): R {
    if ((result.affectedRows ?? 0) > 0 || (result.rows.length > 0 && WRITES_WITHIN.test(text))) this.writes.note();
    return result;
  }

  async #parse(name: string, text: string, options: QueryOptions): Promise<Description> {
    const { serialize } = protocol;
    const answer = await this.#send(
      [serialize.parse({ name, text }), serialize.describe({ type: "S", name }), serialize.sync()],
      options,
    );
    const description = {
      typeIds: parse.parseDescribeStatementResults(answer),
      row: answer.find((message) => message.name === "rowDescription"),
    };
    if (name !== "") this.#prepared.set(name, description);
    return description;
  }

  #send(parts: Uint8Array[], { onNotice }: QueryOptions): Promise<Message[]> {
    return this.execProtocolStream(Buffer.concat(parts), {
      syncToFs: false,
      ...(onNotice === undefined ? {} : { onNotice }),
    });
  }

  /** PGlite copies its parsers, some for each type of the database, when it is to put a caller's before them. */
  #parsers({ parsers: own }: QueryOptions): typeof this.parsers {
    return own === undefined ? this.parsers : Object.assign(Object.create(this.parsers), own);
  }

  #toText(value: unknown, typeId: number, options: QueryOptions): string | null {
    if (value === null || value === undefined) return null;
    const serialize = options.serializers?.[typeId] ?? this.serializers[typeId];
    return serialize === undefined ? String(value) : serialize(value);
  }
}

/** What is about one statement only. */
const needsPglite = (options?: QueryOptions): boolean =>
  options?.blob !== undefined || options?.paramTypes !== undefined;

/** A select around a statement that writes: the database counts the rows of the select only. */
const WRITES_WITHIN = /^\s*with\b.*\b(?:insert|update|delete|merge)\b/is;

const parseBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.slice(2), "hex"));

function serializeBytes(value: unknown): string {
  if (!(value instanceof Uint8Array)) throw new Error("Invalid input for bytea type");
  return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`;
}
