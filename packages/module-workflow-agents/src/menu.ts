import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [
  { name: "agent-workflows", title: "Agent workflows" },
  { name: "agent-workflow-executions", title: "Executions" },
  { name: "agent-memory", title: "Agent memory" },
  { name: "mcp-servers", title: "MCP servers" },
];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  { section: "Agent Workflows", order: 10, title: "Agent Workflows", to: "/agent-workflows", also: ["/workflows"] },
  {
    section: "Agent Workflows",
    order: 20,
    title: "Executions",
    to: "/agent-workflow-executions",
    also: ["/workflow-executions"],
  },
  { section: "Agent Workflows", order: 30, title: "Memory", to: "/agent-memory", permissions: ["agent-memory.read"] },
  { section: "Agent Workflows", order: 40, title: "MCP Servers", to: "/mcp-servers" },
];
