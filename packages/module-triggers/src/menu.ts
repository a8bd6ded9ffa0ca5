import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [
  { name: "triggers", title: "Triggers" },
  { name: "trigger-deliveries", title: "Deliveries" },
  { name: "event-subscriptions", title: "Event subscriptions" },
  { name: "event-wirings", title: "Event wirings" },
];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  {
    section: "Agent Workflows",
    order: 70,
    title: "Triggers & schedules",
    to: "/triggers",
    permissions: ["triggers.read"],
  },
  {
    section: "Settings",
    order: 65,
    title: "Event subscriptions",
    to: "/event-subscriptions",
    permissions: ["event-subscriptions.read"],
  },
];
