export { createMcpConnectionsModule, type McpConnectionsOptions } from "./mcp-connections.module.ts";
export { callToolNode } from "./nodes/call-tool.node.ts";
export { createToolCatalogue } from "./tools/tool-catalogue.ts";
export { MCP_NAMESPACE } from "./tools/tool-id.ts";
