import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [{ name: "api-connections", title: "Connected APIs" }];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  {
    section: "Settings",
    order: 31,
    title: "Connected APIs",
    to: "/api-connections",
    permissions: ["api-connections.read"],
  },
];
