import { type Json, type JsonObject, toSlug } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { fillJson } from "../../importing/json-template.ts";
import { insideText, joinTexts } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { safeRequest } from "../../importing/safe-request.ts";
import { beforeKey, type DifyContext, type MapNode, type Mapped, toStep } from "./dify-context.ts";
import type { DifyData } from "./dify-data.ts";
import { type DifyNode, objectsIn } from "./dify-document.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const SECRET_HEADERS = /^(authorization|proxy-authorization|cookie|.*(api[-_]?key|token|secret).*)$/i;

export const mapHttp: MapNode = (node, context) => {
  const { data } = node;
  const method = String(data.method ?? "get").toUpperCase();
  if (!METHODS.has(method)) throw new NoEquivalent(`the method ${method} is not known`);
  const notes = ["An answer in JSON is handed on as a value, not as text."];
  const input: Record<string, Json> = { method, url: context.data.value(data.url ?? "") };
  const parameters = pairsIn(data.params).map(([name]) => name);
  if (new Set(parameters).size < parameters.length) throw new NoEquivalent("a query parameter of it stands twice");
  const query: JsonObject = {};
  for (const [name, value] of pairsIn(data.params)) {
    const secret = secretVariable(value, node, context, notes);
    if (secret !== undefined) setOwn(query, name, secret);
    else for (const [key, text] of Object.entries(pairsOf([{ key: name, value }], context))) setOwn(query, key, text);
  }
  if (Object.keys(query).length > 0) input.query = query;
  const headers: JsonObject = {};
  for (const [name, value] of Object.entries(pairsOf(data.headers, context, SECRET_HEADERS)))
    setOwn(headers, name, SECRET_HEADERS.test(name) ? secretFor(`${node.title} ${name}`, node, context, notes) : value);
  signIn(headers, node, context, notes);
  if (Object.keys(headers).length > 0) input.headers = headers;
  const { before: reads, ...body } = bodyOf(data.body, context, notes);
  const before = reads === undefined ? {} : { before: reads };
  if (reads !== undefined) body.body = `$.${context.stateOf(beforeKey(node.id))}_output.result`;
  Object.assign(input, body);
  input.timeoutMs = timeoutOf(data.timeout, notes);
  // A status of 400 or more is a failure there only where somebody says what happens then.
  const isRetried = isObject(data.retry_config) && data.retry_config.retry_enabled === true;
  const isHandled = typeof data.error_strategy === "string" && data.error_strategy !== "none";
  if (!isRetried && !isHandled) input.anyStatus = true;
  if (data.ssl_verify === false)
    notes.push("Certificates are always checked: an address without a valid one is not called.");
  const asked = { name: node.title, path: node.path, reporter: context.reporter, notes };
  return { ...toStep(node, context, "core.http", safeRequest(input, asked)), ...before, notes };
};

/** Dify waits for minutes where nothing is set. */
const LONGEST_MS = 300_000;

function timeoutOf(timeout: Json | undefined, notes: string[]): number {
  const given = isObject(timeout) ? timeout : {};
  const isSet = (seconds: Json | undefined) => typeof seconds === "number" && seconds > 0;
  if (isSet(given.connect) || isSet(given.write))
    notes.push("Its limits for connecting and sending are part of the time in which nothing may arrive.");
  // `max_…` are bounds that its editor puts on what may be set.
  const seconds = isSet(given.read) ? given.read : given.max_read_timeout;
  return typeof seconds === "number" && seconds > 0 ? Math.min(LONGEST_MS, Math.round(seconds * 1_000)) : LONGEST_MS;
}

