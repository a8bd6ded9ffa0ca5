import type { Json } from "./json-value.ts";

/** The body of every error answer. `path` is like `$.states.review.invoke.src`. */
export interface ErrorBody {
  error: {
    code: string;
    message: string;
    fix?: string | undefined;
    path?: string | undefined;
    details?: Record<string, Json> | undefined;
    docs: string;
  };
}

export interface OvenErrorOptions {
  /** HTTP status when the error reaches a client. Default 400. */
  status?: number;
  fix?: string;
  path?: string;
  details?: Record<string, Json>;
  /** Whether a node's retry policy may try again. Default false. */
  retryable?: boolean;
  /** Milliseconds the other side asked us to wait (Retry-After). */
  retryAfterMs?: number;
  /** What was asked for may have happened: of a step that acts at most once a person says what did. Default false. */
  uncertain?: boolean;
  cause?: unknown;
}

const BRAND = "oven.error";

/**
 * The one error family. `code` is stable and documented in `docs/errors/<code>.md`; the message says what
 * happened, where, and `fix` what to do.
 */
export class OvenError extends Error {
  readonly brand = BRAND;
  readonly code: string;
  readonly status: number;
  readonly fix: string | undefined;
  readonly path: string | undefined;
  readonly details: Record<string, Json> | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly uncertain: boolean;

  constructor(code: string, message: string, options: OvenErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "OvenError";
    this.code = code;
    this.status = options.status ?? 400;
    this.fix = options.fix;
    this.path = options.path;
    this.details = options.details;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.uncertain = options.uncertain ?? false;
  }

  toBody(): ErrorBody {
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(this.fix === undefined ? {} : { fix: this.fix }),
        ...(this.path === undefined ? {} : { path: this.path }),
        ...(this.details === undefined ? {} : { details: this.details }),
        docs: docsUrl(this.code),
      },
    };
  }
}

/**
 * The page that explains an error code.
 * @returns a path in this repository
 */
export function docsUrl(code: string): string {
  return `docs/errors/${code}.md`;
}

/** By brand, not `instanceof`: the bundler may hold a second copy of this class. */
export function isOvenError(error: unknown): error is OvenError {
  return typeof error === "object" && error !== null && "brand" in error && error.brand === BRAND;
}

/**
 * The error of something that does not exist, or that this principal may not see: both look the same.
 * @returns OvenError NOT_FOUND 404
 */
export function notFound(what: string, id: string | number): OvenError {
  return new OvenError("NOT_FOUND", `${what} ${id} does not exist, or is not yours to see`, { status: 404 });
}
