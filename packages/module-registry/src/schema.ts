export { moduleConfigs } from "./config/module-configs.table.ts";
export { outboxDeliveries, outboxEvents } from "./events/outbox.table.ts";
