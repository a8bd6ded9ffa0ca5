import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [
  { name: "ai-aliases", title: "Model aliases" },
  { name: "ai-usage-logs", title: "Model usage" },
  { name: "vector-stores", title: "Vector stores" },
];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  {
    section: "Agent Workflows",
    order: 60,
    title: "Knowledge",
    to: "/vector-stores",
    permissions: ["vector-stores.read"],
  },
  {
    section: "Settings",
    order: 10,
    title: "AI",
    to: "/ai",
    permissions: ["ai-usage.read", "ai-budgets.read", "ai-providers.read"],
  },
];
