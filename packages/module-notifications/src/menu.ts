import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [
  { name: "notifications", title: "Notifications" },
  { name: "notification-rules", title: "Notification rules" },
  { name: "notification-deliveries", title: "Sent messages" },
];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  {
    section: "Settings",
    order: 60,
    title: "Notification rules",
    to: "/notification-rules",
    permissions: ["notification-rules.read"],
  },
];
