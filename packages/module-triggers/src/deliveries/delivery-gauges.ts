import { defineGauge } from "@oven/module-registry";

/** How many of the newest are looked at: there is no index by what came of them. */
const NEWEST = 10_000;

/** What is measured of what arrives at triggers and of the events that are posted to other systems. */
export const deliveryGauges = [
  defineGauge({
    name: "oven_deliveries_failed_last_hour",
    help: "Arrivals at triggers that started nothing, and events that were given up, within an hour",
    labels: ["kind"],
    read: async ({ db }) => {
      const [row] = await db.system.query<{ triggers: number; subscriptions: number }>(
        `select
          (select count(*)::int from trigger_deliveries
            where id > (select coalesce(max(id), 0) - ${NEWEST} from trigger_deliveries)
              and decision = 'failed' and decided_at > now() - interval '1 hour') as triggers,
          (select count(*)::int from subscription_deliveries
            where id > (select coalesce(max(id), 0) - ${NEWEST} from subscription_deliveries)
              and status = 'dead' and next_attempt_at > now() - interval '1 hour') as subscriptions`,
      );
      return [
        { labels: { kind: "trigger" }, value: row?.triggers ?? 0 },
        { labels: { kind: "subscription" }, value: row?.subscriptions ?? 0 },
      ];
    },
  }),
  defineGauge({
    name: "oven_delivery_due_oldest_seconds",
    help: "For how long the delivery that waits longest is due",
    labels: ["kind"],
    read: async ({ db }) => {
      const [row] = await db.system.query<{ triggers: number | null; subscriptions: number | null }>(
        `select
          (select extract(epoch from now() - min(next_attempt_at))::float8 from trigger_deliveries
            where decision = 'received') as triggers,
          (select extract(epoch from now() - min(next_attempt_at))::float8 from subscription_deliveries
            where status = 'pending') as subscriptions`,
      );
      return [
        { labels: { kind: "trigger" }, value: Math.max(0, row?.triggers ?? 0) },
        { labels: { kind: "subscription" }, value: Math.max(0, row?.subscriptions ?? 0) },
      ];
    },
  }),
];
