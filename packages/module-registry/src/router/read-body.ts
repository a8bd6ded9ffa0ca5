import { isOvenError, OvenError, type ReadJson, readJson } from "@oven/contract";
import { decodeText, mediaTypeOf } from "@oven/contract/text";

export const DEFAULT_BODY_LIMIT = 1_048_576;
/** Schemas, JSON.stringify and the database all recurse. */
const MAX_DEPTH = 500;

/**
 * The JSON body, counted while it is read: a chunked body has no Content-Length to trust. Undefined: there is none.
 * @throws OvenError BODY_TOO_LARGE 413, UNSUPPORTED_MEDIA_TYPE 415, TEXT_UNDECODABLE 400, INVALID_JSON 400, also for a body nested too deep
 */
export async function readJsonBody(request: Request, limit: number): Promise<ReadJson | undefined> {
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return undefined;
  const contentType = request.headers.get("content-type");
  const type = mediaTypeOf(contentType);
  if (type !== "application/json") {
    throw new OvenError("UNSUPPORTED_MEDIA_TYPE", `The body must be application/json, not ${type || "untyped"}`, {
      status: 415,
      fix: "Send `Content-Type: application/json`.",
    });
  }
  const read = parseBody(decodeText(bytes, { contentType, what: "The body", path: "$" }).text);
  if (isTooDeep(read.value)) {
    throw new OvenError("INVALID_JSON", `The body is nested deeper than ${MAX_DEPTH} levels`, {
      fix: "Flatten it.",
      path: "$",
    });
  }
  return read;
}

function parseBody(text: string): ReadJson {
  try {
    return readJson(text);
  } catch (error) {
    if (isOvenError(error)) throw error;
    throw new OvenError(
      "INVALID_JSON",
      `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      {
        fix: "Check brackets, quotes and commas.",
        path: "$",
      },
    );
  }
}

/** Whether JSON from outside is nested deeper than what handles it can follow. */
export function isTooDeep(value: unknown): boolean {
  return isDeeperThan(value, MAX_DEPTH);
}

/** Iterative: what it guards is everything behind it that is not. */
function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/**
 * The same request with its body read and counted, for handlers that parse it themselves.
 * @throws OvenError BODY_TOO_LARGE 413
 */
export async function limitBody(request: Request, limit: number): Promise<Request> {
  return hasNone(request) ? request : withBody(request, await readBytes(request, limit));
}

/** The same request with its body, which was read, to be read again. */
export function withBody(request: Request, body: Uint8Array<ArrayBuffer>, signal = request.signal): Request {
  const { url, method, headers } = request;
  return new Request(url, { method, headers, signal, ...(body.byteLength === 0 ? {} : { body }) });
}

/** @throws OvenError BODY_TOO_LARGE 413 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (hasNone(request)) return new Uint8Array();
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > limit) throw tooLarge(limit);
  // More than what was announced does not belong to this request any more; as a stream it would take several times as long.
  if (announced !== null) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.byteLength > limit) throw tooLarge(limit);
    return bytes;
  }
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, size));
}

function hasNone({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

function tooLarge(limit: number): OvenError {
  return new OvenError("BODY_TOO_LARGE", `The body is larger than ${limit} bytes`, {
    status: 413,
    fix: `Send at most ${limit} bytes.`,
    details: { limit },
  });
}
