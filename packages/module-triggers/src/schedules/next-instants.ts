import { OvenError } from "@oven/contract";
import { Cron } from "croner";

/** A schedule as it is kept: a cron expression in a time zone, or one instant. */
export interface Schedule {
  cron?: string | undefined;
  /** ISO 8601 with an offset. */
  at?: string | undefined;
  /** IANA name. */
  timezone: string;
  startAt?: string | undefined;
  endAt?: string | undefined;
}

/*
 * Daylight saving: a time that is left out on the day the clocks go forward fires at the moment they do; one that comes twice
 * when they go back fires the first time. Expressions that name every hour or minute follow real time.
 */

/**
 * The first instant after `after`; null when there is none any more.
 * @throws OvenError INVALID_TRIGGER for an expression or zone that cannot be read
 */
export function nextInstant(schedule: Schedule, after: Date): Date | null {
  const { at, startAt, endAt } = schedule;
  if (at !== undefined) {
    const instant = new Date(at);
    return instant > after ? instant : null;
  }
  // An instant at the very start counts.
  const from = startAt === undefined ? after : new Date(Math.max(after.getTime(), Date.parse(startAt) - 1));
  const next = toCron(schedule).nextRun(from);
  if (next === null || (endAt !== undefined && next > new Date(endAt))) return null;
  return next;
}

/** Up to `count` instants after `after`. */
export function nextInstants(schedule: Schedule, after: Date, count: number): Date[] {
  const instants: Date[] = [];
  for (let from = after; instants.length < count; ) {
    const next = nextInstant(schedule, from);
    if (next === null) break;
    instants.push(next);
    from = next;
  }
  return instants;
}

/** A time on a clock on the wall, such as `2026-11-23T09:00:00`, in a zone. */
export function toInstant(wallTime: string, timezone: string): Date | null {
  requireZone(timezone);
  return new Cron(wallTime, { timezone, paused: true }).nextRun(new Date(0));
}

function toCron({ cron = "", timezone }: Schedule): Cron {
  requireZone(timezone);
  try {
    return new Cron(cron, { timezone, paused: true });
  } catch (cause) {
    throw new OvenError("INVALID_TRIGGER", `${JSON.stringify(cron)} is not a cron expression: ${toReason(cause)}`, {
      status: 400,
      path: "$.config.cron",
      fix: "Write five fields: minute, hour, day of the month, month, day of the week; such as 0 9 * * MON-FRI.",
      cause,
    });
  }
}

function toReason(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/^Cron\w+: /, "");
}

/** @throws OvenError INVALID_TRIGGER */
export function requireZone(timezone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch (cause) {
    throw new OvenError("INVALID_TRIGGER", `${JSON.stringify(timezone)} is not a time zone`, {
      status: 400,
      path: "$.config.timezone",
      fix: "Use a name such as Europe/Vienna or UTC.",
      cause,
    });
  }
}
