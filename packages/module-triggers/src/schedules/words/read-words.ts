import type { Language } from "./rule.ts";
import { DAYS, NotUnderstood, Said, type Time } from "./said.ts";

/** How far a language could read a schedule. */
export type ReadWords =
  | { kind: "cron"; cron: string }
  /** Nothing says that it repeats. */
  | { kind: "once" }
  | { kind: "refused"; part: string; reason: string | null; read: number };

/** Reads a repeating schedule; each of its words has a meaning, or it is refused. @param text in small letters */
export function readWords(text: string, { rules }: Language): ReadWords {
  const said = new Said();
  let at = 0;
  try {
    while (at < text.length) {
      if (text[at] === " ") {
        at += 1;
        continue;
      }
      const found = matchAt(text, at, rules, said);
      if (found === null) throw new NotUnderstood(unknownPart(text, at, rules, said));
      said.part = text.slice(at, found.end).trim();
      found.say();
      at = found.end;
    }
    said.end();
    return said.repeats ? { kind: "cron", cron: toCron(said, text) } : onceOrRefused(said);
  } catch (cause) {
    if (!(cause instanceof NotUnderstood)) throw cause;
    return { kind: "refused", part: cause.part, reason: cause.message === "" ? null : cause.message, read: at };
  }
}

/** The first rule that fits, which is the longest way to say it: rules are listed so. */
function matchAt(text: string, at: number, rules: Language["rules"], said: Said): { end: number; say(): void } | null {
  for (const { phrase, say, fits } of rules) {
    phrase.lastIndex = at;
    const match = phrase.exec(text);
    if (match !== null && fits?.(said) !== false)
      return { end: phrase.lastIndex, say: () => say(said, match.groups ?? {}) };
  }
  return null;
}

/** The words from a place on that no rule reads. */
function unknownPart(text: string, at: number, rules: Language["rules"], said: Said): string {
  const ends = [...text.slice(at).matchAll(/\s+|$/g)].map(({ index, 0: space }) => ({
    end: at + index,
    next: at + index + space.length,
  }));
  const known = ends.find(({ next }) => next >= text.length || matchAt(text, next, rules, said) !== null);
  return text.slice(at, known?.end);
}

function onceOrRefused(said: Said): ReadWords {
  if (said.monthDays.length > 0 && said.months.length === 0)
    throw new NotUnderstood(said.monthDayPart, "say whether it is every month, or of which month");
  return { kind: "once" };
}

