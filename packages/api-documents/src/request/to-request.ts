import { getOwn, isObject, type Json, type JsonObject } from "@oven/contract";
import type { ApiBody, ApiOperation, ApiParameter } from "@oven/contract/api";
import { toFormFields, toMultipartFields } from "./form-fields.ts";
import { invalid } from "./invalid.ts";
import { toJsonText } from "./json-text.ts";
import { toHeaderValue, toPathPart, toQueryParts } from "./write-parameter.ts";

/** A file of a form, or a body that is one: its content is read by the reference when the request is sent. */
export type ApiFile = JsonObject;

/** The body of a request, before it is bytes. */
export type ApiRequestBody =
  | { kind: "none" }
  /** Written with `JSON.stringify`, under the `content-type` of the headers. */
  | { kind: "json"; value: Json }
  /** Names and values in order, for `application/x-www-form-urlencoded`. */
  | { kind: "form"; value: [name: string, value: string][] }
  /** Names and values in order, for `multipart/form-data`; the sender writes the `content-type` with its boundary. */
  | { kind: "multipart"; value: [name: string, value: string | ApiFile][] }
  /** Sent as it is, under the `content-type` of the headers. */
  | { kind: "text"; value: string }
  /** The bytes of a file, under the `content-type` of the headers. */
  | { kind: "file"; value: ApiFile };

/** A request to an API, without what the sign-in adds. */
export interface ApiRequest {
  method: ApiOperation["method"];
  /** Absolute: the server with path and query. */
  url: string;
  /** By names in lower case. */
  headers: Record<string, string>;
  body: ApiRequestBody;
}

/**
 * Makes the request of an operation. Each value stays at its place: none in the path leaves its segment, none in the query or a header
 * begins another one. The input should have been checked by the operation's `inputSchema`.
 * @param serverUrl where the API is, unless the operation names another server
 * @throws OvenError INPUT_INVALID with the path of what cannot be written
 */
export function toRequest(operation: ApiOperation, input: JsonObject, serverUrl: string): ApiRequest {
  const values: JsonObject = { ...operation.defaults, ...input };
  const headers = toHeaders(operation, values);
  const body =
    operation.query === null
      ? toBody(operation.body, values, operation.inputSchema)
      : toQueryBody(operation.query, values);
  const contentType = contentTypeOf(operation.body, body);
  if (contentType !== null) headers["content-type"] = contentType;
  return {
    method: operation.method,
    url: toUrl(operation, values, operation.serverUrl ?? serverUrl),
    headers,
    body,
  };
}

