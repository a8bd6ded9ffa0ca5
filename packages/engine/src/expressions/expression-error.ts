import { type Json, OvenError } from "@oven/contract";

/** Where in its text an expression cannot be read, in UTF-16 units, and why without the text around it. */
export interface SyntaxPlace {
  start: number;
  end: number;
  reason: string;
}

/** A path, template, guard or CEL text that cannot be read. Found when a definition is validated. */
export class ExpressionSyntaxError extends Error {
  readonly fix: string;
  /** Undefined: the whole of it. */
  readonly place: SyntaxPlace | undefined;
  /** The rule that refused it: `path`, `template`, `cel`, `regex`, `value`, `unsupported`. */
  readonly rule: string;

  constructor(rule: string, message: string, fix: string, cause?: unknown, place?: SyntaxPlace) {
    super(message, cause === undefined ? undefined : { cause });
    this.rule = rule;
    this.fix = fix;
    this.place = place;
  }
}

/** An expression that failed on this run's data. */
export function expressionError(
  message: string,
  fix: string,
  details?: Record<string, Json>,
  cause?: unknown,
): OvenError {
  return new OvenError("EXPRESSION_ERROR", message, { fix, ...(details ? { details } : {}), cause });
}

/** A value that an input, output or action needs and that is not there. */
export function missingValue(path: string): OvenError {
  return new OvenError("MISSING_VALUE", `${path} has no value`, {
    fix: `Make sure a step before writes it, or give a default: ${path} | default("…").`,
    details: { path },
  });
}
