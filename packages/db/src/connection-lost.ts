import { isOvenError, OvenError } from "@oven/contract";

/** Error codes of the operating system for connections that cannot be made or were lost. */
const SYSTEM = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** Connection exceptions, too many connections, shut down by the operator or by a crash, still starting. */
const SQLSTATE = /^(08...|53300|57P0[1-3])$/;
/** Messages of the drivers that come without a code. */
const DRIVER =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|WebSocket was closed)/;

const RETRY_AFTER_MS = 2_000;

/** Whether the connection to the database failed, as opposed to what was sent over it. Looks through causes. */
export function isConnectionLost(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    if (isOvenError(current)) return current.code === "DATABASE_UNAVAILABLE";
    const code = "code" in current ? String(current.code) : "";
    if (SYSTEM.has(code) || SQLSTATE.test(code) || DRIVER.test(current.message)) return true;
  }
  return false;
}

/** The error that callers get while there is no database. Connections are opened again automatically. */
export function databaseUnavailable(cause: unknown): OvenError {
  return new OvenError("DATABASE_UNAVAILABLE", "The database does not answer", {
    status: 503,
    fix: "Try again in a moment; if it stays, check the database server.",
    retryable: true,
    retryAfterMs: RETRY_AFTER_MS,
    cause,
  });
}

/** Runs work that uses the database. @throws OvenError DATABASE_UNAVAILABLE, or what `work` throws */
export async function overConnection<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw !isOvenError(error) && isConnectionLost(error) ? databaseUnavailable(error) : error;
  }
}
