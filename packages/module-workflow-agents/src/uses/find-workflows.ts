import { isGranted, type Principal } from "@oven/contract";
import type { Use } from "@oven/contract/agent";
import { ExecutionKindSchema } from "@oven/contract/run";
import type { Definition } from "@oven/contract/workflow";
import { LOOKED_THROUGH, type Wanted } from "@oven/module-agent-core";
import { AGENT, REGULAR, type WorkflowPlatform } from "@oven/module-workflows";
import { nameInDefinition } from "./definition-uses.ts";

/** Published workflows of both kinds that name a tool or a model. */
export function createWorkflowFinder(platform: Pick<WorkflowPlatform, "face">) {
  return async (principal: Principal, wanted: Wanted, words: readonly string[]) => {
    const kinds = ExecutionKindSchema.options.filter((kind) =>
      isGranted(principal.permissions, `${(kind === AGENT.kind ? AGENT : REGULAR).resource}.read`),
    );
    const found = await Promise.all(
      kinds.map(async (kind) => {
        const rows = await platform.face(kind).workflows.saying(principal, words, LOOKED_THROUGH + 1);
        const uses = rows.slice(0, LOOKED_THROUGH).flatMap(({ id, slug, name, definition, agentConfig }): Use[] => {
          // cast: published definitions are valid
          const published = definition as unknown as Definition;
          const own = published.agentConfig ?? (agentConfig as Definition["agentConfig"]); // cast: it was checked likewise
          const as = nameInDefinition({ states: published.states, agentConfig: own }, wanted);
          return as === undefined ? [] : [{ kind, id, slug, name, as }];
        });
        return { uses, truncated: rows.length > LOOKED_THROUGH };
      }),
    );
    return { uses: found.flatMap(({ uses }) => uses), truncated: found.some(({ truncated }) => truncated) };
  };
}
