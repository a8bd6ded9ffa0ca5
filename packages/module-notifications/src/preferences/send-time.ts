import type { NotificationPreferences, QuietHours } from "@oven/contract/system";

const MINUTE = 60_000;
const DAY_MINUTES = 1_440;
/** When the daily digest goes out, on the reader's clock. */
const DAILY_AT = 8 * 60;

/** When an e-mail of now goes out. */
export function mailTime({ quietHours, timezone, digest }: NotificationPreferences, now: Date): Date {
  const gathered =
    digest === "none" ? now : digest === "hourly" ? nextFullHour(now, timezone) : nextAt(DAILY_AT, now, timezone);
  return afterQuietHours(quietHours, timezone, gathered);
}

/** The instant itself, or the end of the quiet hours that it falls into. */
export function afterQuietHours(quietHours: QuietHours | null, timezone: string, at: Date): Date {
  if (quietHours === null) return at;
  const [from, to, local] = [toMinutes(quietHours.from), toMinutes(quietHours.to), localMinutes(at, timezone)];
  const isQuiet = from < to ? from <= local && local < to : local >= from || local < to;
  return isQuiet ? nextAt(to, at, timezone) : at;
}

/** The next instant at which the clocks of the zone show this minute of the day. */
function nextAt(minute: number, now: Date, timezone: string): Date {
  const whole = now.getTime() - (now.getTime() % MINUTE);
  const ahead = (minute - localMinutes(now, timezone) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const guess = new Date(whole + ahead * MINUTE);
  // The clocks may have been changed between now and then.
  const late = ((localMinutes(guess, timezone) - minute + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  return new Date(guess.getTime() - late * MINUTE);
}

/** Of the reader's clock: not all zones are whole hours apart. */
function nextFullHour(now: Date, timezone: string): Date {
  const whole = now.getTime() - (now.getTime() % MINUTE);
  return new Date(whole + (60 - (localMinutes(now, timezone) % 60)) * MINUTE);
}

function localMinutes(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return toMinutes(format.format(at));
}

function toMinutes(clock: string): number {
  const [hours = "0", minutes = "0"] = clock.split(":");
  return Number(hours) * 60 + Number(minutes);
}
