import { getOwn, type Json, type JsonObject, toSlug } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { safeRequest } from "../../importing/safe-request.ts";
import type { MapNode, N8nContext } from "./n8n-context.ts";
import { toStep } from "./n8n-context.ts";
import { type N8nNode, textOf } from "./n8n-document.ts";
import { environmentInUrl, environmentSecret } from "./n8n-env-secrets.ts";
import { translateJsonText, translateValue } from "./n8n-expression.ts";
import { atOwnAddress } from "./n8n-own-address.ts";
import { hasFullResponse } from "./n8n-references.ts";
import { nameIn, textFrom } from "./n8n-set.ts";
import { SIGN_INS } from "./n8n-sign-ins.ts";
import { unsetSetting } from "./n8n-variables.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const SECRET_HEADERS = /^(authorization|proxy-authorization|cookie|.*(api[-_]?key|token|secret).*)$/i;

export const mapHttp: MapNode = (asked, context) => {
  const node = asked.version < 3 ? renewed(asked) : asked;
  const { parameters } = node;
  const { references } = context;
  const method = String(parameters.method ?? "GET").toUpperCase();
  if (!METHODS.has(method)) throw new NoEquivalent(`the method ${method} is not known`);
  if (isObject(parameters.options) && isObject(parameters.options.pagination))
    throw new NoEquivalent("it asks for several pages");
  const given = environmentInUrl(textOf(parameters.url) ?? unsetSetting(node.name, "url"), node, context);
  const url = atOwnAddress(node, textFrom(given.url, references), context);
  const input: Record<string, Json> = { method, url };
  if (Object.keys(given.secrets).length > 0) input.urlSecrets = given.secrets;
  const secretIn = (place: string) => (value: Json, name: string) =>
    environmentSecret(value, `the ${place} ${name}`, node, context);
  const query =
    parameters.sendQuery === true
      ? pairs(parameters, "queryParameters", "jsonQuery", context, secretIn("parameter"))
      : {};
  if (Object.keys(query).length > 0) input.query = query;
  const notes: string[] = [];
  const headers =
    parameters.sendHeaders === true
      ? pairs(parameters, "headerParameters", "jsonHeaders", context, secretIn("header"))
      : {};
  const safe = withSecrets(headers, node, context, notes);
  const credential = addCredential({ headers: safe, input }, node, context);
  if (credential !== undefined) notes.push(credential);
  if (Object.keys(safe).length > 0) input.headers = safe;
  Object.assign(input, bodyOf(parameters, context));
  const options = isObject(parameters.options) ? parameters.options : {};
  if (typeof options.timeout === "number" && options.timeout > 0) input.timeoutMs = Math.min(300_000, options.timeout);
  const { response } = isObject(options.response) ? options.response : {};
  if (isObject(response) && response.neverError === true) input.anyStatus = true;
  notes.push(...leftOut(options));
  if (hasFullResponse(parameters)) notes.push("Its whole response is handed on: `status`, `headers`, `body`.");
  const onward = context.document.outputs(node.name).map((name) => context.document.nodes.get(name)?.type ?? "");
  if (
    node.part === undefined &&
    !hasFullResponse(parameters) &&
    onward.some((type) => type !== "splitInBatches" && type !== "splitOut")
  )
    notes.push(
      "Where it answers with a list, n8n runs what follows for each entry: put that into a forEach over `body`.",
    );
  const about = { name: node.name, path: node.path, reporter: context.reporter, notes };
  return { ...toStep(node, context, "core.http", safeRequest(input, about)), notes };
};

const OLD_SIGN_IN: Record<string, string> = { basicAuth: "httpBasicAuth", headerAuth: "httpHeaderAuth" };

