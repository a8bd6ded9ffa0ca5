import type { ToolInfo } from "@oven/contract/ai";
import { namesTool } from "@oven/module-agent-core";
import type { NodeContext } from "@oven/module-registry";
import type { z } from "zod";
import { agentOf, modelConfig } from "./agent-settings.ts";
import { type PrepareStepSchema, stepSettings } from "./prepare-step.ts";

interface Stepped {
  agent?: string | number | undefined;
  tools?: string[] | undefined;
  prepareStep?: z.output<typeof PrepareStepSchema> | undefined;
  step?: number | undefined;
}

/**
 * The tools of this step: those it names (else `agentConfig`, else the agent), as far as the run may call
 * them, the agent is bound to them, and the step's own filter leaves them. Undefined: none are named anywhere.
 * @throws OvenError TOOL_UNKNOWN
 */
export async function offeredTools(context: NodeContext<Stepped>): Promise<ToolInfo[] | undefined> {
  const patterns = context.input.tools ?? (await modelConfig(context)).tools;
  if (patterns === undefined) return undefined;
  const agent = await agentOf(context);
  // A bound agent that names no tools leaves them to its workflow; one without a workflow has what it names.
  const bound = agent === undefined || agent.toolBindings.length === 0 ? undefined : agent.toolBindings;
  const { tools: filter } = stepSettings(context);
  return context.services.tools
    .select(patterns, context.principal)
    .filter(
      ({ id }) => (bound === undefined || namesTool(bound, id)) && (filter === undefined || namesTool(filter, id)),
    );
}
