import { isOvenError, type Json, type JsonObject, OvenError } from "@oven/contract";
import { setOwn } from "@oven/engine";
import { CutOff, openSqlConnection, type SqlConnection } from "./sql-connection.ts";
import { checkRights } from "./sql-rights.ts";
import { toSqlJson, toSqlParameter } from "./sql-value.ts";

export interface SqlRequest {
  tenantId: number;
  /** One statement that reads: `select`, `with … select`, `values` or `table`. */
  query: string;
  /** Bound to `$1`, `$2`, … */
  params: readonly Json[];
  maxRows: number;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface SqlAnswer {
  rows: JsonObject[];
  /** There were more rows than asked for. */
  truncated: boolean;
}

/** Reads from the database that the operator opened to a tenant's workflows. */
export interface SqlService {
  /**
   * @throws OvenError SQL_NOT_CONFIGURED, SQL_ROLE_TOO_STRONG, SQL_REFUSED, SQL_TIMEOUT, SQL_TOO_LARGE, SQL_UNREACHABLE
   */
  query(request: SqlRequest): Promise<SqlAnswer>;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    sql: SqlService;
  }
}

const MAX_BYTES = 2 * 1_048_576;
/** How much longer than its time-out a statement may take to be cut off. */
const GRACE_MS = 2_000;

/**
 * Every statement has a session and a read-only transaction of its own, which is rolled back: nothing that it sets, locks or
 * announces outlives it. It is fetched through a cursor, which takes nothing but statements that read.
 */
export function createSqlService(urls: ReadonlyMap<number, string>): SqlService {
  return {
    async query(request) {
      const url = urls.get(request.tenantId);
      if (url === undefined) throw notConfigured(request.tenantId);
      const { timeoutMs, signal } = request;
      let connection: SqlConnection | undefined;
      try {
        connection = await openSqlConnection({ url, maxBytes: MAX_BYTES, deadlineMs: timeoutMs + GRACE_MS, signal });
        return await fetchRows(connection, request);
      } catch (error) {
        throw isOvenError(error) ? error : toSqlError(error, request);
      } finally {
        await connection?.close();
      }
    },
  };
}

async function fetchRows(connection: SqlConnection, request: SqlRequest): Promise<SqlAnswer> {
  const { query, params, maxRows, timeoutMs } = request;
  await connection.run("begin transaction read only");
  await checkRights(connection);
  await connection.run(
    `select set_config('statement_timeout', $1, true), set_config('lock_timeout', '1s', true),
       set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true),
       set_config('intervalstyle', 'iso_8601', true), set_config('bytea_output', 'hex', true),
       set_config('extra_float_digits', '1', true),
       set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true)`,
    [`${timeoutMs}ms`],
  );
  await connection.run(`declare answer no scroll cursor for ${query}`, params.map(toSqlParameter));
  // All of it in one statement: the time-out of a later one could have been changed by what this one calls.
  const { names, types, rows } = await connection.run(`fetch forward ${maxRows + 1} from answer`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw sameName(twice);
  return {
    rows: rows.slice(0, maxRows).map((values) => {
      const row: JsonObject = {};
      for (const [index, name] of names.entries())
        setOwn(row, name, toSqlJson(values[index] ?? null, types[index] ?? 0));
      return row;
    }),
    truncated: rows.length > maxRows,
  };
}

/** A row is an object: one of two columns with the same name would be lost. */
function sameName(column: string): OvenError {
  return new OvenError("SQL_REFUSED", `Two columns of the answer are called ${column}`, {
    path: "$.query",
    fix: `Give one another name, such as \`o.${column} as order_${column}\`, instead of \`o.*, c.*\`.`,
  });
}

function notConfigured(tenantId: number): OvenError {
  const variable = tenantId === 1 ? "OVEN_SQL_URL" : `OVEN_SQL_URL_${tenantId}`;
  return new OvenError("SQL_NOT_CONFIGURED", "No database is open to the workflows of this tenant", {
    status: 503,
    fix: `Ask the operator to set ${variable} to a login that may only read; docs/guides/query-a-database.md has the commands.`,
  });
}

const QUERY_CANCELED = "57014";
const LOCK_NOT_AVAILABLE = "55P03";

function toSqlError(cause: unknown, { timeoutMs }: SqlRequest): OvenError {
  if (cause instanceof CutOff && cause.reason === "bytes") {
    return new OvenError("SQL_TOO_LARGE", `The answer is over ${MAX_BYTES / 1_048_576} MiB`, {
      fix: "Ask for fewer rows or columns.",
      cause,
    });
  }
  const code = codeOf(cause);
  if (cause instanceof CutOff || code === QUERY_CANCELED || code === LOCK_NOT_AVAILABLE) {
    return new OvenError("SQL_TIMEOUT", `The statement took longer than ${timeoutMs} ms`, {
      status: 504,
      fix: "Make it cheaper, or give it more time with timeoutMs.",
      cause,
      retryable: true,
    });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  // Five characters: the server has spoken. Classes 08, 53, 57 and 58 are about the server, all others about the statement.
  if (/^[0-9A-Z]{5}$/.test(code) && !/^(?:08|28|3D|53|57|58)/.test(code)) {
    return new OvenError("SQL_REFUSED", `The database refuses the statement: ${reason}`, {
      path: "$.query",
      fix: "One statement that reads is taken (select, with, values, table), with its values as params.",
      details: { sqlState: code },
      cause,
    });
  }
  return new OvenError("SQL_UNREACHABLE", `The database of core.sql cannot be used: ${reason}`, {
    status: 503,
    fix: "Check OVEN_SQL_URL and that the server is running.",
    cause,
    retryable: true,
  });
}

function codeOf(cause: unknown): string {
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
}
