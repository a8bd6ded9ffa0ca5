export { eventSubscriptions } from "./tables/event-subscriptions.table.ts";
export { eventWirings } from "./tables/event-wirings.table.ts";
export { subscriptionDeliveries } from "./tables/subscription-deliveries.table.ts";
export { triggerDeliveries } from "./tables/trigger-deliveries.table.ts";
export { triggers } from "./tables/triggers.table.ts";
