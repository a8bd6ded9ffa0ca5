import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [{ name: "embeds", title: "Embeds" }];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  { section: "Settings", order: 32, title: "Embeds", to: "/embeds", permissions: ["embeds.read"] },
];
