import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [
  { name: "linear-workflows", title: "Linear workflows" },
  { name: "executor-chains", title: "Executor chains" },
  { name: "session-graphs", title: "Session graphs" },
  { name: "routed-graphs", title: "Routed graphs" },
];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  {
    section: "Agent Workflows",
    order: 100,
    title: "Workflow formats",
    to: "/workflow-formats",
    permissions: ["workflow-formats.read"],
  },
];
