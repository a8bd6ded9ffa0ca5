import { defineGauge } from "@oven/module-registry";

/** How many of the newest are looked at: there is no index by what came of them. */
const NEWEST = 10_000;

/** What is measured of messages that leave OVEN. */
export const notificationGauges = [
  defineGauge({
    name: "oven_notifications_failed_last_hour",
    help: "Messages to people and channels that were given up within an hour",
    read: async ({ db }) => {
      const [row] = await db.system.query<{ failed: number }>(
        `select count(*)::int as failed from notification_deliveries
          where id > (select coalesce(max(id), 0) - ${NEWEST} from notification_deliveries)
            and status = 'failed' and next_attempt_at > now() - interval '1 hour'`,
      );
      return [{ value: row?.failed ?? 0 }];
    },
  }),
  defineGauge({
    name: "oven_notification_due_oldest_seconds",
    help: "For how long the message that waits longest is due",
    read: async ({ db }) => {
      const [row] = await db.system.query<{ seconds: number }>(
        `select coalesce(greatest(extract(epoch from now() - min(next_attempt_at)), 0), 0)::float8 as seconds
          from notification_deliveries where status = 'pending'`,
      );
      return [{ value: row?.seconds ?? 0 }];
    },
  }),
];
