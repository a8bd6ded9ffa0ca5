import type { EventDelivery, LoggedEvent } from "@oven/contract/system";

/** The worst that came of an event. */
export function toEventState({ deliveries, deliveredAt }: LoggedEvent): EventDelivery["status"] {
  if (deliveries.some(({ status }) => status === "failed")) return "failed";
  return deliveredAt === null ? "pending" : "delivered";
}
