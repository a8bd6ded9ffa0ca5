import { type JsonObject, OvenError, type Principal } from "@oven/contract";
import type { AgentSettings } from "@oven/contract/agent";
import { schemaProblems, violationsOf } from "@oven/engine";
import type { ToolService } from "../tools/tool-service.ts";
import type { AgentRunner } from "./agent-runner.ts";
import { RESERVED_PARAMETERS } from "./default-workflow.ts";

/** @throws OvenError TOOL_UNKNOWN 422, INVALID_REQUEST, NOT_FOUND for a workflow that is not the principal's to see */
export async function checkSettings(
  principal: Principal,
  { toolBindings, exposedParameters, outputSchema, workflowId, callerTools }: AgentSettings,
  { tools, runner }: { tools: ToolService; runner: AgentRunner },
): Promise<void> {
  tools.select(toolBindings, principal);
  checkSchema("exposedParameters", exposedParameters);
  checkSchema("outputSchema", outputSchema);
  for (const name of Object.keys(propertiesOf(exposedParameters))) {
    if (!RESERVED_PARAMETERS.includes(name)) continue;
    throw new OvenError("INVALID_REQUEST", `A parameter cannot be named ${name}: the conversation is`, {
      path: "$.exposedParameters.properties",
      fix: "Choose another name.",
    });
  }
  if (workflowId !== null && callerTools)
    throw new OvenError("INVALID_REQUEST", "An agent with a workflow of its own takes no tools of its callers", {
      path: "$.callerTools",
      fix: "Switch them off, or leave the workflow out.",
    });
  if (workflowId !== null) await runner.requireWorkflow(principal, workflowId);
}

function checkSchema(name: string, schema: JsonObject | null): void {
  const [first, ...others] = schema === null ? [] : schemaProblems(schema, [name]);
  if (first === undefined) return;
  throw new OvenError("INVALID_REQUEST", `${name} is no JSON Schema: ${first.message}`, {
    path: first.path,
    fix: first.fix,
    details: { problems: [first, ...others].map((problem) => ({ ...problem })) },
  });
}

/** A caller sets what the agent exposes, and nothing else. @throws OvenError INVALID_INPUT */
export function checkParameters(exposed: JsonObject | null, parameters: JsonObject): void {
  const known = Object.keys(propertiesOf(exposed));
  const stranger = Object.keys(parameters).find((name) => !known.includes(name));
  if (stranger !== undefined) {
    throw new OvenError("INVALID_INPUT", `The agent does not expose a parameter ${stranger}`, {
      path: `$.parameters.${stranger}`,
      fix: known.length === 0 ? "It exposes none: leave `parameters` out." : `It exposes: ${known.join(", ")}.`,
    });
  }
  const [first, ...others] = exposed === null ? [] : violationsOf(exposed, parameters, "$.parameters");
  if (first === undefined) return;
  throw new OvenError("INVALID_INPUT", `The agent does not take these parameters: ${first.path}: ${first.message}`, {
    path: first.path,
    fix: "See exposedParameters of the agent.",
    details: { problems: [first, ...others].map((problem) => ({ ...problem })) },
  });
}

function propertiesOf(schema: JsonObject | null): JsonObject {
  const properties = schema?.properties;
  return typeof properties === "object" && properties !== null && !Array.isArray(properties) ? properties : {};
}
