import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import {
  isOvenError,
  type Json,
  type JsonObject,
  type LongNumber,
  OvenError,
  type ReadJson,
  readJson,
} from "@oven/contract";
import { decodeText, isTextType, mediaTypeOf } from "@oven/contract/text";
import { initialContext, isObject, readPath, setOwn } from "@oven/engine";
import {
  type FormFile,
  isMultipart,
  isTooDeep,
  readMultipart,
  readUrlEncoded,
  type SignatureStyle,
} from "@oven/module-registry";

/** Headers that may prove who somebody is, or that only say how the request travelled. */
const KEPT_BACK =
  /authorization|cookie|signature|secret|password|token|api-?key|^(x-forwarded-.*|forwarded|x-real-ip|connection|host|content-length|transfer-encoding)$/i;

/** What came in, the numbers in it that only fit as text, and the files of a form with their places in it: each gets its `blob` once it is stored. */
export interface ReadWebhook {
  payload: JsonObject;
  longNumbers: readonly LongNumber[];
  files: { place: JsonObject; file: FormFile }[];
}

export interface WebhookReading {
  style: SignatureStyle | undefined;
  /** A label for bodies and queries that declare nothing. */
  charset?: string | undefined;
  /** Files of a form. */
  maxFiles: number;
}

/**
 * What arrives at the trigger: `{body, headers, query, method}`. JSON and forms are parsed, other text is text, and bytes that
 * are no text are `{base64}`. Text is read in the charset that it declares.
 * @throws OvenError INVALID_JSON 400, TEXT_UNDECODABLE 400, UPLOAD_INVALID 400
 */
export function readWebhook(request: Request, body: Uint8Array, reading: WebhookReading): ReadWebhook {
  const { style, charset: assumed } = reading;
  const headers: JsonObject = {};
  for (const [name, value] of request.headers)
    if (!KEPT_BACK.test(name) && !style?.headers.includes(name)) setOwn(headers, name, value);
  const query = Buffer.from(new URL(request.url).search.slice(1));
  const files: ReadWebhook["files"] = [];
  const read = parseBody(request.headers.get("content-type"), body, reading, files);
  const payload = {
    body: read.value,
    headers,
    query: toObject(readUrlEncoded(query, { contentType: "", assumed, path: "$.query" })),
    method: request.method,
  };
  const longNumbers = read.longNumbers.map(({ path, text }) => ({ path: ["body", ...path], text }));
  return { payload, longNumbers, files };
}

function parseBody(
  contentType: string | null,
  body: Uint8Array,
  { charset: assumed, maxFiles }: WebhookReading,
  files: ReadWebhook["files"],
): ReadJson {
  const as = (value: Json): ReadJson => ({ value, longNumbers: [] });
  if (body.byteLength === 0) return as(null);
  const path = "$.body";
  if (isMultipart(contentType)) {
    const entries = readMultipart(body, { contentType, assumed, path }).map((entry): [string, Json] => {
      if ("value" in entry) return [entry.name, entry.value];
      const { filename, contentType, data } = entry.file;
      const place: JsonObject = { filename, contentType, sizeBytes: data.byteLength };
      files.push({ place, file: entry.file });
      return [entry.name, place];
    });
    if (files.length > maxFiles) throw tooManyFiles(files.length, maxFiles);
    return as(toObject(entries));
  }
  const type = mediaTypeOf(contentType);
  if (type === "application/x-www-form-urlencoded")
    return as(toObject(readUrlEncoded(body, { contentType: contentType ?? "", assumed, path })));
  if (!isTextType(type) && !isUtf8(body)) return as({ base64: Buffer.from(body).toString("base64") });
  const { text } = decodeText(body, { contentType, assumed, what: "The body", path });
  return type === "application/json" || type.endsWith("+json") ? parseJson(text) : as(text);
}

function tooManyFiles(count: number, limit: number): OvenError {
  return new OvenError("UPLOAD_INVALID", `The form has ${count} files, and ${limit} are taken`, {
    fix: "Send fewer files at once, or raise `maxFiles` of the trigger.",
  });
}

function parseJson(text: string): ReadJson {
  let read: ReadJson;
  try {
    read = readJson(text);
  } catch (error) {
    if (isOvenError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OvenError("INVALID_JSON", `The body is not JSON: ${reason}`, { path: "$", fix: "Check its syntax." });
  }
  if (isTooDeep(read.value))
    throw new OvenError("INVALID_JSON", "The body is nested too deeply", { path: "$", fix: "Flatten it." });
  return read;
}

/** A name that comes more than once has a list. */
function toObject(pairs: readonly [string, Json][]): JsonObject {
  const values = new Map<string, Json[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  const object: JsonObject = {};
  for (const [name, list] of values) setOwn(object, name, list.length === 1 ? (list[0] ?? null) : list);
  return object;
}

/** Slack asks once, when an address is entered, and wants its word back. */
export function challengeOf(style: SignatureStyle | undefined, { body }: JsonObject): Json | undefined {
  if (!style?.headers.includes("x-slack-signature") || !isObject(body)) return undefined;
  const { type, challenge } = body;
  return type === "url_verification" ? challenge : undefined;
}

/** What the sender calls this delivery; undefined: each request is one of its own. */
export function deliveryIdOf(
  configured: string | undefined,
  style: SignatureStyle | undefined,
  headers: Headers,
  payload: JsonObject,
): string | undefined {
  const source = toSource(configured) ?? style?.deliveryId;
  if (source === undefined) return undefined;
  const found = "header" in source ? headers.get(source.header) : readAt(payload, source.path);
  if (found === null || found === undefined || found === "") return undefined;
  const text = typeof found === "string" ? found : JSON.stringify(found);
  // An index takes so much.
  return text.length <= 200 ? text : `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function toSource(configured: string | undefined): SignatureStyle["deliveryId"] {
  if (configured === undefined) return undefined;
  return configured.startsWith("$") ? { path: configured } : { header: configured };
}

function readAt(payload: JsonObject, path: string): Json | undefined {
  return readPath({ context: initialContext({}, payload), trigger: payload, execution: {} }, path);
}
