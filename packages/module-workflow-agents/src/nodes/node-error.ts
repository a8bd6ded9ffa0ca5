import { OvenError } from "@oven/contract";
import type { ZodError } from "zod";

/** A node was woken by something it does not wait for: the engine's mistake, never the author's. */
export function unexpectedSignal(node: string, type: string): OvenError {
  return new OvenError("UNEXPECTED_SIGNAL", `${node} cannot be woken by ${type}`, { status: 500 });
}

/** The first thing that is wrong with a value, by its path. */
export function firstIssue(error: ZodError, root: string): string {
  const [issue] = error.issues;
  if (issue === undefined) return `${root} is not valid`;
  const path = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return `${root}${path}: ${issue.message}`;
}
