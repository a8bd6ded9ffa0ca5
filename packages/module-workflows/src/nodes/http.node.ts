import {
  isOvenError,
  type Json,
  JsonSchema,
  type LongNumber,
  OvenError,
  type ReadJson,
  readJson,
  refuseLongNumbers,
} from "@oven/contract";
import { type SecretReference, SecretReferenceSchema } from "@oven/contract/access";
import { defineNode, done, isTooDeep } from "@oven/module-registry";
import { z } from "zod";

const MAX_BYTES = 2 * 1_048_576;
const MAX_RETRY_AFTER_MS = 3_600_000;
const EXCERPT = 2_000;

const DEFAULT_METHOD = "GET";

const WITH_BODY = ["POST", "PUT", "PATCH", "DELETE"];

const HttpInput = z
  .strictObject({
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).default(DEFAULT_METHOD),
    url: z.string().min(1).describe("http or https, on the public internet or allowed by the operator"),
    query: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .default({})
      .describe("Added to the URL; null leaves a parameter out"),
    headers: z
      .record(z.string(), z.union([z.string(), SecretReferenceSchema]))
      .default({})
      .describe(
        'Text, or `{"$secret": "name", "prefix": "Bearer "}`: filled in on the way out, for the hosts of the secret',
      ),
    body: JsonSchema.optional().describe("Any JSON, or text"),
    bodyType: z.enum(["json", "text"]).default("json").describe("`text` sends a text body as it stands"),
    timeoutMs: z.int().positive().max(300_000).default(30_000),
    expectedStatus: z
      .array(z.int().min(100).max(599))
      .min(1)
      .optional()
      .describe("Statuses that are a success; else 200 to 299"),
    anyStatus: z.boolean().default(false).describe("Every answer is a success, whatever its status"),
    longNumbers: z
      .enum(["refuse", "text"])
      .default("refuse")
      .describe(
        "Numbers in the answer with more digits than a number here has: `refuse` fails, `text` hands them on as text",
      ),
  })
  .meta({
    // For forms: with GET and HEAD nothing is sent.
    "x-shown-when": { body: { method: WITH_BODY }, bodyType: { method: WITH_BODY } },
  });
type HttpInput = z.output<typeof HttpInput>;

export const httpNode = defineNode({
  id: "core.http",
  version: 1,
  title: "HTTP request",
  firstFields: ["method", "url", "query", "headers", "body"],
  synonyms: ["api", "rest", "fetch", "curl", "webhook", "get", "post", "email", "mail", "slack", "send"],
  docs: [
    "Calls another service over HTTP and answers status, headers and body: JSON as such, text as text, anything else as base64 (`encoding` says which).",
    "",
    "A number that would be changed, such as an id of 19 digits, is the error NUMBER_NOT_EXACT, unless `longNumbers` takes it as text.",
    "Only public addresses are reached, also after redirects; an operator may allow others with OVEN_OUTBOUND_ALLOW. An answer may have 2 MiB.",
    'A credential belongs into a secret: `{"$secret": "name"}` as the value of a header is filled in on the way out, only for the hosts that the secret is bound to, and is in no record of the run.',
    "",
    "Every attempt carries the same `Idempotency-Key`. A status that is not expected is the error HTTP_STATUS: 408, 429 and 5xx are tried again (429 and 503 after `Retry-After`, at most an hour), other statuses are not.",
  ].join("\n"),
  category: "core",
  kind: "tool",
  // By method GET would be idempotent; the class of a node must hold for all of its inputs.
  effect: "at-least-once",
  tags: ["outside-content", "outbound"],
  input: HttpInput,
  output: z.strictObject({
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    body: JsonSchema.meta({ "x-type-from": { sample: "body" } }),
    encoding: z.enum(["json", "text", "base64"]),
  }),
  async run({ input, signal, services, idempotencyKey, principal: { tenantId } }) {
    const url = toUrl(input);
    const body = toBody(input);
    const headers = withDefault(input.headers, "idempotency-key", idempotencyKey());
    const response = await services.outbound.fetch(url, {
      method: input.method,
      headers: body === undefined ? headers : withDefault(headers, "content-type", contentTypeOf(input)),
      tenantId,
      ...(body === undefined ? {} : { body }),
      signal,
      timeoutMs: input.timeoutMs,
      maxBytes: MAX_BYTES,
    });
    const { longNumbers, ...content } = await readBody(response, (text) => services.secrets.redact(tenantId, text));
    if (!isExpected(response.status, input)) throw unexpectedStatus(input.method, url, response, content.body);
    if (input.longNumbers === "refuse") refuseLongNumbers(longNumbers, ANSWER);
    return done({ status: response.status, headers: Object.fromEntries(response.headers), ...content });
  },
});