/** `name:value` on lines, or a list of `{key, value}`. */
function pairsIn(value: Json | undefined): [string, string][] {
  const pairs =
    typeof value === "string"
      ? value.split("\n").map((line): [string, string] => {
          const at = line.indexOf(":");
          return at < 0 ? [line.trim(), ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
        })
      : objectsIn(value).map((item): [string, string] => [String(item.key ?? ""), String(item.value ?? "")]);
  return pairs.filter(([name]) => name !== "");
}

/** Names and values as texts. What is named like a secret is not looked at. */
function pairsOf(value: Json | undefined, { data }: DifyContext, blind?: RegExp): JsonObject {
  const result: JsonObject = {};
  for (const [name, text] of pairsIn(value)) {
    if (name.includes("{{#")) throw new NoEquivalent(`the name ${name} is computed`);
    setOwn(result, name, blind?.test(name) === true ? null : insideText(data.template(text)));
  }
  return result;
}

function secretFor(
  name: string,
  node: DifyNode,
  { reporter }: DifyContext,
  notes: string[],
  prefix?: string,
): JsonObject {
  const secret = toSlug(name);
  reporter.setting("credential", secret, "Make a secret of this name, for the host of this request.", node.path);
  notes.push(`It signs in with the secret ${secret}, which must be made.`);
  return { $secret: secret, ...(prefix === undefined ? {} : { prefix }) };
}

/** A secret for a value that is nothing but a secret variable of the app; undefined: it is something else. */
function secretVariable(
  value: string,
  { path }: DifyNode,
  { document, reporter }: DifyContext,
  notes: string[],
): JsonObject | undefined {
  const name = /^\{\{#env\.([^#{}]+)#\}\}$/.exec(value.trim())?.[1];
  const variable = document.environment.find((one) => one.name === name);
  if (name === undefined || variable?.value_type !== "secret") return undefined;
  const secret = toSlug(name);
  reporter.setting("credential", secret, "Make a secret of this name, for the host of this request.", path);
  notes.push(`The variable ${name} of the app was not imported: the secret ${secret} must have it.`);
  return { $secret: secret };
}

function signIn(headers: JsonObject, node: DifyNode, context: DifyContext, notes: string[]): void {
  const { authorization } = node.data;
  if (!isObject(authorization) || authorization.type === undefined || authorization.type === "no-auth") return;
  const config = isObject(authorization.config) ? authorization.config : {};
  const kind = config.type ?? authorization.type;
  const header =
    kind === "custom" && typeof config.header === "string" && config.header !== "" ? config.header : "Authorization";
  const prefix = kind === "bearer" ? "Bearer " : kind === "basic" ? "Basic " : undefined;
  if (kind === "basic") notes.push("Its secret is base64 of user:password.");
  setOwn(headers, header, secretFor(`${node.title} key`, node, context, notes, prefix));
}

interface Body {
  body?: Json;
  bodyType?: string;
  /** What makes the body, where a step of its own does. */
  before?: Mapped["before"];
}

function bodyOf(body: Json | undefined, context: DifyContext, notes: string[]): Body {
  if (!isObject(body) || body.type === undefined || body.type === "none") return {};
  const { data } = context;
  const [first] = objectsIn(body.data);
  const text = typeof body.data === "string" ? body.data : String(first?.value ?? "");
  switch (body.type) {
    case "raw-text":
      return { body: insideText(data.template(text)), bodyType: "text" };
    case "json":
      return jsonOf(text, data, notes) ?? { before: readFilled(text, data, notes) };
    case "x-www-form-urlencoded":
      return { body: pairsOf(body.data, context), bodyType: "form" };
    case "form-data":
      if (objectsIn(body.data).some(({ type }) => type === "file")) throw new NoEquivalent("it sends files");
      return { body: pairsOf(body.data, context), bodyType: "multipart" };
    default:
      throw new NoEquivalent(`it sends a body of the kind ${String(body.type)}`);
  }
}

/** Reads JSON as Python does, which takes line breaks in texts, and keeps long numbers. */
const READ = `import json
ESCAPES = {"\\n": "\\\\n", "\\r": "\\\\r", "\\t": "\\\\t"}
out = []
inside = False
escaped = False
for character in text:
    out.append(ESCAPES[character] if inside and not escaped and character in ESCAPES else character)
    if escaped:
        escaped = False
    elif inside and character == "\\\\":
        escaped = True
    elif character == '"':
        inside = not inside
json.loads("".join(out))
`;

/** A step that reads JSON which only its variables make. @throws NoEquivalent */
function readFilled(text: string, data: DifyData, notes: string[]): Mapped["before"] {
  if (!text.includes("{{#")) throw new NoEquivalent("its body is no JSON");
  notes.push(
    "Its body is read as JSON once its variables are filled in. Dify repairs what is no JSON; here the run fails.",
  );
  const inputs = { text: joinTexts([data.template(text)]) };
  return {
    what: "body",
    mayFail: true,
    invoke: { src: "core.code", input: { language: "python", code: READ, inputs } },
  };
}

/** JSON whose texts may name variables, also in place of values; undefined: it is none without them. @throws NoEquivalent */
function jsonOf(text: string, data: DifyData, notes: string[]): Body | undefined {
  const filled = fillJson(text, /\{\{#[^#{}]+#\}\}/, (part) => data.template(part));
  if (filled?.isBare === true)
    notes.push("A variable without quotes in its body is sent as its value; Dify reads its text as JSON.");
  return filled && { body: filled.value };
}
