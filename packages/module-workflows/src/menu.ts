import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [
  { name: "workflows", title: "Workflows" },
  { name: "workflow-executions", title: "Workflow runs" },
  { name: "reviews", title: "Reviews" },
  { name: "graph-policies", title: "Policies" },
];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  { section: "Start", order: 10, title: "Reviews", to: "/reviews" },
  { section: "Settings", order: 150, title: "Policies", to: "/graph-policies", permissions: ["policies.read"] },
];
