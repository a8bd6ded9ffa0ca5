import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [{ name: "a2a-connections", title: "Connected agents (A2A)" }];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  {
    section: "Settings",
    order: 31,
    title: "Connected agents (A2A)",
    to: "/a2a-connections",
    permissions: ["a2a-connections.read"],
  },
];
