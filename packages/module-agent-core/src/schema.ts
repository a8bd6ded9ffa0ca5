export { agentMessages, agentSessions } from "./tables/agent-sessions.table.ts";
export { agents, agentVersions } from "./tables/agents.table.ts";
