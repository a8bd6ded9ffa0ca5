export { notificationDeliveries } from "./tables/notification-deliveries.table.ts";
export { notificationPreferences } from "./tables/notification-preferences.table.ts";
export { notificationRules } from "./tables/notification-rules.table.ts";
export { notifications } from "./tables/notifications.table.ts";
export { reviewDeadlines } from "./tables/review-deadlines.table.ts";
export { workflowNotify } from "./tables/workflow-notify.table.ts";
