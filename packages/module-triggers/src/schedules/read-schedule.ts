import { OvenError } from "@oven/contract";
import type { ParsedComponents } from "chrono-node";
import { requireZone, type Schedule, toInstant } from "./next-instants.ts";

const CRON = /^(@\w+|([\d*,/?LW#-]|[A-Z]{3})+(\s+([\d*,/?LW#-]|[A-Z]{3})+){4,5})$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const NAME_OF_DAY = "(?:sun|mon|tue(?:s)?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?";
const DAY = `${NAME_OF_DAY}s?`;
const EVERY = "(?:every|each)";
const AT = "(?:\\s*,?\\s+at\\s+(?<time>.+))?";

/** Each way to say it, and its cron expression once the time of day is known. */
const RECURRING: { says: RegExp; cron(match: RegExpExecArray, minute: number, hour: number): string | undefined }[] = [
  {
    says: new RegExp(`^(?:${EVERY}\\s+minute|minutely)$`),
    cron: () => "* * * * *",
  },
  {
    says: new RegExp(`^${EVERY}\\s+(?<count>\\d+)\\s+minutes?$`),
    cron: ({ groups }) => (60 % Number(groups?.count) === 0 ? `*/${groups?.count} * * * *` : undefined),
  },
  { says: new RegExp(`^(?:${EVERY}\\s+hour|hourly)$`), cron: () => "0 * * * *" },
  {
    says: new RegExp(`^${EVERY}\\s+(?<count>\\d+)\\s+hours?$`),
    cron: ({ groups }) => (24 % Number(groups?.count) === 0 ? `0 */${groups?.count} * * *` : undefined),
  },
  { says: new RegExp(`^(?:${EVERY}\\s+day|daily)${AT}$`), cron: (_, minute, hour) => `${minute} ${hour} * * *` },
  {
    says: new RegExp(`^(?:${EVERY}\\s+)?(?:weekdays?|work(?:ing)?\\s*days?)${AT}$`),
    cron: (_, minute, hour) => `${minute} ${hour} * * MON-FRI`,
  },
  {
    says: new RegExp(`^(?:(?:${EVERY}|on)\\s+)?weekends?${AT}$`),
    cron: (_, minute, hour) => `${minute} ${hour} * * SAT,SUN`,
  },
  {
    says: new RegExp(
      `^(?:(?:${EVERY}|weekly\\s+on)\\s+)(?<days>${DAY}(?:(?:\\s*,\\s*|\\s+and\\s+|\\s*,\\s*and\\s+)${DAY})*)${AT}$`,
    ),
    cron: ({ groups }, minute, hour) => `${minute} ${hour} * * ${toDays(groups?.days ?? "")}`,
  },
  {
    says: new RegExp(`^(?<days>${NAME_OF_DAY}s)${AT}$`),
    cron: ({ groups }, minute, hour) => `${minute} ${hour} * * ${toDays(groups?.days ?? "")}`,
  },
  {
    says: new RegExp(`^(?:${EVERY}\\s+month|monthly)\\s+on\\s+(?:the\\s+)?(?<day>\\d{1,2})(?:st|nd|rd|th)?${AT}$`),
    cron: ({ groups }, minute, hour) => `${minute} ${hour} ${groups?.day} * *`,
  },
  {
    says: new RegExp(`^(?:on\\s+)?(?:the\\s+)?last\\s+day\\s+of\\s+(?:the|every|each)\\s+month${AT}$`),
    cron: (_, minute, hour) => `${minute} ${hour} L * *`,
  },
];

function toDays(text: string): string {
  return text
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+/)
    .map((day) => DAYS.find((short) => day.toUpperCase().startsWith(short)) ?? "")
    .join(",");
}

/**
 * A schedule in words, such as `tomorrow 9am` or `daily at 9am`, or a cron expression, in exact terms.
 * @throws OvenError INVALID_TRIGGER when it cannot be read, or names a time that has passed
 */
export async function readSchedule(text: string, timezone: string, now: Date): Promise<Schedule> {
  requireZone(timezone);
  if (CRON.test(text)) return { cron: text, timezone };
  if (INSTANT.test(text)) return { at: toCome(text, new Date(text), now).toISOString(), timezone };
  const words = text.toLowerCase().replaceAll(/\s+/g, " ").replace(/[.!]$/, "");
  for (const { says, cron } of RECURRING) {
    const match = says.exec(words);
    if (match === null) continue;
    const { hour, minute } = await toTime(match.groups?.time, text, now);
    const expression = cron(match, minute, hour);
    if (expression !== undefined) return { cron: expression, timezone };
  }
  return { at: (await toOnce(text, timezone, now)).toISOString(), timezone };
}

/** Midnight where none is given. */
async function toTime(time: string | undefined, text: string, now: Date): Promise<{ hour: number; minute: number }> {
  if (time === undefined) return { hour: 0, minute: 0 };
  const { parse } = await import("chrono-node");
  const [found] = parse(`at ${time}`, now);
  const isWhole = found?.start.isCertain("hour") && found.text.length >= time.length;
  if (found === undefined || !isWhole) throw unreadable(text);
  return { hour: found.start.get("hour") ?? 0, minute: found.start.get("minute") ?? 0 };
}

async function toOnce(text: string, timezone: string, now: Date): Promise<Date> {
  const { parse } = await import("chrono-node");
  const reference = { instant: now, timezone: offsetOf(timezone, now) };
  const [found] = parse(text, reference, { forwardDate: true });
  if (found === undefined || /\b(every|each|daily|weekly|monthly|hourly)\b/i.test(text)) throw unreadable(text);
  // "in two hours" is counted from now, "tomorrow 9am" is what the clock on the wall will show.
  const isCounted = found.start.tags().has("result/relativeDateAndTime");
  const at = isCounted ? found.start.date() : toInstant(toWallTime(found.start), timezone);
  if (at === null) throw unreadable(text);
  return toCome(text, at, now);
}

function toCome(text: string, at: Date, now: Date): Date {
  if (Number.isNaN(at.getTime())) throw unreadable(text);
  if (at <= now) {
    throw new OvenError("INVALID_TRIGGER", `${text} means ${at.toISOString()}, which has passed`, {
      status: 400,
      path: "$.text",
      fix: "Name a time to come.",
    });
  }
  return at;
}

function toWallTime(parts: ParsedComponents): string {
  const pad = (part: "month" | "day" | "hour" | "minute" | "second") => String(parts.get(part) ?? 0).padStart(2, "0");
  const year = String(parts.get("year") ?? 0).padStart(4, "0");
  return `${year}-${pad("month")}-${pad("day")}T${pad("hour")}:${pad("minute")}:${pad("second")}`;
}

/** Minutes that a zone is ahead of UTC at an instant. */
function offsetOf(timezone: string, instant: Date): number {
  const name = new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" })
    .formatToParts(instant)
    .find(({ type }) => type === "timeZoneName")?.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? "") ?? [];
  const total = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === "-" ? -total : total;
}

function unreadable(text: string): OvenError {
  return new OvenError("INVALID_TRIGGER", `${JSON.stringify(text)} could not be read as a schedule`, {
    status: 400,
    path: "$.text",
    fix: 'Write it like "tomorrow 9am", "every weekday at 8:30", "every 15 minutes", or as a cron expression.',
  });
}
