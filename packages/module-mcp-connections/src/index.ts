export { createMcpConnectionsModule, type McpConnectionsOptions } from "./mcp-connections.module.ts";
