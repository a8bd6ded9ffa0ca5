import { getOwn, setOwn } from "@oven/contract";
import type { FormField } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { ApiError } from "@oven/ui/api/api-error.ts";

/** What the server says about each field of a form. */
export function toFieldProblems(error: unknown, fields: readonly FormField[]): Record<string, string> {
  return byField(problemsOf(error), fields);
}

/** Problems by the field that they are about, in plain sentences; `$.items[2]` belongs to `items`. The first of a field counts. */
export function byField(
  problems: readonly { path: string; message: string }[],
  fields: readonly { name: string }[],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { path, message } of problems) {
    const field = fields.find(({ name }) => path === `$.${name}` || path === `$["${name}"]` || isBelow(path, name));
    if (field !== undefined && getOwn(found, field.name) === undefined) setOwn(found, field.name, toSentence(message));
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

/** What a schema's check says, as people say it. */
const PLAIN: readonly [RegExp, string][] = [
  [/^Instance does not have required property .*$/, t("This is needed.")],
  [/^String does not match format "email"/, t("This is not an e-mail address.")],
  [/^String does not match format "([\w-]+)"/, t("This is not valid as $1.")],
  [/^String does not match/, t("This does not have the form that is asked for.")],
  [/^String is too short \(\d+ < 1\)/, t("Please answer this.")],
  [/^String is too short \(\d+ < (\d+)\)/, t("At least $1 characters.")],
  [/^String is too long \(\d+ > (\d+)\)/, t("At most $1 characters.")],
  [/^\S+ is greater than (\S+?)\.?$/, t("At most $1.")],
  [/^\S+ is less than (\S+?)\.?$/, t("At least $1.")],
];

function toSentence(message: string): string {
  const plain = PLAIN.find(([pattern]) => pattern.test(message));
  if (plain !== undefined) return message.match(plain[0])?.[0].replace(...plain) ?? message;
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
