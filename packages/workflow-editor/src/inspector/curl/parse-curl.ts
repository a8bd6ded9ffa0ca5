import { isOvenError, type Json, type JsonObject, parseJson } from "@oven/contract";
import { readCurlOptions, readShellWords, UnclosedQuote } from "@oven/contract/api";
import { t } from "@oven/i18n";

/** The input of an HTTP step that does what a curl command does, and what the person should know. */
export type ParsedCurl = { ok: true; input: JsonObject; notes: string[] } | { ok: false; reason: string };

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
/** The connection sets them itself. */
const OF_CONNECTION = new Set(["host", "content-length", "connection", "accept-encoding", "transfer-encoding"]);
const CREDENTIALS = new Set(["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token"]);
const MAX_TIME_MS = 300_000;
const FORM = "application/x-www-form-urlencoded";

interface Command {
  url: string | null;
  method: string | null;
  headers: Map<string, string>;
  data: string[];
  isJson: boolean;
  query: string[];
  get: boolean;
  head: boolean;
  timeoutMs: number | null;
  credentials: Set<string>;
  notes: string[];
}

/** Reads a curl command as it is copied from documentation or a browser. Nothing is run, no file is read. */
export function parseCurl(text: string): ParsedCurl {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof UnclosedQuote)
      return { ok: false, reason: t("A quote is not closed: the command is cut off") };
    throw error;
  }
}

