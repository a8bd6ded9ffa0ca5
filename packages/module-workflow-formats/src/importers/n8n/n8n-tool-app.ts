import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { lowerApp } from "./apps/index.ts";
import type { N8nContext } from "./n8n-context.ts";
import type { N8nNode } from "./n8n-document.ts";
import { mapHttp } from "./n8n-http.ts";
import { ToolArguments } from "./n8n-tool-arguments.ts";
import { ASKS_FOR_QUERY, type ToolStep } from "./n8n-tool-step.ts";

/** What an app does in one request, as a tool: the model is shown what the API answers. @throws NoEquivalent */
export function appTool(tool: N8nNode, context: N8nContext): ToolStep {
  if (!/^[A-Za-z]+Tool$/.test(tool.type)) throw new NoEquivalent("there is no tool here that does the same");
  const { descriptionType: _kind, toolDescription, ...given } = tool.parameters;
  const args = new ToolArguments();
  const filled = args.fill(given);
  const app = { ...tool, type: tool.type.slice(0, -"Tool".length), parameters: isObject(filled) ? filled : {} };
  const lowered = lowerApp(app, (what) => `${tool.name} ${what}`);
  if (lowered === undefined) throw new NoEquivalent("there is no tool here that does the same");
  if ("reason" in lowered) throw new NoEquivalent(lowered.reason);
  const [request, ...others] = lowered.nodes;
  if (request?.type !== "httpRequest" || others.some(({ type }) => type !== "code"))
    throw new NoEquivalent("it takes several requests, and a tool here takes one");
  const { invoke, notes = [] } = mapHttp(request, context);
  const { resource = "", operation = "" } = given;
  const input: JsonObject = { ...invoke?.input };
  return {
    description: toolDescription ?? `${tool.name} (${[tool.type, resource, operation].filter(Boolean).join(" ")})`,
    parameters: args.isEmpty ? { ...ASKS_FOR_QUERY, required: [] } : args.schema(),
    src: "core.http",
    input,
    result: "$.output.body",
    notes: [...notes, "The model is shown what the API answers."],
  };
}
