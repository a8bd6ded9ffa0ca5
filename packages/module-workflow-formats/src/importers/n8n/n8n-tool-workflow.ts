import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { asCalled, calledWorkflow } from "./n8n-called.ts";
import type { N8nContext } from "./n8n-context.ts";
import type { N8nNode } from "./n8n-document.ts";
import { translateValue } from "./n8n-expression.ts";
import { ToolArguments } from "./n8n-tool-arguments.ts";
import { ASKED, ASKS_FOR_QUERY, aboutTool, schemaOfTool, type ToolStep } from "./n8n-tool-step.ts";

type Given = Pick<ToolStep, "parameters" | "input">;

/** A workflow that a model calls. @throws NoEquivalent */
export function workflowTool(tool: N8nNode, context: N8nContext): ToolStep {
  const { parameters, version } = tool;
  if ((parameters.source ?? "database") !== "database") throw new NoEquivalent("its workflow is written into it");
  const { slug, isItself, tell } = calledWorkflow(tool, parameters.workflowId, context);
  const given = version < 2 ? askedOnce(tool, context) : askedByInputs(tool, context);
  const begun = isItself ? asCalled(given.input, context).input : given.input;
  return {
    ...aboutTool(tool, parameters.description),
    parameters: given.parameters,
    src: "core.callWorkflow",
    input: { workflow: slug, kind: "agent-workflow", input: begun },
    result: "$.output.output",
    notes: [tell()],
  };
}

/** Before version 2 a model gives a text, or an object by a schema, as `query`; other fields are fixed. */
function askedOnce({ parameters }: N8nNode, { references }: N8nContext): Given {
  const { values } = isObject(parameters.fields) ? parameters.fields : {};
  const isStructured = parameters.specifyInputSchema === true;
  const args = new ToolArguments();
  const input: JsonObject = { query: isStructured ? "$.toolArguments" : ASKED };
  for (const { name, type = "stringValue", stringValue = "" } of Array.isArray(values) ? values.filter(isObject) : []) {
    if (typeof name !== "string" || type !== "stringValue")
      throw new NoEquivalent(`a field that it adds is a ${String(type)}`);
    input[name] = translateValue(args.fill(stringValue), references);
  }
  if (!args.isEmpty) throw new NoEquivalent("a model fills in a field beside what it asks for");
  return { parameters: isStructured ? schemaOfTool(parameters, references) : ASKS_FOR_QUERY, input };
}

/** Since version 2 the fields of the workflow are named, and those that the model gives say so. */
function askedByInputs({ parameters }: N8nNode, { references }: N8nContext): Given {
  const { schema, value } = isObject(parameters.workflowInputs) ? parameters.workflowInputs : {};
  if (!Array.isArray(schema) || schema.length === 0) return { parameters: ASKS_FOR_QUERY, input: { query: ASKED } };
  const args = new ToolArguments();
  const input = translateValue(args.fill(value ?? {}), references);
  if (!isObject(input)) throw new NoEquivalent("its fields are computed as a whole");
  return { parameters: args.isEmpty ? ASKS_FOR_QUERY : args.schema(), input };
}
