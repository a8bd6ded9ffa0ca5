import { isUtf8 } from "node:buffer";
import { isOvenError, type Json, type LongNumber, type ReadJson, readJson } from "@oven/contract";
import { decodeText, isTextType } from "@oven/contract/text";
import { isTooDeep } from "@oven/module-registry";

const MAX_RETRY_AFTER_MS = 3_600_000;

/** The body of an answer, for a run. */
export interface HttpAnswer {
  body: Json;
  encoding: "json" | "text" | "base64";
  charset?: string;
  longNumbers: readonly LongNumber[];
}

export interface ReadingAnswer {
  /** What is answered may have the credential in it; in base64 it could not be found any more. */
  redact(text: string): string;
  charset: string | undefined;
  malformed: "refuse" | "mark";
  what: string;
}

/**
 * JSON as such, text as text, anything else in base64.
 * @throws OvenError TEXT_UNDECODABLE, OUTBOUND_TOO_LARGE, OUTBOUND_TIMEOUT
 */
export async function readHttpAnswer(response: Response, reading: ReadingAnswer): Promise<HttpAnswer> {
  const { redact, ...how } = reading;
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.byteLength === 0) return { body: "", encoding: "text", longNumbers: [] };
  const contentType = response.headers.get("content-type");
  if (!isText(bytes, contentType)) {
    const clean = Buffer.from(redact(Buffer.from(bytes).toString("latin1")), "latin1");
    return { body: clean.toString("base64"), encoding: "base64", longNumbers: [] };
  }
  const fix = "Set `charset` of the step to the charset that the service sends.";
  const decoded = decodeText(bytes, { ...how, contentType, status: 502, fix });
  const { charset } = decoded;
  const text = redact(decoded.text);
  if (/^application\/([\w.+-]+\+)?json\b/i.test(contentType ?? "")) {
    const parsed = tryJson(text);
    if (parsed !== undefined && !isTooDeep(parsed.value))
      return { body: parsed.value, encoding: "json", charset, longNumbers: parsed.longNumbers };
  }
  return { body: text, encoding: "text", charset, longNumbers: [] };
}

/** What has no type is text if it is UTF-8. */
function isText(bytes: Uint8Array, contentType: string | null): boolean {
  return contentType === null || contentType === "" ? isUtf8(bytes) : isTextType(contentType);
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

/** What a `Retry-After` header asks for, in milliseconds, an hour at most: seconds, or a date. */
export function toRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}
