import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Each format declares the list of its own; none of them has pages of React Admin. */
export const resources: ResourceInfo[] = [];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  {
    section: "Settings",
    order: 40,
    title: "Workflow formats",
    to: "/workflow-formats",
    permissions: ["workflow-formats.read"],
  },
];
