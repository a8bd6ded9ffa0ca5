import { OvenError } from "@oven/contract";
import type { ParsedComponents } from "chrono-node";
import { nextInstant, requireZone, type Schedule, toInstant } from "./next-instants.ts";
import { ENGLISH } from "./words/english.ts";
import { GERMAN } from "./words/german.ts";
import { type ReadWords, readWords } from "./words/read-words.ts";
import type { Language } from "./words/rule.ts";

const CRON = /^(@\w+|([\d*,/?LW#-]|[A-Z]{3})+(\s+([\d*,/?LW#-]|[A-Z]{3})+){4,5})$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const LANGUAGES = [ENGLISH, GERMAN];
/** Words around an instant that add nothing to it. */
const BESIDE: ReadonlySet<string> = new Set(["", "on", "at", "the", "once", "am", "um", "den", "dem", "einmal"]);
/** The third of April or the fourth of March. */
const AMBIGUOUS = /\b\d{1,2}\/\d{1,2}\b/;

/**
 * A schedule in words, such as `tomorrow 9am` or `daily at 9am`, or a cron expression, in exact terms.
 * @throws OvenError INVALID_TRIGGER when it cannot be read, or names a time that has passed
 */
export async function readSchedule(text: string, timezone: string, now: Date): Promise<Schedule> {
  requireZone(timezone);
  if (CRON.test(text)) return { cron: text, timezone };
  if (INSTANT.test(text)) return { at: later(text, toDate(text), now).toISOString(), timezone };
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replace(/[!?]+$|(?<!(?:^|\s)\d{1,2})\.+$/, "")
    .trim();
  const read = LANGUAGES.map((language) => ({ language, result: readWords(words, language) }));
  for (const { result } of read)
    if (result.kind === "cron") return { cron: toCome(result.cron, timezone, now, text), timezone };
  const at = await toOnce(words, timezone, now);
  if (at !== null) return { at: later(text, at, now).toISOString(), timezone };
  throw unreadable(text, read);
}

/** @throws OvenError INVALID_TRIGGER when it never comes, such as on 31 February */
function toCome(cron: string, timezone: string, now: Date, text: string): string {
  if (nextInstant({ cron, timezone }, now) === null)
    throw new OvenError("INVALID_TRIGGER", `${text} never comes`, {
      status: 400,
      path: "$.text",
      fix: "Name a day that the month has.",
    });
  return cron;
}

/** One instant, if each of the words belongs to it and it says a day and a time; null: they do not. */
async function toOnce(words: string, timezone: string, now: Date): Promise<Date | null> {
  const { en, de } = await import("chrono-node");
  const reference = { instant: now, timezone: offsetOf(timezone, now) };
  for (const language of [en, de]) {
    const found = language.casual.parse(words, reference, { forwardDate: true });
    const [only] = found;
    if (only === undefined || found.length > 1 || (only.end !== null && only.end !== undefined)) continue;
    const { start } = only;
    const rest = `${words.slice(0, only.index)} ${words.slice(only.index + only.text.length)}`;
    if (!rest.split(/[\s,]+/).every((word) => BESIDE.has(word)) || AMBIGUOUS.test(words)) continue;
    // "In two hours" is counted from now, "tomorrow 9am" is what the clock on the wall will show.
    if (start.tags().has("result/relativeDateAndTime")) return start.date();
    const saysDay = start.isCertain("day") || start.isCertain("weekday") || start.tags().has("result/relativeDate");
    // Of a day that has passed, that is what is said.
    if (!saysDay || (!start.isCertain("hour") && start.date() > now)) continue;
    const at = toInstant(toWallTime(start), timezone);
    const weekday = start.isCertain("weekday") ? start.get("weekday") : null;
    if (at !== null && (weekday === null || weekday === toWeekday(start))) return at;
  }
  return null;
}

function toWeekday(parts: ParsedComponents): number {
  return new Date(Date.UTC(parts.get("year") ?? 0, (parts.get("month") ?? 1) - 1, parts.get("day") ?? 1)).getUTCDay();
}

function later(text: string, at: Date, now: Date): Date {
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

function toDate(text: string): Date {
  const at = new Date(text);
  if (!Number.isNaN(at.getTime())) return at;
  throw new OvenError("INVALID_TRIGGER", `${text} is no instant`, {
    status: 400,
    path: "$.text",
    fix: "Write it like 2026-12-24T18:00:00Z.",
  });
}

/** Says it in the words of the language that got further. */
function unreadable(text: string, read: readonly { language: Language; result: ReadWords }[]): OvenError {
  const [best] = read.toSorted((one, other) => compareReach(one.result, other.result));
  const { part, reason } =
    best?.result.kind === "refused" ? best.result : { part: "", reason: "name a day and a time, or say how often" };
  const why =
    reason === null
      ? `${JSON.stringify(part)} is not understood`
      : `${part === text || part === "" ? "" : `${JSON.stringify(part)}: `}${reason}`;
  const examples = (best?.language ?? ENGLISH).examples.map((example) => JSON.stringify(example));
  return new OvenError("INVALID_TRIGGER", `${JSON.stringify(text)} could not be read as a schedule: ${why}`, {
    status: 400,
    path: "$.text",
    fix: `Write it like ${examples.join(", ")}, or as a cron expression.`,
    details: { part },
  });
}

/** First what was understood further; of two that are equal there, what knows why or has fewer words left. */
function compareReach(one: ReadWords, other: ReadWords): number {
  if (one.kind !== "refused" || other.kind !== "refused")
    return Number(one.kind === "refused") - Number(other.kind === "refused");
  return (
    other.read - one.read ||
    Number(one.reason === null) - Number(other.reason === null) ||
    one.part.length - other.part.length
  );
}
