import { createHash } from "node:crypto";
import { OvenError } from "@oven/contract";
import { type CheckContext, defineTrigger } from "@oven/module-registry";
import { z } from "zod";
import { dueInstants } from "../schedules/due-instants.ts";
import { nextInstant, nextInstants, requireZone } from "../schedules/next-instants.ts";
import { TimezoneSchema } from "../schedules/timezone.ts";

const Instant = z.iso.datetime({ offset: true });
/** Enough to see how close two firings of an expression come. */
const LOOK_AHEAD = 500;

export const ScheduleConfigSchema = z.strictObject({
  cron: z.string().min(1).max(200).optional().describe("Five fields, such as 0 9 * * MON-FRI. Either this or at."),
  at: Instant.optional().describe("One instant, with an offset. Either this or cron."),
  timezone: TimezoneSchema.describe("IANA name, such as Europe/Vienna"),
  misfire: z
    .enum(["skip", "once", "all"])
    .default("once")
    .describe("Instants that passed while OVEN was down: none, one run for the latest, or one for each"),
  misfireLimit: z.int().min(1).max(100).default(10).describe("Of misfire all: the latest so many"),
  jitterSeconds: z
    .int()
    .min(0)
    .max(3_600)
    .default(0)
    .describe("Starts up to so much later, so that not all start at once"),
  startAt: Instant.optional().describe("Not before"),
  endAt: Instant.optional().describe("Not after"),
});
export type ScheduleConfig = z.output<typeof ScheduleConfigSchema>;

export const scheduleTrigger = defineTrigger({
  id: "schedule",
  title: "Schedule",
  docs: "Starts at an instant, or again and again by a cron expression in a time zone.",
  config: ScheduleConfigSchema,
  sample: { scheduledAt: "2026-01-01T09:00:00.000Z", timezone: "UTC" },
  arriving: ["scheduledAt", "timezone"],
  check: checkSchedule,
  clock: {
    first: (config, after) => nextInstant(config, after),
    async fire({ config, dueAt, now }) {
      const { instants, next } = dueInstants(config, config, dueAt, now);
      const arrivals = instants.map((instant) => {
        const scheduledAt = instant.toISOString();
        return {
          key: `at:${scheduledAt}`,
          payload: { scheduledAt, timezone: config.timezone },
          delayMs: jitterOf(scheduledAt, config.jitterSeconds),
        };
      });
      return { arrivals, next };
    },
  },
});

/** The same for the same instant, so that whoever fires it again after a crash agrees. */
function jitterOf(instant: string, seconds: number): number {
  const spread = createHash("sha256").update(instant).digest().readUInt32BE(0) / 2 ** 32;
  return Math.floor(spread * seconds * 1_000);
}

function checkSchedule(config: ScheduleConfig, { now, minimumSeconds }: CheckContext): void {
  if ((config.cron === undefined) === (config.at === undefined)) {
    throw invalid("$.config", "A schedule has either cron or at", "Give one of them.");
  }
  requireZone(config.timezone);
  const instants = nextInstants(config, now, config.at === undefined ? LOOK_AHEAD : 1);
  if (instants.length === 0) {
    if (config.at !== undefined) throw invalid("$.config.at", `${config.at} is in the past`, "Choose a time to come.");
    throw invalid("$.config.cron", "This schedule never fires", "Check the days, and startAt and endAt.");
  }
  const gaps = instants.slice(1).map((instant, index) => instant.getTime() - (instants[index]?.getTime() ?? 0));
  const closest = Math.min(...gaps) / 1_000;
  if (closest < minimumSeconds) {
    throw invalid(
      "$.config.cron",
      `This schedule fires every ${closest} s; at least ${minimumSeconds} s must lie between`,
      "Fire less often, or ask an administrator to change TRIGGER_MINIMUM_INTERVAL_SECONDS.",
    );
  }
}

function invalid(path: string, message: string, fix: string): OvenError {
  return new OvenError("INVALID_TRIGGER", message, { status: 400, path, fix });
}