function read(text: string): ParsedCurl {
  // Documentation shows the prompt of a shell.
  const { words, unfilled, rest } = readShellWords(text.replace(/^\s*\$\s+/, ""));
  const [program = "", ...args] = words;
  if (!/^(?:.*[/\\])?curl(?:\.exe)?$/.test(program)) return { ok: false, reason: t("This is no curl command") };
  if (/\^\s*(?:\r?\n|")/.test(text))
    return { ok: false, reason: t("This is written for the command prompt of Windows: copy it “as cURL (bash)”") };
  const command: Command = {
    url: null,
    method: null,
    headers: new Map(),
    data: [],
    isJson: false,
    query: [],
    get: false,
    head: false,
    timeoutMs: null,
    credentials: new Set(),
    notes: [],
  };
  const refused = readArguments(args, command);
  if (refused !== null) return { ok: false, reason: refused };
  if (command.url === null) return { ok: false, reason: t("The command has no URL") };
  if (rest !== null) command.notes.push(t("What follows the command was left out: {{rest}}", { rest: cut(rest) }));
  for (const name of new Set(unfilled))
    command.notes.push(t("{{name}} is filled in by a shell: write its value, or choose a variable", { name }));
  return toInput(command, command.url);
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

/** Null, or why the command cannot become a step. */
function readArguments(args: readonly string[], command: Command): string | null {
  const { options, incomplete } = readCurlOptions(args);
  for (const { name, value } of options) {
    const refused = apply(name, value, command);
    if (refused !== null) return refused;
  }
  return incomplete === null ? null : t("{{option}} lacks its value", { option: incomplete });
}

function readUrl(word: string, command: Command): string | null {
  if (command.url !== null) return t("The command calls several URLs: make a step of each");
  command.url = word;
  return null;
}

function apply(name: string, value: string, command: Command): string | null {
  switch (name) {
    case "request":
      command.method = value.toUpperCase();
      return METHODS.has(command.method)
        ? null
        : t("The method {{method}} is not known to the step", { method: value });
    case "url":
      return readUrl(value, command);
    case "header":
      readHeader(value, command);
      return null;
    case "user-agent":
      readHeader(`User-Agent: ${value}`, command);
      return null;
    case "referer":
      readHeader(`Referer: ${value}`, command);
      return null;
    case "user":
      command.credentials.add("-u");
      return null;
    case "oauth2-bearer":
      command.credentials.add("Authorization");
      return null;
    case "cookie":
      command.credentials.add("Cookie");
      return null;
    case "data":
    case "data-ascii":
    case "data-binary":
    case "json":
      if (value.startsWith("@"))
        return t("The body is read from the file {{file}}: paste its text instead", { file: value.slice(1) });
      command.data.push(name === "data" || name === "data-ascii" ? value.replace(/[\r\n]/g, "") : value);
      command.isJson ||= name === "json";
      return null;
    case "data-raw":
      command.data.push(value);
      return null;
    case "data-urlencode":
      return readEncoded(value, command.data);
    case "url-query":
      return readEncoded(value, command.query);
    case "get":
      command.get = true;
      return null;
    case "head":
      command.head = true;
      return null;
    case "form":
    case "form-string":
    case "upload-file":
      return t("The command sends a file or a form of several parts, which the step cannot");
    case "max-time":
      command.timeoutMs = Math.min(MAX_TIME_MS, Math.round(Number(value) * 1_000));
      return Number(value) > 0 ? null : t("{{option}} lacks its value", { option: "-m" });
    case "insecure":
      command.notes.push(t("Certificates are checked by the step, whatever -k says"));
      return null;
    case "proxy":
      command.notes.push(t("The proxy was left out: an operator sets it for all steps"));
      return null;
    case "config":
      return t("The command reads its options from the file {{file}}", { file: value });
    default:
      return null;
  }
}

function readHeader(line: string, command: Command): void {
  const [, name = "", sign = "", value = ""] = /^([^:;]+)([:;])\s*(.*)$/s.exec(line.trim()) ?? [];
  // `Name:` takes a header of curl's own away, `Name;` sends it empty.
  if (name === "" || (sign === ":" && value === "")) return;
  const lower = name.trim().toLowerCase();
  if (OF_CONNECTION.has(lower)) return;
  if (CREDENTIALS.has(lower)) {
    command.credentials.add(name.trim());
    return;
  }
  for (const known of command.headers.keys()) if (known.toLowerCase() === lower) command.headers.delete(known);
  command.headers.set(name.trim(), value);
}

/** `name=text`, `=text` or `text`; what begins with @ is a file. */
function readEncoded(value: string, into: string[]): string | null {
  const [, name = "", sign = "", text = ""] = /^([^=@]*)([=@]?)(.*)$/s.exec(value) ?? [];
  if (sign === "@") return t("The body is read from the file {{file}}: paste its text instead", { file: text });
  const content = sign === "" ? name : text;
  const encoded = encodeURIComponent(content).replace(/%20/g, "+");
  into.push(sign === "" || name === "" ? encoded : `${name}=${encoded}`);
  return null;
}

function toInput(command: Command, given: string): ParsedCurl {
  const { data, get, head, isJson, notes, credentials, timeoutMs } = command;
  const headers = new Map(command.headers);
  const url = withQuery(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`, [
    ...(get ? data : []),
    ...command.query,
  ]);
  if (!/^https?:/i.test(url)) return { ok: false, reason: t("Only http and https can be called") };
  const hasBody = data.length > 0 && !get;
  const method = command.method ?? (head ? "HEAD" : hasBody ? "POST" : "GET");
  if (hasBody && (method === "GET" || method === "HEAD"))
    notes.push(t("{{method}} sends no body: that of the command was left out", { method }));
  const body = hasBody && method !== "GET" && method !== "HEAD" ? toBody(data, isJson, headers) : {};
  if (isJson && !hasHeader(headers, "accept")) headers.set("Accept", "application/json");
  for (const name of credentials)
    notes.push(
      name === "-u"
        ? t("Name and password (-u) were left out: put them into a secret, and choose it for the header Authorization")
        : t("The header {{name}} was left out: put its value into a secret, and choose it there", { name }),
    );
  return {
    ok: true,
    notes,
    input: {
      method,
      url: asWritten(url),
      ...(headers.size === 0
        ? {}
        : { headers: Object.fromEntries([...headers].map(([name, value]) => [name, asWritten(value)])) }),
      ...body,
      ...(timeoutMs === null ? {} : { timeoutMs }),
    },
  };
}

function withQuery(url: string, parts: readonly string[]): string {
  if (parts.length === 0) return url;
  const [address = "", fragment] = url.split("#", 2);
  const joined = `${address}${address.includes("?") ? "&" : "?"}${parts.join("&")}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

const hasHeader = (headers: ReadonlyMap<string, string>, name: string): boolean =>
  [...headers.keys()].some((key) => key.toLowerCase() === name);

/** The body in the form of the step; the header of what it is stays only where the step would write another one. */
function toBody(data: readonly string[], isJson: boolean, headers: Map<string, string>): JsonObject {
  const text = isJson ? data.join("") : data.join("&");
  const named = [...headers].find(([name]) => name.toLowerCase() === "content-type");
  const type = named?.[1] ?? (isJson ? "application/json" : FORM);
  if (/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    const value = readJson(text);
    if (value !== undefined) {
      if (named !== undefined && /^application\/json$/i.test(type.trim())) headers.delete(named[0]);
      return { body: asWritten(value) };
    }
  }
  if (named === undefined) headers.set("Content-Type", type);
  return { bodyType: "text", body: asWritten(text) };
}

/** Undefined: it is no JSON, or a number in it would not stay what it is. */
function readJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError || isOvenError(error)) return undefined;
    throw error;
  }
}

/** Text that is not read as an expression. */
function asWritten(value: Json): Json {
  return holdsExpression(value) ? { $literal: value } : value;
}

function holdsExpression(value: Json): boolean {
  if (typeof value === "string") return value.includes("{{") || value.startsWith("$");
  if (Array.isArray(value)) return value.some(holdsExpression);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key.startsWith("$") || holdsExpression(inner));
}
