import type { PersonData } from "@oven/module-registry";
import { agentMessages, agentSessions } from "./schema.ts";

/** Conversations with agents. Their runs are those of module-workflow-agents, which is erased before. */
export const personData: PersonData = {
  holdings: [
    {
      table: agentMessages,
      title: "Messages of conversations with agents",
      where: "r.session_id in (select id from agent_sessions where user_id = s.user_id and tenant_id = s.tenant_id)",
      hidden: ["idempotency_key"],
      erase: { how: "delete" },
    },
    {
      table: agentSessions,
      title: "Conversations with agents",
      where: "r.user_id = s.user_id",
      erase: { how: "delete" },
    },
  ],
  numbers: ["agents.created_by", "agent_versions.created_by"],
};
