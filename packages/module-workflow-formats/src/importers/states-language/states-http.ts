import { type Json, type JsonObject, toSlug } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { safeRequest } from "../../importing/safe-request.ts";
import { caughtOf, retryOf } from "./states-errors.ts";
import type { Mapped, Mapping } from "./states-mapping.ts";

/** The Task that makes a request. */
export const HTTP = "arn:aws:states:::http:invoke";
/** Fields of such a Task. */
export const HTTP_FIELDS =
  "Resource InputPath Parameters ResultSelector ResultPath OutputPath Retry Catch TimeoutSeconds Credentials";

const KNOWN = new Set([
  "ApiEndpoint",
  "Method",
  "Authentication",
  "InvocationConfig",
  "Headers",
  "QueryParameters",
  "RequestBody",
  "Transform",
]);
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const BARE = new Set(["GET", "HEAD"]);
const FORM = "application/x-www-form-urlencoded";
/** A request there may take a minute. */
const LONGEST_MS = 60_000;

/** A request as core.http. @throws NoEquivalent */
export function mapHttp(mapping: Mapping): Mapped {
  const { state, id, data, reporter } = mapping;
  const { spec, name, path } = state;
  const { Parameters: given } = spec;
  if (!isObject(given)) throw new NoEquivalent("it says nothing about its request");
  const filled = data.through(spec.InputPath).template(given);
  if (!isObject(filled)) throw new NoEquivalent("it says nothing about its request");
  const other = Object.keys(filled).find((key) => !KNOWN.has(key));
  if (other !== undefined) throw new NoEquivalent(`its request has ${other}, which has no exact equivalent`);
  const { Method: method = "GET", ApiEndpoint: url } = filled;
  if (typeof method !== "string" || !METHODS.has(method))
    throw new NoEquivalent(`the method ${JSON.stringify(method)} is not known`);
  if (url === undefined) throw new NoEquivalent("it has no address");
  const notes = ["Of its answer StatusCode and ResponseBody are handed on, not Headers and StatusText."];
  const headers = pairsOf(filled.Headers, "Headers");
  const input: Record<string, Json> = {
    ...{ method, url, timeoutMs: LONGEST_MS, maxTotalMs: LONGEST_MS },
    ...withFields("query", pairsOf(filled.QueryParameters, "QueryParameters")),
    ...withFields("headers", headers),
    ...bodyOf(filled, method, headers, notes),
  };
  const isRepeatable = BARE.has(method) || method === "PUT" || method === "DELETE";
  const retry = retryOf(spec, isRepeatable, notes);
  const caught = caughtOf(mapping);
  const safe = safeRequest(input, { name, path, reporter, notes });
  const connection = filled.Authentication ?? filled.InvocationConfig;
  if (connection !== undefined) {
    const secret = toSlug(`${name} connection`);
    const signed: JsonObject = isObject(safe.headers) ? { ...safe.headers } : {};
    for (const key of Object.keys(signed)) if (key.toLowerCase() === "authorization") delete signed[key];
    setOwn(signed, "Authorization", { $secret: secret });
    safe.headers = signed;
    const advice = "Make a secret with what its connection sends as Authorization, for the host of this request.";
    reporter.setting("credential", secret, advice, path);
    notes.push(
      `How its connection signs in is not in the document: the secret ${secret} is sent as Authorization. Put it into another header or parameter if the connection does, and add what else it sends.`,
    );
  }
  const seconds = spec.TimeoutSeconds;
  if (seconds !== undefined && (typeof seconds !== "number" || !Number.isInteger(seconds) || seconds < 1))
    throw new NoEquivalent("how long it may take is not written out");
  const answer = { root: `$.${id}_output`, segments: [] };
  const result = data.seeing({
    fields: {
      ResponseBody: { ...answer, segments: ["body"] },
      StatusCode: { ...answer, segments: ["status"] },
    },
  });
  const value = spec.ResultSelector === undefined ? result.value("$") : result.template(spec.ResultSelector);
  const targets = typeof spec.Next === "string" ? [state.keyOf(spec.Next)] : [];
  return {
    invoke: {
      src: "core.http",
      input: safe,
      ...(seconds === undefined ? {} : { timeoutMs: Number(seconds) * 1_000 }),
      retry,
    },
    ways: [{ targets, actions: data.results(spec, value) }],
    ...caught,
    notes,
  };
}

const withFields = (key: string, fields: JsonObject): JsonObject =>
  Object.keys(fields).length === 0 ? {} : { [key]: fields };

function pairsOf(value: Json | undefined, what: string): JsonObject {
  if (value === undefined) return {};
  if (!isObject(value)) throw new NoEquivalent(`its ${what} are computed as a whole`);
  const pairs: JsonObject = {};
  for (const [key, one] of Object.entries(value)) {
    const isComputed = isObject(one) && ("$cel" in one || "$literal" in one);
    if (typeof one === "object" && !isComputed) throw new NoEquivalent(`${key} of its ${what} is no text`);
    setOwn(pairs, key, typeof one === "object" || typeof one === "string" ? one : String(one));
  }
  return pairs;
}

function bodyOf(filled: JsonObject, method: string, headers: JsonObject, notes: string[]): JsonObject {
  const { RequestBody: body, Transform: transform } = filled;
  if (body === undefined) return {};
  if (BARE.has(method)) throw new NoEquivalent(`it sends a body with ${method}`);
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const encoding = isObject(transform) ? transform.RequestBodyEncoding : undefined;
  if (encoding === "URL_ENCODED") {
    const options =
      isObject(transform) && isObject(transform.RequestEncodingOptions) ? transform.RequestEncodingOptions : {};
    const isFlat =
      isObject(body) && Object.values(body).every((one) => typeof one !== "object" || (one !== null && "$cel" in one));
    if (type !== FORM || !isFlat) throw new NoEquivalent("its form has no fields that are texts");
    if (options.ArrayFormat !== "REPEAT") notes.push("A list in its form is sent as its name several times.");
    return { body, bodyType: "form" };
  }
  if (transform !== undefined && encoding !== "NONE") throw new NoEquivalent("how its body is encoded is not known");
  if (typeof type === "string" && !/json/i.test(type)) {
    if (typeof body !== "string") throw new NoEquivalent(`it sends a body as ${type}`);
    return { body, bodyType: "text" };
  }
  if (typeof body === "string" && body.startsWith("$")) notes.push("A body that is a text is sent as JSON.");
  else if (!isObject(body) && !Array.isArray(body)) throw new NoEquivalent("its body is a text");
  return { body };
}
