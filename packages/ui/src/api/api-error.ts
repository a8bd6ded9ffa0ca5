import type { ErrorBody } from "@oven/contract";
import { t } from "@oven/i18n";

type Body = ErrorBody["error"];

/**
 * What went wrong with a request, as the server told it. `status` is 0 when there was no answer at all. React Admin
 * reads `status` and `body.errors` (messages by form field).
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fix: string | undefined;
  readonly path: string | undefined;
  readonly details: Body["details"];
  readonly docs: string | undefined;
  readonly body: { errors: Record<string, string> };

  constructor(status: number, error: Partial<Body> & { message: string }) {
    super(error.message);
    this.name = "ApiError";
    this.status = status;
    this.code = error.code ?? `HTTP_${status}`;
    this.fix = error.fix;
    this.path = error.path;
    this.details = error.details;
    this.docs = error.docs;
    this.body = { errors: toFieldErrors(error) };
  }
}

/** `$.slug` belongs to the field `slug`; deeper paths belong to the editor that shows them. */
function toFieldErrors(error: Partial<Body> & { message: string }): Record<string, string> {
  const field = /^\$\.([A-Za-z_][A-Za-z0-9_]*)$/.exec(error.path ?? "")?.[1];
  if (field === undefined) return {};
  return { [field]: error.fix === undefined ? error.message : `${error.message}. ${error.fix}` };
}

function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== "object" || value === null || !("error" in value)) return false;
  const { error } = value;
  return typeof error === "object" && error !== null && "message" in error && typeof error.message === "string";
}

/** The error of an answer that is not 2xx, whichever shape its body has. */
export function toApiError(status: number, text: string): ApiError {
  const body = parseJson(text);
  if (isErrorBody(body)) return new ApiError(status, body.error);
  // better-auth answers `{code, message}`.
  if (typeof body === "object" && body !== null && "message" in body && typeof body.message === "string") {
    const code = "code" in body && typeof body.code === "string" ? { code: body.code } : {};
    return new ApiError(status, { message: body.message, ...code });
  }
  return new ApiError(status, { message: `The server answered ${status} without saying why` });
}

/** The error of a request that got no answer. */
export function toUnreachable(cause: unknown): ApiError {
  const error = new ApiError(0, {
    code: "UNREACHABLE",
    message: "The server did not answer",
    fix: t("Check that OVEN is still running and that you are connected, then try again"),
  });
  error.cause = cause;
  return error;
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What an error says, to be copied. A status belongs to an answer: what never was one has none. */
export function toReport({ code, status, message, fix, path, details, docs }: ApiError): string {
  return JSON.stringify({ code, ...(status === 0 ? {} : { status }), message, fix, path, details, docs }, null, 2);
}

/** Any thrown value as an ApiError, for panels that show one. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, { code: "UNEXPECTED", message: error instanceof Error ? error.message : String(error) });
}
