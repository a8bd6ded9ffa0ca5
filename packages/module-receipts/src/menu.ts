import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  { section: "Settings", order: 165, title: "Receipt keys", to: "/receipt-keys", permissions: ["receipt-keys.rotate"] },
];
