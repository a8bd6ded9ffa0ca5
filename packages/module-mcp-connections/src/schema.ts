export { mcpConnectionTools } from "./tables/mcp-connection-tools.table.ts";
export { mcpConnections } from "./tables/mcp-connections.table.ts";
export { mcpCredentials } from "./tables/mcp-credentials.table.ts";
export { mcpOpenQuestions } from "./tables/mcp-open-questions.table.ts";
