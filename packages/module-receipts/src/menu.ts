import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [];
