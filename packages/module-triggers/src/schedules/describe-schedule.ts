import type { SchedulePreview } from "@oven/contract/trigger";
import cronstrue from "cronstrue";
import { nextInstants, type Schedule } from "./next-instants.ts";
import { DAYS } from "./words/said.ts";

/** A schedule in words and by its next instants. @throws OvenError INVALID_TRIGGER */
export function describeSchedule(schedule: Schedule, now: Date, count: number): SchedulePreview {
  const { cron, at, timezone } = schedule;
  const next = nextInstants(schedule, now, count).map((instant) => instant.toISOString());
  const words =
    cron === undefined
      ? `Once, ${inWords(new Date(at ?? 0), timezone)}`
      : cronstrue.toString(withLastDay(cron), { use24HourTimeFormat: true, verbose: false });
  return { cron: cron ?? null, at: at ?? null, timezone, says: `${words} (${timezone})`, next };
}

/** `FRI#L` is written `5L` there. */
function withLastDay(cron: string): string {
  return cron.replace(/\b(\w+)#L\b/gi, (_, day: string) => {
    const place = (DAYS as readonly string[]).indexOf(day.toUpperCase());
    return `${place < 0 ? day : place}L`;
  });
}

function inWords(instant: Date, timezone: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone: timezone }).format(
    instant,
  );
}
