import type { AgentConfig, AgentSettings } from "@oven/contract";
import type { NodeContext } from "@oven/module-registry";

type Asking = Pick<NodeContext, "agent" | "services" | "settings">;

/** The settings of the agent that the run belongs to, in the version it began with; undefined: it belongs to none. */
export async function agentOf({ agent, services }: Asking): Promise<AgentSettings | undefined> {
  return agent === null ? undefined : services.agents.settingsOf(agent);
}

/** The definition's `agentConfig` over the agent's own settings. A node's input goes over both. */
export async function modelConfig(context: Asking): Promise<AgentConfig> {
  const agent = await agentOf(context);
  if (agent === undefined) return context.settings.agentConfig;
  const { model, systemPrompt, agentConfig, toolBindings } = agent;
  return {
    ...agentConfig,
    ...(model === null ? {} : { model }),
    ...(systemPrompt === "" ? {} : { system: systemPrompt }),
    ...(toolBindings.length === 0 ? {} : { tools: toolBindings }),
    ...context.settings.agentConfig,
  };
}
