import { type Permission, READING_ROLES } from "@oven/module-registry";

export const notificationPermissions: Permission[] = [
  {
    id: "notifications.read",
    title: "Be told in the dashboard, and say what to be told",
    roles: [...READING_ROLES, "reviewer"],
  },
  { id: "notification-rules.read", title: "See who is told of what", roles: ["auditor"] },
  { id: "notification-rules.create", title: "Make rules that tell people and other systems" },
  { id: "notification-rules.update", title: "Change rules that tell people and other systems" },
  { id: "notification-rules.delete", title: "Delete rules that tell people and other systems" },
  { id: "notification-deliveries.read", title: "See the messages that were sent to anybody", roles: ["auditor"] },
  { id: "notification-deliveries.replay", title: "Send messages once more" },
];
