import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { toPath } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type MapNode, type N8nContext, toStep } from "./n8n-context.ts";
import type { N8nDocument } from "./n8n-document.ts";
import { translateJsonText, translateValue } from "./n8n-expression.ts";
import { textFrom } from "./n8n-set.ts";

/** Headers that a webhook trigger lets an author set. */
const ANSWERED = /^(content-type|content-language|location|retry-after|etag|x-[a-z0-9-]+)$/i;

/** The answer that a Respond to Webhook node gives: `status`, `headers` and `body`, for the trigger to send. */
export const mapRespond: MapNode = (node, context) => {
  const { parameters } = node;
  const { respondWith = "firstIncomingItem" } = parameters;
  const options = isObject(parameters.options) ? parameters.options : {};
  if (options.enableResponseOutput === true && context.document.outputs(node.name, 1).length > 0)
    throw new NoEquivalent("it hands on its answer by a second output");
  const { responseCode = respondWith === "redirect" ? 307 : 200 } = options;
  const headers: JsonObject = {};
  const entries = isObject(options.responseHeaders) ? options.responseHeaders.entries : undefined;
  for (const { name, value } of Array.isArray(entries) ? entries.filter(isObject) : []) {
    if (typeof name !== "string" || name.startsWith("=")) throw new NoEquivalent("the name of a header is computed");
    setOwn(headers, name.toLowerCase(), textFrom(value ?? "", context.references));
  }
  if (respondWith === "redirect")
    setOwn(headers, "location", textFrom(parameters.redirectURL ?? "", context.references));
  const mapping: JsonObject = {
    ...{ status: translateValue(responseCode, context.references), headers },
    body: bodyOf(String(respondWith), parameters, options, context),
  };
  const notes = Object.keys(headers)
    .filter((name) => !ANSWERED.test(name))
    .map((name) => `The header ${name} cannot be set by a webhook trigger here.`);
  const advice = adviceFor(Object.keys(headers).filter((name) => ANSWERED.test(name)));
  context.reporter.setting("trigger", node.name, advice, node.path);
  return { ...toStep(node, context, "core.transform", { mapping }), notes: [...notes, advice] };
};

/** @throws NoEquivalent */
function bodyOf(respondWith: string, parameters: JsonObject, options: JsonObject, { references }: N8nContext): Json {
  const { responseBody } = parameters;
  const inKey = (value: Json): Json => {
    const { responseKey } = options;
    return typeof responseKey === "string" && responseKey !== "" ? { [responseKey]: value } : value;
  };
  // One that stands in several places is put together in a step before.
  const item = (): Json => references.pathOf(undefined, []) ?? references.compute("$json");
  switch (respondWith) {
    case "json":
      if (typeof responseBody === "string" && responseBody !== "") return translateJsonText(responseBody, references);
      return translateValue(responseBody ?? "", references);
    case "text":
      return textFrom(responseBody ?? "", references);
    case "firstIncomingItem":
      return inKey(item());
    case "allIncomingItems":
      return inKey([item()]);
    case "redirect":
    case "noData":
      return "";
    default:
      throw new NoEquivalent(`it answers with ${respondWith}`);
  }
}

function adviceFor(headers: readonly string[]): string {
  const said = headers.map((name) => `${name} = ${toPath("$.output.headers", [name])} | default("")`);
  return `Let the webhook trigger answer with the response mode custom: status = $.output.status, body = $.output.body${said.map((one) => `, header ${one}`).join("")}. It answers when the run has ended.`;
}

/**
 * What a run answers that has nodes which respond: what the one that ran has said, whatever runs after it.
 * @param ids of their states
 */
export function answerOf(document: N8nDocument, ids: readonly string[]): string | undefined {
  const isAsked = [...document.nodes.values()].some(({ type }) => type === "webhook" || type === "formTrigger");
  const [first, ...others] = ids.map((id) => `$.${id}_output`);
  if (!isAsked || first === undefined) return undefined;
  return [first, ...others.map((path) => `default(${path})`), "default(null)"].join(" | ");
}
