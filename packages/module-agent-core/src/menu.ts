import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [
  { name: "agents", title: "Agents" },
  { name: "agent-sessions", title: "Conversations" },
  { name: "tools", title: "Tools" },
];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  { section: "Agent Workflows", order: 50, title: "Agents", to: "/agents", permissions: ["agents.read"] },
  { section: "Settings", order: 20, title: "Tools", to: "/tools", permissions: ["tools.read"] },
];