/** A request of the versions 1 and 2 with the parameters of later ones. @throws NoEquivalent */
function renewed(node: N8nNode): N8nNode {
  const { parameters } = node;
  const {
    requestMethod: method = "GET",
    responseFormat = "json",
    sendBinaryData,
    jsonParameters,
    authentication,
  } = parameters;
  if (responseFormat !== "json" && responseFormat !== "string")
    throw new NoEquivalent(`it writes its answer into a field as ${String(responseFormat)}`);
  if (sendBinaryData === true) throw new NoEquivalent("it sends a file");
  const { bodyContentType, ignoreResponseCode, fullResponse, ...options } = isObject(parameters.options)
    ? parameters.options
    : {};
  const listOf = (value: Json | undefined): JsonObject => ({
    parameters: isObject(value) && Array.isArray(value.parameter) ? value.parameter : [],
  });
  const { queryParametersJson, headerParametersJson, bodyParametersJson } = jsonParameters === true ? parameters : {};
  const {
    queryParametersUi: query,
    headerParametersUi: headers,
    bodyParametersUi: body,
  } = jsonParameters === true ? {} : parameters;
  const response = { fullResponse: fullResponse === true, neverError: ignoreResponseCode === true };
  const isRaw = bodyContentType === "raw";
  const given: JsonObject = {
    ...{ method, url: parameters.url ?? "", sendQuery: true, sendHeaders: true },
    queryParameters: listOf(query),
    headerParameters: listOf(headers),
    ...(queryParametersJson === undefined ? {} : { jsonQuery: queryParametersJson }),
    ...(headerParametersJson === undefined ? {} : { jsonHeaders: headerParametersJson }),
    sendBody: (body !== undefined || bodyParametersJson !== undefined) && method !== "GET" && method !== "HEAD",
    contentType: bodyContentType ?? "json",
    bodyParameters: listOf(body),
    ...(bodyParametersJson === undefined ? {} : { [isRaw ? "body" : "jsonBody"]: bodyParametersJson }),
    options: {
      ...options,
      ...(parameters.allowUnauthorizedCerts === true ? { allowUnauthorizedCerts: true } : {}),
      response: { response },
    },
  };
  if (typeof authentication === "string") {
    given.authentication = getOwn(OLD_SIGN_IN, authentication) ?? authentication;
    for (const kind of ["genericAuthType", "nodeCredentialType"])
      if (parameters[kind] !== undefined) given[kind] = parameters[kind];
  }
  return { ...node, parameters: given };
}

/** What an option of the request becomes here, by its name there; null: nothing is lost. */
const OPTIONS: Record<string, string | null> = {
  timeout: null,
  pagination: null,
  redirect:
    "Redirects are followed, to addresses that are allowed, as often as the installation says; its own setting was not imported.",
  proxy: "Its proxy was not imported: requests go out as the installation's do.",
  batching: "Its batches and their interval were not imported: put the request into a forEach with a concurrency.",
  allowUnauthorizedCerts: "Certificates are always checked: an address without a valid one is not called.",
  lowercaseHeaders: "Names of headers in its answer are always in lower case.",
  queryParameterArrays: "Lists in its query are not spread out: write the parameters as the server wants them.",
  sendCredentialsOnCrossOriginRedirect: "Secrets are sent to the hosts of the secret alone, after a redirect, too.",
};

/** Nothing of a request is dropped without a word. */
function leftOut(options: JsonObject): string[] {
  const given = Object.entries(options).filter(([name]) => name !== "response");
  const notes = given.flatMap(([name]) => {
    const said = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : `Its option ${name} was not imported.`;
    return said === null || said === undefined ? [] : [said];
  });
  const response = isObject(options.response) && isObject(options.response.response) ? options.response.response : {};
  const { responseFormat = "autodetect" } = response;
  if (responseFormat !== "autodetect" && responseFormat !== "json")
    notes.push(
      `Its answer as ${String(responseFormat)} is read by its content type here: JSON, text, or base64 of a file.`,
    );
  return notes;
}

function pairs(
  parameters: JsonObject,
  list: string,
  text: string,
  { references }: N8nContext,
  secretIn: (value: Json, name: string) => Json | undefined = () => undefined,
): JsonObject {
  if (typeof parameters[text] === "string" && parameters[text] !== "") {
    const value = translateJsonText(parameters[text], references);
    if (!isObject(value)) throw new NoEquivalent(`${text} is computed as a whole`);
    return value;
  }
  const given = parameters[list];
  const result: JsonObject = {};
  for (const item of isObject(given) && Array.isArray(given.parameters) ? given.parameters.filter(isObject) : []) {
    const name = nameIn(item.name ?? "");
    if (name.startsWith("=")) throw new NoEquivalent("the name of a parameter is computed");
    const value = item.value ?? "";
    if (name !== "") setOwn(result, name, secretIn(value, name) ?? translateValue(value, references));
  }
  return result;
}

