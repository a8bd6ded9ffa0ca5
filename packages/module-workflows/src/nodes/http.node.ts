import { type Json, JsonSchema, OvenError, refuseLongNumbers } from "@oven/contract";
import { type SecretReference, SecretReferenceSchema } from "@oven/contract/access";
import { defineNode, done, urlSecretProblem } from "@oven/module-registry";
import { z } from "zod";
import { readHttpAnswer, toRetryAfter } from "./http-answer.ts";
import { BODY_TYPES, type BodyType, toHttpBody } from "./http-body.ts";

const MAX_BYTES = 2 * 1_048_576;
const EXCERPT = 2_000;

const DEFAULT_METHOD = "GET";

const WITH_BODY = ["POST", "PUT", "PATCH", "DELETE"];

/** A name that stands in the URL in braces. */
const UrlSecretNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, "a name of letters, digits, dashes and underscores, as it stands in braces");

const HttpInput = z
  .strictObject({
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).default(DEFAULT_METHOD),
    url: z.string().min(1).describe("http or https, on the public internet or allowed by the operator"),
    urlSecrets: z
      .record(UrlSecretNameSchema, SecretReferenceSchema)
      .default({})
      .meta({ title: "Secrets in the URL" })
      .describe(
        "Filled in on the way out for `{name}` in the path or the query of the URL, for the hosts of the secret: `https://api.example.com/bot{token}/send` with `token`",
      ),
    query: z
      .record(
        z.string(),
        z.union([
          z.union([z.string(), z.number(), z.boolean(), z.null()]).meta({ title: "Value" }),
          SecretReferenceSchema,
        ]),
      )
      .default({})
      .describe("Added to the URL; null leaves a parameter out. A secret is filled in on the way out, as in headers"),
    headers: z
      .record(z.string(), z.union([z.string(), SecretReferenceSchema]))
      .default({})
      .describe(
        'Text, or `{"$secret": "name", "prefix": "Bearer "}`: filled in on the way out, for the hosts of the secret',
      ),
    body: JsonSchema.optional().describe("Any JSON, text, or the fields of a form"),
    bodyType: z
      .enum(BODY_TYPES)
      .default("json")
      .describe(
        "`text` sends a text body as it stands, `form` fields as application/x-www-form-urlencoded, `multipart` fields and files (`{filename, blob}`) as multipart/form-data",
      ),
    charset: z
      .string()
      .min(1)
      .max(40)
      .optional()
      .describe("Charset of the answer's text, such as `windows-1252`, instead of what the service declares"),
    timeoutMs: z
      .int()
      .positive()
      .max(300_000)
      .default(30_000)
      .meta({ title: "Longest silence" })
      .describe("How long nothing may arrive: until the answer begins, and between two pieces of it"),
    maxTotalMs: z
      .int()
      .positive()
      .max(3_600_000)
      .default(300_000)
      .meta({ title: "Longest duration" })
      .describe("How long the whole request may take, however much arrives"),
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
  .superRefine(
    ({ url, urlSecrets }, context) => {
      // Before a run the URL may be unknown.
      if (typeof url !== "string") return;
      const problem = urlSecretProblem(url, Object.keys(urlSecrets ?? {}));
      if (problem === undefined) return;
      const { name, message, fix } = problem;
      context.addIssue({ code: "custom", path: ["urlSecrets", name], message, params: { readsNames: true, fix } });
    },
    // It reads no values but the URL, so it looks also where another input is known in a run only.
    { when: ({ value }) => typeof value === "object" && value !== null },
  )
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
    "",
    "Text is read in the charset of its byte order mark, its `Content-Type`, its XML declaration or `<meta charset>`, else as UTF-8; `charset` says which it was. Text that cannot be read is the error TEXT_UNDECODABLE.",
    "",
    "Only public addresses are reached, also after redirects; an operator may allow others with OVEN_OUTBOUND_ALLOW. An answer may have 2 MiB.",
    "An answer that arrives bit by bit, such as a stream of events, is not cut while something arrives: `timeoutMs` counts each silence, `maxTotalMs` the whole request. It is answered once it is complete.",
    "A form is an object: a list is its name several times, null is left out. An object or text under the header `Content-Type: application/x-www-form-urlencoded` is sent as that form. A file is `{filename, blob}`, as webhooks and mails hand it on, or a reference to stored content.",
    "",
    'A credential belongs into a secret: `{"$secret": "name"}` as the value of a header or a parameter of `query` is filled in on the way out, only for the hosts that the secret is bound to, and is in no record of the run. With `user` beside it in a header it is the password of basic authentication.',
    'Where the URL itself holds it, `{token}` stands there and the secret in `urlSecrets`: `{"token": {"$secret": "name"}}`. It may stand in the path and the query, never in the host. Without an entry `{token}` is sent as it is.',
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
    status: z.int().meta({ examples: [200] }),
    headers: z.record(z.string(), z.string()),
    body: JsonSchema.meta({ "x-type-from": { sample: "body" } }),
    encoding: z.enum(["json", "text", "base64"]),
    charset: z.string().optional().describe("Of a text or JSON, as the Encoding Standard names it"),
  }),
  async run({ input, signal, services, idempotencyKey, principal: { tenantId } }) {
    const url = toUrl(input);
    const body = await bodyOf(input, { blobs: services.blobs, tenantId });
    const headers = withDefault(input.headers, "idempotency-key", idempotencyKey());
    const response = await services.outbound.fetch(input.url, {
      method: input.method,
      urlSecrets: input.urlSecrets,
      query: toParameters(input.query),
      headers: body === undefined ? headers : withContentType(headers, input.bodyType, body.contentType),
      tenantId,
      ...(body === undefined ? {} : { body: body.bytes }),
      signal,
      timeoutMs: input.timeoutMs,
      maxTotalMs: input.maxTotalMs,
      maxBytes: MAX_BYTES,
    });
    const expected = isExpected(response.status, input);
    const { longNumbers, ...content } = await readHttpAnswer(response, {
      redact: (text) => services.secrets.redact(tenantId, text),
      charset: input.charset,
      // What a failure says is read as far as it can be: its status is the news.
      malformed: expected ? "refuse" : "mark",
      what: `What ${url.origin} answered`,
    });
    if (!expected) throw unexpectedStatus(input.method, shownUrl(url, input), response, content.body);
    if (input.longNumbers === "refuse") refuseLongNumbers(longNumbers, ANSWER);
    return done({ status: response.status, headers: Object.fromEntries(response.headers), ...content });
  },
});

