import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [
  { name: "events", title: "Events" },
  { name: "module-configs", title: "Configuration" },
  { name: "secrets", title: "Secrets" },
];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  { section: "Settings", order: 50, title: "Secrets", to: "/secrets", permissions: ["secrets.update"] },
  {
    section: "Settings",
    order: 180,
    title: "Configuration",
    to: "/module-configs",
    permissions: ["config.read"],
  },
  { section: "Settings", order: 190, title: "Events", to: "/events", permissions: ["events.read"] },
  { section: "Settings", order: 200, title: "System", to: "/system", permissions: ["installation.read"] },
];
