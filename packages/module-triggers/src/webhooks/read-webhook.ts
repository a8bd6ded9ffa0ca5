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
import { initialContext, isObject, readPath, setOwn } from "@oven/engine";
import { isTooDeep } from "@oven/module-registry";
import type { SignatureStyle } from "./signature-config.ts";

/** Headers that may prove who somebody is, or that only say how the request travelled. */
const KEPT_BACK =
  /authorization|cookie|signature|secret|password|token|api-?key|^(x-forwarded-.*|forwarded|x-real-ip|connection|host|content-length|transfer-encoding)$/i;

/** What arrives at the trigger, and the numbers in it that only fit as text. */
export interface ReadWebhook {
  payload: JsonObject;
  longNumbers: readonly LongNumber[];
}

/**
 * What arrives at the trigger: `{body, headers, query, method}`. JSON and forms are parsed, other text is text, and bytes that
 * are no text are `{base64}`.
 * @throws OvenError INVALID_JSON 400
 */
export function readWebhook(request: Request, body: Uint8Array, style: SignatureStyle | undefined): ReadWebhook {
  const headers: JsonObject = {};
  for (const [name, value] of request.headers)
    if (!KEPT_BACK.test(name) && !style?.headers.includes(name)) setOwn(headers, name, value);
  const read = parseBody(request.headers.get("content-type"), body);
  return {
    payload: {
      body: read.value,
      headers,
      query: toObject(new URL(request.url).searchParams),
      method: request.method,
    },
    longNumbers: read.longNumbers.map(({ path, text }) => ({ path: ["body", ...path], text })),
  };
}

function parseBody(contentType: string | null, body: Uint8Array): ReadJson {
  const as = (value: Json): ReadJson => ({ value, longNumbers: [] });
  if (body.byteLength === 0) return as(null);
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  const text = toText(body);
  if (text === undefined) return as({ base64: Buffer.from(body).toString("base64") });
  if (type === "application/json" || type.endsWith("+json")) return parseJson(text);
  if (type === "application/x-www-form-urlencoded") return as(toObject(new URLSearchParams(text)));
  return as(text);
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

function toText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** A name that comes more than once has a list. */
function toObject(pairs: URLSearchParams): JsonObject {
  const object: JsonObject = {};
  for (const name of new Set(pairs.keys())) {
    const values = pairs.getAll(name);
    setOwn(object, name, values.length === 1 ? (values[0] ?? "") : values);
  }
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
