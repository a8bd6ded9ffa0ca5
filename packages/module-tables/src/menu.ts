import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [
  { name: "tables", title: "Tables" },
  { name: "table-tools", title: "Tools of tables" },
];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  { section: "Agent Workflows", order: 65, title: "Tables", to: "/tables", permissions: ["tables.read"] },
];
