import { isOvenError, type Json, OvenError } from "@oven/contract";
import { UnescapedText } from "./unescaped-text.ts";

/** Fewer characters, once escapes are gone, could not be distinguished from ordinary text. */
const LEAST_UNESCAPED = 8;

interface Known {
  /** Of each form that a value may have, whose it is. */
  names: Map<string, string>;
  pattern: RegExp;
  /** The same of values without escapes, for texts without theirs. */
  unescaped: Map<string, string>;
  unescapedPattern: RegExp;
}

const NOTHING = /(?!)/g;

/**
 * Replaces the values of secrets by `[secret:name]`. It knows the values that this process has held: others cannot be in
 * anything it writes. Each tenant's texts are searched for its own secrets only, so that nobody can learn another's by
 * trying what is replaced.
 */
export class Redactor {
  readonly #tenants = new Map<number, Known>();

  learn(tenantId: number, name: string, value: string): void {
    const known = this.#tenants.get(tenantId) ?? nothingKnown();
    this.#tenants.set(tenantId, known);
    if (known.names.get(value) !== name) learn(known, name, value);
  }

  /** Text, or JSON with all texts and keys in it. What holds no secret is answered as it is. */
  json<T extends Json>(tenantId: number, value: T): T {
    const known = this.#tenants.get(tenantId);
    return known === undefined ? value : (redact(known, value) as T); // cast: only texts change
  }

  /** For lines that concern no tenant, or several. */
  text(text: string): string {
    let clean = text;
    for (const known of this.#tenants.values()) clean = redactText(known, clean);
    return clean;
  }

  /** The same error, or one that says the same without the values; its cause and stack, which may have them, are left out. */
  error(tenantId: number, error: unknown): unknown {
    const known = this.#tenants.get(tenantId);
    if (known === undefined || !(error instanceof Error) || !tells(known, error)) return error;
    const message = redactText(known, error.message);
    if (!isOvenError(error)) return new Error(message);
    const { code, status, fix, path, details, retryable, retryAfterMs, uncertain } = error;
    return new OvenError(code, message, {
      status,
      retryable,
      uncertain,
      ...(fix === undefined ? {} : { fix: redactText(known, fix) }),
      ...(path === undefined ? {} : { path: redactText(known, path) }),
      ...(details === undefined ? {} : { details: redact(known, details) as Record<string, Json> }), // cast: only texts change
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
}

/**
 * Replaces values, in whatever form they may stand in a text, by `[name]`. Without values nothing is replaced.
 */
export function redactionOf(values: Readonly<Record<string, string>>): (text: string) => string {
  const known = nothingKnown();
  // The first of two names of a value counts.
  for (const [name, value] of Object.entries(values))
    if (value !== "" && !known.names.has(value)) learn(known, name, value);
  return (text) => redactText(known, text, (name) => `[${name}]`);
}

function nothingKnown(): Known {
  return { names: new Map(), pattern: NOTHING, unescaped: new Map(), unescapedPattern: NOTHING };
}

function learn(known: Known, name: string, value: string): void {
  for (const form of formsOf(value)) if (form !== "") known.names.set(form, name);
  known.pattern = toPattern(known.names.keys());
  const { text } = new UnescapedText(value);
  if (text.length < LEAST_UNESCAPED) return;
  known.unescaped.set(text, name);
  known.unescapedPattern = toPattern(known.unescaped.keys());
}

/** The longest first: one value may begin with another. */
function toPattern(forms: Iterable<string>): RegExp {
  const longestFirst = [...forms].sort((one, other) => other.length - one.length);
  return new RegExp(longestFirst.map(escapeRegExp).join("|"), "g");
}

/** As it is, as it looks in URLs, forms and JSON, as a part of something in base64, and its bytes as characters. */
function formsOf(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inBase64 = [0, 1, 2].map((before) => toBase64After(value, before));
  const inBase64Url = inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const inUrl = encodeURIComponent(value.toWellFormed());
  const bytes = Buffer.from(value).toString("latin1");
  return [...new Set([value, inUrl, inUrl.replaceAll("%20", "+"), inJson, bytes, ...inBase64, ...inBase64Url])];
}

/** Base64 of a text with `before` bytes of its first group taken by others: without the signs that its neighbours decide, too. */
function toBase64After(value: string, before: number): string {
  const bytes = before + Buffer.byteLength(value);
  const whole = Buffer.from(" ".repeat(before) + value).toString("base64url");
  return whole
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .slice(before === 0 ? 0 : before + 1, bytes % 3 === 0 ? undefined : -1);
}

function tells(known: Known, error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false;
  const told = isOvenError(error)
    ? JSON.stringify([error.message, error.fix, error.path, error.details])
    : `${error.message} ${error.stack}`;
  return redactText(known, told) !== told || tells(known, error.cause, depth + 1);
}

function redact(known: Known, value: Json): Json {
  if (typeof value === "string") return redactText(known, value);
  if (Array.isArray(value)) return value.map((item) => redact(known, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [redactText(known, key), redact(known, child)]),
  );
}

const asSecret = (name: string): string => `[secret:${name}]`;

/** Values as they stand there, and then values that are escaped in some way: a text says the same with and without escapes. */
function redactText(known: Known, text: string, shown = asSecret): string {
  const clean = text.replace(known.pattern, (form) => shown(known.names.get(form) ?? ""));
  if (known.unescaped.size === 0 || !/[\\%&]/.test(clean)) return clean;
  const unescaped = new UnescapedText(clean);
  if (!unescaped.differs) return clean;
  let result = "";
  let from = 0;
  for (const { 0: value, index } of unescaped.text.matchAll(known.unescapedPattern)) {
    const { start, end } = unescaped.rangeOf(index, index + value.length);
    result += clean.slice(from, start) + shown(known.unescaped.get(value) ?? "");
    from = end;
  }
  return result + clean.slice(from);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
