import type { FormField } from "@oven/contract";
import { ApiError } from "../providers/api-error.ts";

/** What the server says about each field; `$.items[2]` belongs to `items`. */
export function toFieldProblems(error: unknown, fields: readonly FormField[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { path, message } of problemsOf(error)) {
    const field = fields.find(({ name }) => path === `$.${name}` || path === `$["${name}"]` || isBelow(path, name));
    if (field !== undefined) found[field.name] ??= toSentence(message);
  }
  return found;
}

function isBelow(path: string, name: string): boolean {
  return path.startsWith(`$.${name}[`) || path.startsWith(`$.${name}.`);
}

function problemsOf(error: unknown): { path: string; message: string }[] {
  if (!(error instanceof ApiError) || error.code !== "INVALID_INPUT") return [];
  const problems: unknown = error.details?.problems;
  return Array.isArray(problems) ? problems.filter(isProblem) : [];
}

function isProblem(value: unknown): value is { path: string; message: string } {
  if (typeof value !== "object" || value === null) return false;
  return typeof Reflect.get(value, "path") === "string" && typeof Reflect.get(value, "message") === "string";
}

function toSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
