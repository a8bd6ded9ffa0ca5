import { OvenError } from "@oven/contract";
import type { AgentSettings } from "@oven/contract/agent";
import type { AgentConfig } from "@oven/contract/workflow";
import type { NodeContext } from "@oven/module-registry";

interface Asking extends Pick<NodeContext, "agent" | "services" | "settings" | "principal" | "options"> {
  input: { agent?: string | number | undefined };
}

/**
 * The settings of the agent that the step names, as it is now; else of the one that the run belongs to, in the version it began
 * with; undefined: there is none.
 * @throws OvenError NOT_FOUND, AGENT_DISABLED
 */
export async function agentOf({ agent, input, principal, services }: Asking): Promise<AgentSettings | undefined> {
  if (input.agent === undefined) return agent === null ? undefined : services.agents.settingsOf(agent);
  const named = await services.agents.get(principal, String(input.agent));
  if (named.enabled) return named;
  throw new OvenError("AGENT_DISABLED", `${named.name} is disabled`, { status: 409, fix: "Enable it first." });
}

/**
 * The definition's `agentConfig` over the settings of the run's agent; those of an agent that the step names over both; what the run was
 * started with over all of them.
 */
export async function modelConfig(context: Asking): Promise<AgentConfig> {
  const agent = await agentOf(context);
  const { agentConfig } = context.settings;
  const { modelSettings } = context.options ?? {};
  if (agent === undefined) return { ...agentConfig, ...modelSettings };
  return context.input.agent === undefined
    ? { ...toConfig(agent), ...agentConfig, ...modelSettings }
    : { ...agentConfig, ...toConfig(agent), ...modelSettings };
}

/** What an agent's settings say of model steps. */
export function toConfig({ model, systemPrompt, agentConfig, toolBindings }: AgentSettings): AgentConfig {
  return {
    ...agentConfig,
    ...(model === null ? {} : { model }),
    ...(systemPrompt === "" ? {} : { system: systemPrompt }),
    ...(toolBindings.length === 0 ? {} : { tools: toolBindings }),
  };
}
