import { isOvenError, type Principal, SYSTEM_PRINCIPAL } from "@oven/contract";
import type { McpToolDefinition } from "@oven/contract/mcp";
import type { Effect } from "@oven/contract/node";
import type { Definition, Workflow } from "@oven/contract/workflow";
import type { ServiceMap } from "@oven/module-registry";
import { sourceOf, toToolDefinitions, withOurSchemas } from "@oven/module-workflows";
import { toAgentTool, toAgentToolName } from "./agent-tools.ts";
import { isCallable, toBoundTool } from "./bound-tools.ts";
import { type References, referencesOf } from "./definition-references.ts";
import { annotationsOfAll } from "./tool-annotations.ts";

type Services = Pick<ServiceMap, "tools" | "agents" | "workflowPlatform">;

/** The tools of a workflow's server, in a fixed order: its own, then the tools it is bound to, then the agents it asks. */
export function toServerTools(workflow: Workflow, services: Services): McpToolDefinition[] {
  const references = referencesOf(workflow.definition as unknown as Definition); // cast: only valid ones are saved
  const [start, ...following] = toToolDefinitions(workflow);
  const annotations = annotationsOfAll(effectsOf(references, services, workflow.tenantId));
  const bound = services.tools.named(references.tools).filter(isCallable).map(toBoundTool);
  const asked = references.agents.map((slug) =>
    toAgentTool({ slug, name: slug, description: null, exposedParameters: null, outputSchema: null }),
  );
  return distinct([...(start === undefined ? [] : [{ ...start, annotations }]), ...following, ...bound, ...asked]);
}

function effectsOf({ nodes, tools, agents }: References, services: Services, tenantId: number | null): Effect[] {
  return [
    ...nodes.map((src) => services.workflowPlatform.nodes.get(src)?.effect ?? "at-most-once"),
    ...services.tools.named(tools, tenantId ?? undefined).map(({ effect }) => effect),
    // An agent calls whatever it is bound to.
    ...agents.map((): Effect => "at-least-once"),
  ];
}

/** A tool of the platform that is called as the workflow is makes way. */
function distinct(tools: readonly McpToolDefinition[]): McpToolDefinition[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    let { name } = tool;
    for (let number = 2; taken.has(name); number++) name = `${tool.name.slice(0, 60)}_${number}`;
    taken.add(name);
    return { ...tool, name };
  });
}

/**
 * The same tools with what modules and agents say of themselves today: their own schemas may have changed since the server
 * was generated, and so may ours. What is gone is left out.
 */
export async function refreshed(
  tools: readonly McpToolDefinition[],
  tenantId: number,
  services: Services,
): Promise<McpToolDefinition[]> {
  const list = await Promise.all(
    tools.map(async (tool, index): Promise<McpToolDefinition | undefined> => {
      const source = sourceOf(tool, index);
      if (source.kind === "tool") {
        const info = services.tools.get(source.id);
        return info && isCallable(info) ? { ...toBoundTool(info), name: tool.name } : undefined;
      }
      if (source.kind !== "agent") return withOurSchemas(tool, source.kind);
      const agent = await findAgent(services, { ...SYSTEM_PRINCIPAL, tenantId }, source.slug);
      return agent && { ...toAgentTool(agent), name: nameOf(tool, source.slug, agent.slug) };
    }),
  );
  return list.filter((tool) => tool !== undefined);
}

/** An agent that the workflow names by its id is known by its slug here, unless that name was taken. */
function nameOf({ name }: McpToolDefinition, named: string, slug: string): string {
  return name === toAgentToolName(named) ? toAgentToolName(slug) : name;
}

/** Undefined: there is none that this principal may see, or it is disabled. */
export async function findAgent(
  { agents }: Pick<Services, "agents">,
  principal: Principal,
  slug: string,
): Promise<Awaited<ReturnType<ServiceMap["agents"]["get"]>> | undefined> {
  try {
    const agent = await agents.get(principal, slug);
    return agent.enabled ? agent : undefined;
  } catch (error) {
    if (isOvenError(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