const ANSWER = {
  what: "The answer of the service",
  root: "$.body",
  fix: "Set `longNumbers` to `text`: such numbers are then handed on as text.",
};

function toUrl({ url, query }: HttpInput): URL {
  const parsed = URL.parse(url);
  if (parsed === null) {
    throw new OvenError("OUTBOUND_REFUSED", `${JSON.stringify(url.slice(0, 200))} is not a URL`, {
      path: "$.url",
      fix: "Write it as https://host/path.",
    });
  }
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) parsed.searchParams.append(name, String(value));
  }
  return parsed;
}

type RequestHeaders = Record<string, string | SecretReference>;

/** Names of headers have no case. */
function withDefault(headers: RequestHeaders, name: string, value: string): RequestHeaders {
  const has = Object.keys(headers).some((given) => given.toLowerCase() === name);
  return has ? headers : { ...headers, [name]: value };
}

function toBody({ body, bodyType }: HttpInput): string | undefined {
  if (body === undefined) return undefined;
  if (bodyType === "json") return JSON.stringify(body);
  if (typeof body === "string") return body;
  throw new OvenError("INPUT_INVALID", "A body of the type text must be text", {
    path: "$.body",
    fix: "Use bodyType json.",
  });
}

function contentTypeOf({ bodyType }: HttpInput): string {
  return bodyType === "json" ? "application/json" : "text/plain; charset=utf-8";
}

function isExpected(status: number, { expectedStatus, anyStatus }: HttpInput): boolean {
  if (anyStatus) return true;
  return expectedStatus === undefined ? status >= 200 && status < 300 : expectedStatus.includes(status);
}

interface Content {
  body: Json;
  encoding: "json" | "text" | "base64";
  longNumbers: readonly LongNumber[];
}

/** What is answered may have the credential in it; in base64 nobody would find it any more. */
async function readBody(response: Response, redact: (text: string) => string): Promise<Content> {
  const bytes = Buffer.from(redact(Buffer.from(await response.arrayBuffer()).toString("latin1")), "latin1");
  const type = response.headers.get("content-type")?.toLowerCase() ?? "";
  if (bytes.byteLength === 0) return { body: "", encoding: "text", longNumbers: [] };
  if (/^application\/([\w.+-]+\+)?json\b/.test(type)) {
    const parsed = tryJson(bytes.toString("utf8"));
    if (parsed !== undefined && !isTooDeep(parsed.value))
      return { body: parsed.value, encoding: "json", longNumbers: parsed.longNumbers };
  }
  const isText =
    type === "" ||
    /^text\/|^application\/(json|xml|x-www-form-urlencoded|javascript|[\w.+-]+\+(json|xml))\b/.test(type);
  return isText
    ? { body: bytes.toString("utf8"), encoding: "text", longNumbers: [] }
    : { body: bytes.toString("base64"), encoding: "base64", longNumbers: [] };
}

/** Undefined when a service says JSON and sends something else, or nests it too deeply: it is handed on as the text it is. */
function tryJson(text: string): ReadJson | undefined {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof SyntaxError || isOvenError(error)) return undefined;
    throw error;
  }
}

function unexpectedStatus(method: string, { origin, pathname }: URL, response: Response, body: Json): OvenError {
  const { status } = response;
  const retryAfterMs = status === 429 || status === 503 ? toRetryAfter(response.headers.get("retry-after")) : undefined;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  // The query may hold keys, so the message goes without.
  return new OvenError("HTTP_STATUS", `${method} ${origin}${pathname} answered ${status}`, {
    status: 502,
    fix: "Check the request; name the status in expectedStatus if it is not a failure, or set anyStatus.",
    details: { status, body: text.slice(0, EXCERPT) },
    retryable: status === 408 || status === 429 || status >= 500,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Seconds, or a date. */
function toRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}
