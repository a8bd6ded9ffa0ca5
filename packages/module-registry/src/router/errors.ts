import { docsUrl, isOvenError, type Json, OvenError, toJsonPath } from "@oven/contract";
import { databaseUnavailable, isConnectionLost, isStorageFull, storageFull } from "@oven/db";
import { z } from "zod";
import type { ErrorShape } from "../define/define-route.ts";

/** Turns anything thrown into an OvenError; unexpected errors become INTERNAL, with their cause. */
export function toOvenError(error: unknown): OvenError {
  if (isOvenError(error)) return error;
  if (error instanceof z.ZodError) return fromZod(error, "$");
  if (isStorageFull(error)) return storageFull(error);
  const database = databaseError(error);
  if (database !== undefined) return database;
  // A query builder's error has the driver's as its cause.
  if (error instanceof Error && error.message.startsWith("Failed query:") && isConnectionLost(error)) {
    return databaseUnavailable(error);
  }
  return new OvenError("INTERNAL", "The server met an error it did not expect; it was logged", {
    status: 500,
    fix: "Try again; if it stays, look into the server's log.",
    cause: error,
  });
}

/** The response for anything thrown. What is no OvenError is logged, and answered as INTERNAL without its message. */
export function toErrorResponse(error: unknown, shape?: ErrorShape): Response {
  const known = toOvenError(error);
  if (known.code === "INTERNAL") console.error(known.cause ?? known);
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    ...shape?.headers(known),
  };
  if (known.status === 401) headers["www-authenticate"] = 'Bearer realm="oven"';
  if (known.retryAfterMs !== undefined) headers["retry-after"] = String(Math.ceil(known.retryAfterMs / 1_000));
  // The rest of the body is not read: the connection cannot serve another request.
  if (known.status === 413) headers.connection = "close";
  const body = shape === undefined ? known.toBody() : shape.toBody(known);
  return new Response(JSON.stringify(body), { status: known.status, headers });
}

/** The first issue as message and path; all of them in `details.problems`. `root` is where the value hangs, such as `$`. */
export function fromZod(error: z.ZodError, root: string): OvenError {
  const problems = error.issues.map((issue) => ({
    path: toJsonPath(issue.path, root),
    message: issue.message,
    rule: issue.code,
  }));
  const first = problems[0];
  return new OvenError(
    "INVALID_REQUEST",
    first === undefined ? "The request is not valid" : `${first.path}: ${first.message}`,
    {
      status: 400,
      fix: `See ${docsUrl("INVALID_REQUEST")} and /api/openapi.json for the shape of this request.`,
      ...(first === undefined ? {} : { path: first.path }),
      details: { problems: problems as Json[] }, // cast: plain strings
    },
  );
}

const DATABASE_ERRORS: Record<string, { code: string; status: number; message: string; fix: string }> = {
  "23505": {
    code: "UNIQUE_VIOLATION",
    status: 409,
    message: "A row with this value exists already",
    fix: "Choose another value.",
  },
  "23503": {
    code: "REFERENCE_MISSING",
    status: 422,
    message: "The request refers to a row that does not exist",
    fix: "Check the ids.",
  },
  "23502": { code: "VALUE_MISSING", status: 400, message: "A required value is missing", fix: "Fill it in." },
  "22P02": { code: "VALUE_MALFORMED", status: 400, message: "A value has the wrong form", fix: "Check types and ids." },
  "22021": {
    code: "VALUE_MALFORMED",
    status: 400,
    message: "A text holds a character that cannot be stored here, such as NUL",
    fix: "Remove it.",
  },
  "22P05": {
    code: "VALUE_MALFORMED",
    status: 400,
    message: "A text holds a character that cannot be stored here, such as NUL",
    fix: "Remove it.",
  },
  "22001": { code: "VALUE_MALFORMED", status: 400, message: "A text is too long", fix: "Shorten it." },
  "22003": {
    code: "VALUE_OUT_OF_RANGE",
    status: 400,
    message: "A number is out of range",
    fix: "Use a smaller number.",
  },
};

/** Drizzle wraps the driver's error; both drivers give the SQLSTATE as `code`. */
function databaseError(error: unknown): OvenError | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    if (!("code" in current) || typeof current.code !== "string") continue;
    const known = DATABASE_ERRORS[current.code];
    if (known === undefined) continue;
    const constraint =
      "constraint" in current && typeof current.constraint === "string" ? current.constraint : undefined;
    return new OvenError(known.code, known.message, {
      status: known.status,
      fix: known.fix,
      cause: error,
      ...(constraint === undefined ? {} : { details: { constraint } }),
    });
  }
  return undefined;
}
