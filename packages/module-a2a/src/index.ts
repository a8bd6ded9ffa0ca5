export { createA2aModule } from "./a2a.module.ts";
export { createAgentTools } from "./client/agent-tools.ts";
export { A2A_NAMESPACE } from "./client/connection-row.ts";
export { askAgentNode } from "./nodes/ask-agent.node.ts";
