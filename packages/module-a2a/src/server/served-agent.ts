import { type JsonObject, notFound, OvenError, type Principal } from "@oven/contract";
import type { Agent } from "@oven/contract/agent";
import { z } from "zod";
import { agentSkills, toAgentCard } from "./agent-card.ts";
import type { AgentTasksDeps } from "./agent-tasks.ts";
import type { MessageContent } from "./message-input.ts";
import type { Served } from "./served.ts";

export const INVOKE_AGENTS = "agents.invoke";
/** As the row of a task has it: the same message again is compared with it. */
const SaidSchema = z.object({ message: z.string(), parameters: z.custom<JsonObject>() });

/**
 * An exported agent: a message is part of the conversation that its context is.
 * @throws OvenError AGENT_DISABLED 409; NOT_FOUND also for agents that are not exported
 */
export async function servedAgent(deps: AgentTasksDeps, principal: Principal, slug: string): Promise<Served> {
  const { services, publicUrl, contexts } = deps;
  const agent = await services.agents.get(principal, slug);
  if (!agent.a2aExport) throw notFound("agent", slug);
  const { id, name, updatedAt, exposedParameters } = agent;
  if (!agent.enabled)
    throw new OvenError("AGENT_DISABLED", `${name} is disabled`, { status: 409, fix: "Enable it first." });
  const description = agent.description || `Answers as ${name}.`;
  return {
    owner: { workflowId: null, agentId: id },
    card: toAgentCard({
      ...{ name, description, version: updatedAt, publicUrl, path: `agents/${agent.slug}` },
      skills: agentSkills(agent, description),
    }),
    dataSchema: exposedParameters ?? undefined,
    starter: {
      permission: INVOKE_AGENTS,
      toInput: (content) => toSaid(content, agent),
      start: (task, input) => {
        const said = SaidSchema.parse(input);
        return contexts.run(principal, task, id, said.message, (sessionId) =>
          services.agents.start(principal, String(id), { ...said, sessionId }, `a2a:${task.taskId}`),
        );
      },
    },
  };
}

/** The text is what is said, the data part holds the parameters, and what is said where there is no text. */
function toSaid({ data = {}, text }: MessageContent, { name }: Agent): JsonObject {
  if (text !== undefined) return { message: text, parameters: data };
  const { message, ...parameters } = data;
  if (typeof message === "string" && message.trim() !== "") return { message, parameters };
  throw new OvenError("INVALID_INPUT", `The message says nothing to ${name}`, {
    fix: "Send a text, or a data part with `message`.",
  });
}
