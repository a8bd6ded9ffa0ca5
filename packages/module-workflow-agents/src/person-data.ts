import type { PersonData } from "@oven/module-registry";
import { runHoldings } from "@oven/module-workflows";
import { itemKey } from "./memory/memory-rows.ts";
import { agentMemory, agentWorkflowExecutions } from "./schema.ts";

/** Runs of agents, with those of a person's conversations, and what agents remember of a person. */
export const personData: PersonData = {
  holdings: [
    ...runHoldings(
      agentWorkflowExecutions,
      {
        named: "Runs of agents whose input names the person, or of their conversations",
        started: "Runs of agents that the person started",
      },
      "r.session_id in (select id from agent_sessions where user_id = s.user_id and tenant_id = s.tenant_id)",
    ),
    {
      table: agentMemory,
      title: "Memories of agents",
      where: "r.user_id = s.user_id",
      erase: {
        how: "remove",
        remove: ({ db, services }, { tenantId, userId }) =>
          db.system.transaction(async (tx) => {
            const rows = await tx.query<{ id: number; vector_store_id: number | null }>(
              "delete from agent_memory where tenant_id = $1 and user_id = $2 returning id, vector_store_id",
              [tenantId, userId],
            );
            for (const { id, vector_store_id } of rows)
              if (vector_store_id !== null)
                await services.vectorStores.removeItems(tx, tenantId, vector_store_id, [itemKey(id)]);
            return { removed: rows.length };
          }),
      },
    },
  ],
  numbers: [
    "agent_workflows.created_by",
    "agent_workflow_versions.created_by",
    "agent_workflow_drafts.updated_by",
    "agent_workflow_test_data.updated_by",
    "agent_workflow_seen_differences.user_id",
  ],
};
