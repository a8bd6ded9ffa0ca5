import { graphqlIntrospection, readApiDocument, readCurl } from "@oven/api-documents";
import { isOvenError, OvenError } from "@oven/contract";
import type { ApiDocument, ApiSource } from "@oven/contract/api";
import { decodeText } from "@oven/contract/text";
import type { OutboundService } from "@oven/module-registry";
import type { Signature } from "../accounts/sign-request.ts";

const TIMEOUT_MS = 30_000;
const MOST_BYTES = 32 * 1_048_576;
const MOST_OPERATIONS = 5_000;

/** How a document is asked for. */
export interface Reading {
  outbound: OutboundService;
  tenantId: number;
  /** Of a GraphQL API, which may tell its schema only to those it knows. Documents of OpenAPI are asked for without. */
  signature?: Signature | undefined;
  signal: AbortSignal;
}

/**
 * Reads the description of an API.
 * @throws OvenError API_DOCUMENT_UNREADABLE, OUTBOUND_*, SECRET_*
 */
export async function readSource(source: ApiSource, reading: Reading): Promise<ApiDocument> {
  const document = await read(source, reading);
  if (document.operations.length === 0)
    throw new OvenError("API_DOCUMENT_UNREADABLE", "The document describes no operation", {
      status: 422,
      fix: "Give the address of the OpenAPI document itself, not of a page that shows it.",
    });
  if (document.operations.length <= MOST_OPERATIONS) return document;
  return {
    ...document,
    operations: document.operations.slice(0, MOST_OPERATIONS),
    notes: [
      ...document.notes,
      `It describes ${document.operations.length} operations; the first ${MOST_OPERATIONS} are read`,
    ],
  };
}

async function read(source: ApiSource, reading: Reading): Promise<ApiDocument> {
  const { signal } = reading;
  switch (source.type) {
    case "text":
      return /^\s*(\$\s+)?curl\s/.test(source.text) ? readCurl(source.text) : readApiDocument(source.text, { signal });
    case "url":
      return readApiDocument(await fetchText(source.url, reading, {}), { baseUrl: source.url, signal });
    case "graphql":
      return readApiDocument(await introspect(source.url, reading), { baseUrl: source.url, signal });
  }
}

function introspect(url: string, reading: Reading): Promise<string> {
  const { headers = {}, query = {} } = reading.signature ?? {};
  return fetchText(url, reading, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    query,
    body: JSON.stringify({ query: graphqlIntrospection }),
  });
}

async function fetchText(
  url: string,
  { outbound, tenantId, signal }: Reading,
  init: Parameters<OutboundService["fetch"]>[1],
): Promise<string> {
  const response = await outbound.fetch(url, {
    headers: { accept: "application/json, application/yaml, text/yaml, */*" },
    tenantId,
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MOST_BYTES,
    ...init,
  });
  const { origin, pathname } = new URL(url);
  const what = `${origin}${pathname}`;
  if (!response.ok) {
    await response.body?.cancel();
    throw new OvenError("API_DOCUMENT_UNREADABLE", `${what} answered ${response.status}`, {
      status: 502,
      fix: "Check the address in a browser; a document behind a sign-in can be sent as text.",
      retryable: response.status >= 500 || response.status === 429,
    });
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  try {
    return decodeText(bytes, { contentType: response.headers.get("content-type"), what, status: 502 }).text;
  } catch (error) {
    if (!isOvenError(error)) throw error;
    throw new OvenError("API_DOCUMENT_UNREADABLE", error.message, { status: 502, cause: error });
  }
}
