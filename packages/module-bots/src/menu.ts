import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [{ name: "bots", title: "Bots" }];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  { section: "Settings", order: 62, title: "Bots", to: "/bots", permissions: ["bots.read"] },
];
