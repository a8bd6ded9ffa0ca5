import { currentLocale } from "@oven/i18n";

/** An instant as a clock in a zone shows it, with the zone: "Monday, 26 October 2026 at 09:00 CET". */
export function inZone(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat(currentLocale(), {
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  }).format(new Date(instant));
}