const ANSWER = {
  what: "The answer of the service",
  root: "$.body",
  fix: "Set `longNumbers` to `text`: such numbers are then handed on as text.",
};

function toUrl({ url }: HttpInput): URL {
  const parsed = URL.parse(url);
  if (parsed !== null) return parsed;
  throw new OvenError("OUTBOUND_REFUSED", `${JSON.stringify(url.slice(0, 200))} is not a URL`, {
    path: "$.url",
    fix: "Write it as https://host/path.",
  });
}

function toParameters(query: HttpInput["query"]): Record<string, string | SecretReference> {
  const given = Object.entries(query).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === "object" && value !== null ? value : String(value)]),
  );
}

/** With the names of secrets as they were written. The query may hold keys, so it is left out. */
function shownUrl({ origin, pathname }: URL, { urlSecrets }: HttpInput): string {
  return Object.keys(urlSecrets).reduce(
    (shown, name) => shown.replaceAll(`%7B${name}%7D`, `{${name}}`),
    `${origin}${pathname}`,
  );
}

type RequestHeaders = Record<string, string | SecretReference>;

/** Names of headers have no case. */
function withDefault(headers: RequestHeaders, name: string, value: string): RequestHeaders {
  const has = Object.keys(headers).some((given) => given.toLowerCase() === name);
  return has ? headers : { ...headers, [name]: value };
}

/** The header of a step stays as it is written, but for the boundary of a multipart form, which only the body knows. */
function withContentType(headers: RequestHeaders, bodyType: BodyType, contentType: string): RequestHeaders {
  if (bodyType !== "multipart") return withDefault(headers, "content-type", contentType);
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type");
  return { ...Object.fromEntries(others), "content-type": contentType };
}

async function bodyOf({ body, bodyType, headers }: HttpInput, files: Parameters<typeof toHttpBody>[3]) {
  if (body === undefined) return undefined;
  const given = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return toHttpBody(body, bodyType, typeof given === "string" ? given : undefined, files);
}

function isExpected(status: number, { expectedStatus, anyStatus }: HttpInput): boolean {
  if (anyStatus) return true;
  return expectedStatus === undefined ? status >= 200 && status < 300 : expectedStatus.includes(status);
}

function unexpectedStatus(method: string, shown: string, response: Response, body: Json): OvenError {
  const { status } = response;
  const retryAfterMs = status === 429 || status === 503 ? toRetryAfter(response.headers.get("retry-after")) : undefined;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new OvenError("HTTP_STATUS", `${method} ${shown} answered ${status}`, {
    status: 502,
    fix: "Check the request; name the status in expectedStatus if it is not a failure, or set anyStatus.",
    details: { status, body: text.slice(0, EXCERPT) },
    retryable: status === 408 || status === 429 || status >= 500,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
