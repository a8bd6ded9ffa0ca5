import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [{ name: "mcp-connections", title: "Connected MCP servers" }];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  {
    section: "Settings",
    order: 30,
    title: "Connected MCP servers",
    to: "/mcp-connections",
    permissions: ["mcp-connections.read"],
  },
];