/** @throws NotUnderstood for what no cron expression says */
function toCron(said: Said, text: string): string {
  const { interval, units, times, window, days, except, nth, monthDays, months, count } = said;
  const refuse = (reason: string, part = text): NotUnderstood => new NotUnderstood(part, reason);
  const list = (values: readonly (string | number)[]): string => [...new Set(values)].join(",");
  if (count !== null && (count !== times.length || !units.has("day")))
    if (!(count === 1 && times.length <= 1)) throw refuse(`it says ${count} times and names ${times.length}`);
  const isNarrow = nth !== null || monthDays.length > 0 || months.length > 0;

  let dayField = "*";
  if (except.size > 0) {
    const chosen = (days.size > 0 ? DAYS.filter((day) => days.has(day)) : DAYS).filter((day) => !except.has(day));
    if (chosen.length === 0) throw refuse("no day is left");
    dayField = list(chosen);
  } else if (days.size > 0) dayField = toDayField([...days]);
  if (nth !== null) dayField = nth.which === "L" ? `${DAYS.indexOf(nth.day)}L` : `${nth.day}#${nth.which}`;
  if (dayField !== "*" && monthDays.length > 0) throw refuse("it names days of the week and of the month");

  const isFrequent =
    units.has("minute") || units.has("hour") || interval?.unit === "minute" || interval?.unit === "hour";
  if (isFrequent) {
    if (times.length > 0) throw refuse("it says how often and at what time");
    if (isNarrow || [...units].some((unit) => !["minute", "hour", "day"].includes(unit)))
      throw refuse("how often within a day goes with days of the week only");
    return `${toFrequent(said, refuse)} * * ${dayField}`;
  }
  if (window !== null) throw refuse("between two times it must say how often, such as every hour");
  if (interval !== null && interval.unit !== "month")
    throw refuse(`a schedule counts no ${interval.unit}s; name the days`);

  const hasMonthPart = monthDays.length > 0 || nth !== null;
  let monthField = months.length > 0 ? list(months) : "*";
  if (interval !== null) {
    if (12 % interval.count !== 0 || months.length > 0) throw refuse("it does not come out even over a year");
    monthField =
      interval.count === 12
        ? "1"
        : list(Array.from({ length: 12 / interval.count }, (_, index) => 1 + index * interval.count));
  }
  if (units.has("quarter")) {
    if (months.length > 0 || interval !== null) throw refuse("it says two schedules in one");
    monthField = "1,4,7,10";
  }
  const needsDate =
    units.has("month") || units.has("quarter") || units.has("year") || interval !== null || months.length > 0;
  if (needsDate && !hasMonthPart) throw refuse("say on which day of the month");
  if (units.has("year") && months.length === 0) throw refuse("say in which month");
  if (hasMonthPart && !needsDate) throw refuse("say whether it is every month, or of which month");
  if (units.has("week") && dayField === "*") throw refuse("say on which day of the week");
  if (nth === null && units.has("day") && isNarrow) throw refuse("it says every day and a date");

  const { minute, hours } = toTimes(times, refuse);
  const monthDayField = monthDays.length > 0 ? list(monthDays) : "*";
  const longest = Math.max(...(months.length > 0 ? months : [1]).map((month) => new Date(2024, month, 0).getDate()));
  if (monthDays.length > 0 && monthDays.every((day) => typeof day === "number" && day > longest))
    throw refuse("that month has no such day");
  return `${minute} ${hours} ${monthDayField} ${monthField} ${dayField}`;
}

type Refuse = (reason: string) => NotUnderstood;

function toFrequent({ interval, units, window }: Said, refuse: Refuse): string {
  const hours = window === null ? null : `${window.from.hour}-${window.to.hour}`;
  if (window !== null && (window.to.hour <= window.from.hour || window.from.minute + window.to.minute > 0))
    throw refuse("between two times means whole hours of one day, such as between 9:00 and 17:00");
  if (units.has("hour") || interval?.unit === "hour") {
    const every = interval?.count ?? 1;
    if (24 % every !== 0) throw refuse("it does not come out even over a day");
    return `0 ${every === 1 ? (hours ?? "*") : `${hours ?? "*"}/${every}`}`;
  }
  if (window !== null)
    throw refuse("minutes between two times: write a cron expression, which says whether the last hour counts");
  const every = interval?.count ?? 1;
  if (60 % every !== 0) throw refuse("it does not come out even over an hour");
  return `${every === 1 ? "*" : `*/${every}`} *`;
}

/** Midnight where none is said. */
function toTimes(times: readonly Time[], refuse: Refuse): { minute: number; hours: string } {
  const [first = { hour: 0, minute: 0 }] = times;
  if (times.some(({ minute }) => minute !== first.minute))
    throw refuse("times with different minutes take a trigger each");
  const hours = times.length === 0 ? [0] : times.map(({ hour }) => hour);
  return { minute: first.minute, hours: [...new Set(hours)].toSorted((one, other) => one - other).join(",") };
}

/** `MON-FRI` where days follow each other, else a list in the order in which they were said. */
function toDayField(days: readonly (typeof DAYS)[number][]): string {
  if (days.length === 7) return "*";
  const [first] = days;
  const isRun =
    days.length > 2 &&
    days.every((day, index) => index === 0 || DAYS.indexOf(day) === DAYS.indexOf(days[index - 1] ?? "SUN") + 1);
  return isRun ? `${first}-${days.at(-1)}` : days.join(",");
}
