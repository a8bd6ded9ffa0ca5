import { isOvenError, type Json, OvenError } from "@oven/contract";

interface Known {
  names: Map<string, string>;
  pattern: RegExp | undefined;
}

/**
 * Replaces the values of secrets by `[secret:name]`. It knows the values that this process has held: others cannot be in
 * anything it writes. Each tenant's texts are searched for its own secrets only, so that nobody can learn another's by
 * trying what is replaced.
 */
export class Redactor {
  readonly #tenants = new Map<number, Known>();

  learn(tenantId: number, name: string, value: string): void {
    const known = this.#tenants.get(tenantId) ?? { names: new Map<string, string>(), pattern: undefined };
    this.#tenants.set(tenantId, known);
    if (known.names.get(value) === name) return;
    for (const form of formsOf(value)) known.names.set(form, name);
    known.pattern = toPattern(known.names.keys());
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
    const { code, status, fix, path, details, retryable, retryAfterMs } = error;
    return new OvenError(code, message, {
      status,
      retryable,
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
  const names = new Map<string, string>();
  for (const [name, value] of Object.entries(values))
    for (const form of formsOf(value)) if (form !== "" && !names.has(form)) names.set(form, name);
  if (names.size === 0) return (text) => text;
  const pattern = toPattern(names.keys());
  return (text) => text.replace(pattern, (form) => `[${names.get(form)}]`);
}

/** The longest first: one value may begin with another. */
function toPattern(forms: Iterable<string>): RegExp {
  const longestFirst = [...forms].sort((one, other) => other.length - one.length);
  return new RegExp(longestFirst.map(escapeRegExp).join("|"), "g");
}

/** As it is, and as it looks in URLs, in JSON, and as a part of something in base64. */
function formsOf(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inBase64 = [0, 1, 2].map((before) => toBase64After(value, before));
  const inBase64Url = inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([value, encodeURIComponent(value), inJson, ...inBase64, ...inBase64Url])];
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

function redactText({ pattern, names }: Known, text: string): string {
  return pattern === undefined ? text : text.replace(pattern, (form) => `[secret:${names.get(form)}]`);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
