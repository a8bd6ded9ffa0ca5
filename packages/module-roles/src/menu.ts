import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [
  { name: "users", title: "Users" },
  { name: "tenants", title: "Tenants" },
  { name: "roles", title: "Roles" },
  { name: "api-keys", title: "API keys" },
  { name: "connected-apps", title: "Connected apps" },
  { name: "audit-log", title: "Audit log" },
];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  { section: "Settings", order: 110, title: "Users", to: "/users", permissions: ["users.read"] },
  {
    section: "Settings",
    order: 120,
    title: "Tenants",
    to: "/tenants",
    permissions: ["tenants.read"],
    installation: true,
  },
  { section: "Settings", order: 130, title: "Roles", to: "/roles", permissions: ["roles.read"] },
  { section: "Settings", order: 140, title: "API keys", to: "/api-keys", permissions: ["api-keys.read"] },
  { section: "Settings", order: 160, title: "Connected apps", to: "/connected-apps", permissions: ["users.read"] },
  { section: "Settings", order: 170, title: "Audit log", to: "/audit-log", permissions: ["audit.read"] },
];
