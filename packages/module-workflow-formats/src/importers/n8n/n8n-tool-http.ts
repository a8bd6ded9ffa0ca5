import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { N8nContext } from "./n8n-context.ts";
import type { N8nNode } from "./n8n-document.ts";
import { mapHttp } from "./n8n-http.ts";
import { type Place, ToolArguments } from "./n8n-tool-arguments.ts";
import type { ToolStep } from "./n8n-tool-step.ts";

/** A request that a model makes: it fills in what stands in braces, and the parameters without a value. @throws NoEquivalent */
export function httpTool(tool: N8nNode, context: N8nContext): ToolStep {
  const { parameters } = tool;
  const args = new ToolArguments();
  const known = placesOf(parameters);
  const optional: string[] = [];
  const listed = (list: string): JsonObject => {
    const { values } = isObject(parameters[list]) ? parameters[list] : {};
    const pairs = (Array.isArray(values) ? values.filter(isObject) : []).map(
      ({ name = "", value = "", valueProvider = "modelRequired" }) => {
        if (valueProvider === "fieldValue") return { name, value: args.fillPlaces(value, known) };
        const isOptional = valueProvider === "modelOptional";
        if (isOptional && list !== "parametersQuery")
          throw new NoEquivalent("a model may leave out what it sends in a header or a body");
        const own = String(name);
        if (isOptional) optional.push(own);
        return { name: own, value: `={{ ${args.add(own, { ...known.get(own), isOptional })} }}` };
      },
    );
    return { parameters: pairs };
  };
  /** Parameters as pairs or as JSON, as the node has them. */
  const sent = (what: "Query" | "Headers" | "Body", ours: string): JsonObject => {
    const kind = parameters[`specify${what}`] ?? "keypair";
    if (kind === "keypair") return { [ours]: listed(`parameters${what}`) };
    if (kind === "json") return { [`json${what}`]: args.fillPlaces(String(parameters[`json${what}`] ?? ""), known) };
    if (what !== "Body") throw new NoEquivalent("a model gives all of what it sends in the query or the headers");
    return { jsonBody: `={{ ${args.add("body", { type: "json" })} }}` };
  };
  const request: JsonObject = {
    ...{ method: parameters.method ?? "GET", url: args.fillPlaces(parameters.url ?? "", known) },
    ...copied(parameters, "authentication", "genericAuthType", "nodeCredentialType"),
    ...(parameters.sendQuery === true ? { sendQuery: true, ...sent("Query", "queryParameters") } : {}),
    ...(parameters.sendHeaders === true ? { sendHeaders: true, ...sent("Headers", "headerParameters") } : {}),
    ...(parameters.sendBody === true ? { sendBody: true, ...sent("Body", "bodyParameters") } : {}),
  };
  if (request.url === "") throw new NoEquivalent("it has no address");
  const { invoke, notes = [] } = mapHttp({ ...tool, version: 4.2, parameters: request }, context);
  const input: JsonObject = { ...invoke?.input };
  if (isObject(input.query)) {
    const query = { ...input.query };
    // Null leaves a parameter out.
    for (const name of optional) setOwn(query, name, `${String(query[name])} | default(null)`);
    input.query = query;
  }
  return {
    description: parameters.toolDescription ?? "",
    parameters: args.schema(),
    src: "core.http",
    input,
    result: "$.output.body",
    notes: [...notes, ...shortening(parameters)],
  };
}

function copied(parameters: JsonObject, ...names: string[]): Record<string, Json> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = parameters[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function placesOf({ placeholderDefinitions }: JsonObject): ReadonlyMap<string, Place> {
  const { values } = isObject(placeholderDefinitions) ? placeholderDefinitions : {};
  return new Map(
    (Array.isArray(values) ? values.filter(isObject) : []).map(({ name, type, description }) => [
      String(name ?? "").replace(/^\{(.*)\}$/, "$1"),
      {
        ...(typeof type === "string" ? { type } : {}),
        ...(typeof description === "string" ? { about: description } : {}),
      },
    ]),
  );
}

/** What the model would be shown of an answer. @throws NoEquivalent where that is not in it as it is */
function shortening({ optimizeResponse, responseType = "json" }: JsonObject): string[] {
  if (optimizeResponse !== true) return [];
  if (responseType !== "json") throw new NoEquivalent("it takes text out of a page");
  return ["The model is shown the whole answer; which parts of it n8n shows was not imported."];
}