/** Keys that are written out stay behind. */
function withSecrets(headers: JsonObject, node: N8nNode, { reporter }: N8nContext, notes: string[]): JsonObject {
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(headers)) {
    const isWritten = typeof value === "string" && !value.startsWith("$.");
    if (!isWritten || !SECRET_HEADERS.test(name)) {
      setOwn(result, name, value);
      continue;
    }
    const secret = toSlug(`${node.name} ${name}`);
    setOwn(result, name, { $secret: secret });
    reporter.setting("credential", secret, `Make a secret of this name for the header ${name}.`, node.path);
    notes.push(`The value of the header ${name} was not imported: the secret ${secret} must have it.`);
  }
  return result;
}

function addCredential(
  { headers, input }: { headers: JsonObject; input: JsonObject },
  node: N8nNode,
  { reporter }: N8nContext,
): string | undefined {
  const { parameters, spec } = node;
  const kind = String(
    parameters.genericAuthType ?? parameters.nodeCredentialType ?? parameters.authentication ?? "none",
  );
  if (kind === "none" || parameters.authentication === undefined || parameters.authentication === "none")
    return undefined;
  const given = getOwn(spec.credentials, kind);
  const { appSecret = `${node.name} key` } = parameters;
  const secret = toSlug(isObject(given) && typeof given.name === "string" ? given.name : String(appSecret));
  const known = getOwn(SIGN_INS, kind);
  if (known !== undefined) {
    const { header = "Authorization", prefix = "Bearer ", inUrl = [], also = [], advice } = known;
    const places = inUrl.filter((place) => String(input.url).includes(`{${place}}`));
    const isOnly = header === null && places.length === 1;
    const nameOf = (place: string) => (isOnly ? secret : `${secret}-${place}`);
    if (places.length > 0)
      input.urlSecrets = Object.fromEntries(places.map((place) => [place, { $secret: nameOf(place) }]));
    if (header !== null) setOwn(headers, header, { $secret: secret, ...(prefix === "" ? {} : { prefix }) });
    const further = also.map((name) => [name, `${secret}-${toSlug(name)}`] as const);
    for (const [name, other] of further) setOwn(headers, name, { $secret: other });
    const others = [...places.map(nameOf), ...further.map(([, other]) => other)];
    for (const name of [...(header === null ? [] : [secret]), ...others])
      reporter.setting("credential", name, `Make a secret of this name: ${advice}.`, node.path);
    return `It signs in with the secret ${secret}, which must be made.`;
  }
  const prefix = kind === "httpBearerAuth" ? "Bearer " : kind === "httpBasicAuth" ? "Basic " : undefined;
  if (prefix !== undefined) setOwn(headers, "Authorization", { $secret: secret, prefix });
  const advice =
    prefix === undefined
      ? `Make a secret and add the header that ${kind} sends to this step.`
      : `Make a secret of this name${kind === "httpBasicAuth" ? " with base64 of user:password" : ""}, for the host of this request.`;
  reporter.setting("credential", secret, advice, node.path);
  return prefix === undefined
    ? `It signs in with ${kind}, which was not imported: until its header is added, it asks without.`
    : `It signs in with the secret ${secret}, which must be made.`;
}

/** Whether a part of a form is a file of the item. */
function sendsFile(given: Json | undefined): boolean {
  const list = isObject(given) && Array.isArray(given.parameters) ? given.parameters.filter(isObject) : [];
  return list.some(({ parameterType = "formData" }) => parameterType !== "formData");
}

function bodyOf(parameters: JsonObject, context: N8nContext): JsonObject {
  if (parameters.sendBody !== true) return {};
  const contentType = parameters.contentType ?? "json";
  if (contentType === "raw")
    return { body: translateValue(parameters.body ?? "", context.references), bodyType: "text" };
  if (contentType === "form-urlencoded" && parameters.specifyBody !== "string")
    return { body: pairs(parameters, "bodyParameters", "", context), bodyType: "form" };
  if (contentType === "multipart-form-data" && !sendsFile(parameters.bodyParameters))
    return { body: pairs(parameters, "bodyParameters", "", context), bodyType: "multipart" };
  if (contentType === "multipart-form-data") throw new NoEquivalent("it sends a file");
  if (contentType !== "json") throw new NoEquivalent(`it sends a body of the kind ${String(contentType)}`);
  if (parameters.specifyBody === "json" || parameters.jsonBody !== undefined)
    return { body: translateJsonText(String(parameters.jsonBody ?? ""), context.references) };
  return { body: pairs(parameters, "bodyParameters", "", context) };
}
