import { isGranted } from "@oven/contract";
import type { AgentSettings, Use } from "@oven/contract/agent";
import type { AgentService } from "../agents/agent-service.ts";
import { LOOKED_THROUGH, patternNaming, type UseFinder, type Wanted } from "./use-service.ts";

/** Agents whose settings name a tool or a model. */
export function createAgentFinder(agents: Pick<AgentService, "saying">): UseFinder {
  return async (principal, wanted, words) => {
    if (!isGranted(principal.permissions, "agents.read")) return { uses: [], truncated: false };
    const rows = await agents.saying(principal, words, LOOKED_THROUGH + 1);
    const uses = rows.slice(0, LOOKED_THROUGH).flatMap((agent): Use[] => {
      const { id, slug, name } = agent;
      const as = nameIn(agent, wanted);
      return as === undefined ? [] : [{ kind: "agent", id, slug, name, as }];
    });
    return { uses, truncated: rows.length > LOOKED_THROUGH };
  };
}

function nameIn({ toolBindings, model }: Pick<AgentSettings, "toolBindings" | "model">, wanted: Wanted) {
  if ("tool" in wanted) return patternNaming(toolBindings, wanted.tool);
  return model === wanted.model ? wanted.model : undefined;
}