function toUrl({ path, parameters }: ApiOperation, values: JsonObject, serverUrl: string): string {
  // Some documents tell operations of one path apart by a query or a fragment in it; a fragment is never sent.
  const [place = "", fixed] = (path.split("#", 1)[0] ?? "").split("?", 2);
  const filled = place.split("/").map((segment) => toSegment(segment, parameters, values));
  const query = [
    ...(fixed === undefined || fixed === "" ? [] : [toFixedQuery(fixed, parameters, values)]),
    ...parameters
      .filter((parameter) => parameter.in === "query")
      .flatMap((parameter) => toQueryParts(parameter, getOwn(values, parameter.property))),
  ];
  const server = URL.parse(serverUrl);
  if (server === null)
    throw invalid(
      "$",
      `${JSON.stringify(serverUrl.slice(0, 200))} is no address of a server`,
      "Correct the connection.",
    );
  const base = `${server.origin}${server.pathname.replace(/\/+$/, "")}`;
  return `${base}${filled.join("/")}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

/** One part of the path between two slashes, with its parameters filled in. */
function toSegment(segment: string, parameters: readonly ApiParameter[], values: JsonObject): string {
  const names: string[] = [];
  const filled = segment
    .split(/(\{[^{}]+\})/)
    .map((part, at) => {
      if (at % 2 === 0) return encodeLiteral(part);
      const name = part.slice(1, -1);
      const parameter = parameters.find((each) => each.in === "path" && each.name === name);
      if (parameter === undefined) return encodeLiteral(part);
      names.push(parameter.property);
      return toPathPart(parameter, getOwn(values, parameter.property));
    })
    .join("");
  // Also with its dots encoded it would lead to another path.
  if (names.length > 0 && /^(?:\.|%2e){1,2}$/i.test(filled))
    throw invalid(`$.${names[0]}`, "A part of a path cannot be . or ..", "Give the name or id of what is meant.");
  return filled;
}

/** The query that stands in the path itself, with parameters of the path filled in. */
function toFixedQuery(query: string, parameters: readonly ApiParameter[], values: JsonObject): string {
  return query.replace(/\{([^{}]+)\}|[^A-Za-z0-9\-._~!$'()*,;:@/?&=%+]/gu, (whole, name: string | undefined) => {
    const parameter = parameters.find((each) => each.in === "path" && each.name === name);
    return parameter === undefined
      ? encodeURIComponent(whole)
      : toPathPart(parameter, getOwn(values, parameter.property));
  });
}

/** What the document itself has in the path. */
function encodeLiteral(part: string): string {
  return part.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@%]/gu, (character) => encodeURIComponent(character));
}

function toHeaders({ parameters, accept }: ApiOperation, values: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {};
  if (accept !== null) headers.accept = accept;
  for (const parameter of parameters) {
    if (parameter.in !== "header") continue;
    const value = toHeaderValue(parameter, getOwn(values, parameter.property));
    if (value !== undefined) headers[parameter.name.toLowerCase()] = value;
  }
  return headers;
}

function toBody(body: ApiBody | null, values: JsonObject, schema: JsonObject): ApiRequestBody {
  if (body === null) return { kind: "none" };
  const value = bodyValue(body, values);
  if (value === undefined) return { kind: "none" };
  const path = `$${body.property === null ? "" : `.${body.property}`}`;
  switch (body.kind) {
    case "json":
      return toJsonBody(body, value, schema);
    case "form":
      return { kind: "form", value: toFormFields(fieldsOf(value, path), body.fields) };
    case "multipart":
      return { kind: "multipart", value: toMultipartFields(fieldsOf(value, path), body.fields) };
    case "text":
      return { kind: "text", value: typeof value === "string" ? value : JSON.stringify(value) };
    case "file":
      if (isObject(value)) return { kind: "file", value };
      throw invalid(path, "The body must be a file", "Give {filename, blob} with a reference to content.");
  }
}

function bodyValue(body: ApiBody, values: JsonObject): Json | undefined {
  if (body.property !== null) return getOwn(values, body.property);
  const given = Object.entries(body.properties).filter(([property]) => Object.hasOwn(values, property));
  if (given.length === 0) return body.required ? {} : undefined;
  return Object.fromEntries(given.map(([property, name]) => [name, values[property] ?? null]));
}

function toJsonBody(body: ApiBody, value: Json, schema: JsonObject): ApiRequestBody {
  const text = toJsonText(value, schema, body);
  return text === undefined ? { kind: "json", value } : { kind: "text", value: text };
}

/** Null: the sender says it. */
function contentTypeOf(declared: ApiBody | null, body: ApiRequestBody): string | null {
  if (body.kind === "none" || body.kind === "multipart") return null;
  if (body.kind === "form") return "application/x-www-form-urlencoded";
  return declared?.mediaType ?? "application/json";
}

function toQueryBody(query: string, variables: JsonObject): ApiRequestBody {
  return { kind: "json", value: Object.keys(variables).length === 0 ? { query } : { query, variables } };
}

function fieldsOf(value: Json, path: string): JsonObject {
  if (isObject(value)) return value;
  throw invalid(path, "A form must be an object of its fields", 'Write it as {"name": "value"}.');
}
