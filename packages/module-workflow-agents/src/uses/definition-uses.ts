import type { JsonObject } from "@oven/contract";
import type { AgentConfig, Definition } from "@oven/contract/workflow";
import { patternNaming, type Wanted } from "@oven/module-agent-core";
import { CALLING_TOOLS, invocationsIn, literals } from "../mcp/definition-references.ts";

/** By which words a definition names it, where it says so literally; undefined: it does not. */
export function nameInDefinition(
  { states, agentConfig = {} }: Pick<Definition, "states" | "agentConfig">,
  wanted: Wanted,
): string | undefined {
  for (const { src, input = {} } of invocationsIn(states)) {
    const name = "tool" in wanted ? toolIn(src, input, agentConfig, wanted.tool) : modelIn(input, wanted.model);
    if (name !== undefined) return name;
  }
  return "model" in wanted && agentConfig.model === wanted.model ? wanted.model : undefined;
}

/** A node of a tool's name calls that tool without a model. */
function toolIn(src: string, input: JsonObject, agentConfig: AgentConfig, tool: string): string | undefined {
  if (src === tool || input.tool === tool) return tool;
  return CALLING_TOOLS.has(src) ? patternNaming(literals(input.tools ?? agentConfig.tools), tool) : undefined;
}

const MODEL_INPUTS = ["model", "embeddingModel", "judge"];

function modelIn(input: JsonObject, model: string): string | undefined {
  return MODEL_INPUTS.some((name) => input[name] === model) ? model : undefined;
}
