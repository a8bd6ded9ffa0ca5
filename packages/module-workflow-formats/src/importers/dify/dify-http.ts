import { isOvenError, type Json, type JsonObject, parseJson, toSlug } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { safeRequest } from "../../importing/safe-request.ts";
import { type DifyContext, type MapNode, toStep } from "./dify-context.ts";
import { type DifyNode, objectsIn } from "./dify-document.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const SECRET_HEADERS = /^(authorization|proxy-authorization|cookie|.*(api[-_]?key|token|secret).*)$/i;

export const mapHttp: MapNode = (node, context) => {
  const { data } = node;
  const method = String(data.method ?? "get").toUpperCase();
  if (!METHODS.has(method)) throw new NoEquivalent(`the method ${method} is not known`);
  const notes = ["An answer in JSON is handed on as a value, not as text."];
  const input: Record<string, Json> = { method, url: context.data.value(data.url ?? "") };
  const query = pairsOf(data.params, context);
  if (Object.keys(query).length > 0) input.query = query;
  const headers: JsonObject = {};
  for (const [name, value] of Object.entries(pairsOf(data.headers, context, SECRET_HEADERS)))
    setOwn(headers, name, SECRET_HEADERS.test(name) ? secretFor(`${node.title} ${name}`, node, context, notes) : value);
  signIn(headers, node, context, notes);
  if (Object.keys(headers).length > 0) input.headers = headers;
  Object.assign(input, bodyOf(data.body, context));
  const read = isObject(data.timeout) ? (data.timeout.max_read_timeout ?? data.timeout.read) : undefined;
  if (typeof read === "number" && read > 0) input.timeoutMs = Math.min(300_000, Math.round(read * 1_000));
  // A status of 400 or more is a failure there only where somebody says what happens then.
  const isRetried = isObject(data.retry_config) && data.retry_config.retry_enabled === true;
  const isHandled = typeof data.error_strategy === "string" && data.error_strategy !== "none";
  if (!isRetried && !isHandled) input.anyStatus = true;
  if (data.ssl_verify === false)
    notes.push("Certificates are always checked: an address without a valid one is not called.");
  const asked = { name: node.title, path: node.path, reporter: context.reporter, notes };
  return { ...toStep(node, context, "core.http", safeRequest(input, asked)), notes };
};

/** `name:value` on lines, or a list of `{key, value}`. What is named like a secret is not looked at. */
function pairsOf(value: Json | undefined, { data }: DifyContext, blind?: RegExp): JsonObject {
  const pairs =
    typeof value === "string"
      ? value.split("\n").flatMap((line): [string, string][] => {
          const at = line.indexOf(":");
          return at <= 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
        })
      : objectsIn(value).map((item): [string, string] => [String(item.key ?? ""), String(item.value ?? "")]);
  const result: JsonObject = {};
  for (const [name, text] of pairs)
    if (name !== "") setOwn(result, name, blind?.test(name) === true ? null : data.template(text));
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

function signIn(headers: JsonObject, node: DifyNode, context: DifyContext, notes: string[]): void {
  const { authorization } = node.data;
  if (!isObject(authorization) || authorization.type === undefined || authorization.type === "no-auth") return;
  const config = isObject(authorization.config) ? authorization.config : {};
  const kind = config.type ?? authorization.type;
  const header =
    kind === "custom" && typeof config.header === "string" && config.header !== "" ? config.header : "Authorization";
  const prefix = kind === "bearer" ? "Bearer " : kind === "basic" ? "Basic " : undefined;
  setOwn(headers, header, secretFor(`${node.title} key`, node, context, notes, prefix));
}

function bodyOf(body: Json | undefined, { data }: DifyContext): JsonObject {
  if (!isObject(body) || body.type === undefined || body.type === "none") return {};
  const [first] = objectsIn(body.data);
  const text = typeof body.data === "string" ? body.data : String(first?.value ?? "");
  if (body.type === "raw-text") return { body: data.template(text), bodyType: "text" };
  if (body.type !== "json") throw new NoEquivalent(`it sends a body of the kind ${String(body.type)}`);
  return { body: jsonOf(text, (leaf) => data.template(leaf)) };
}

/** JSON whose texts may name variables, also in place of values. @throws NoEquivalent */
function jsonOf(text: string, translate: (leaf: string) => Json): Json {
  const fill = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(fill);
    if (isObject(value)) {
      const result: JsonObject = {};
      for (const [key, child] of Object.entries(value)) setOwn(result, key, fill(child));
      return result;
    }
    return typeof value === "string" ? translate(value) : value;
  };
  // Variables that stand outside of quotes get some.
  const quoted = text.replaceAll(/"(?:[^"\\]|\\.)*"|(\{\{#[^#{}]+#\}\})/g, (all, bare?: string) =>
    bare === undefined ? all : JSON.stringify(bare),
  );
  try {
    return fill(parseJson(quoted));
  } catch (cause) {
    if (isOvenError(cause)) throw new NoEquivalent(cause.message);
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new NoEquivalent("its JSON cannot be read without filling it in");
  }
}
