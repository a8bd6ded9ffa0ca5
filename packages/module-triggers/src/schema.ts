export { triggerDeliveries } from "./tables/trigger-deliveries.table.ts";
export { triggers } from "./tables/triggers.table.ts";
