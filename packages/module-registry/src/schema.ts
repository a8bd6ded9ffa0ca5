export { outboxDeliveries, outboxEvents } from "./events/outbox.table.ts";
