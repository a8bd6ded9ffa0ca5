/**
 * JavaScript that stands for what n8n's scripts can do with dates, as far as it is here: a `DateTime` with a fixed offset in minutes.
 * Names of months and days are English. It reads the constants `now` (ISO text) and `offset`.
 */
export const DATES = `const UNITS = { millisecond: 1, second: 1000, minute: 60000, hour: 3600000, day: 86400000, week: 604800000 };
const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");
const two = (number, length = 2) => String(number).padStart(length, "0");
const unitOf = (unit) => unit.toLowerCase().replace(/s$/, "");
class DateTime {
  constructor(ms, minutes = offset) { this.ms = ms; this.minutes = minutes; }
  static now() { return new DateTime(globalThis.Date.parse(now)); }
  static utc() { return new DateTime(globalThis.Date.parse(now), 0); }
  static fromMillis(ms) { return new DateTime(ms); }
  static fromSeconds(seconds) { return new DateTime(seconds * 1000); }
  static fromJSDate(date) { return new DateTime(date.getTime()); }
  static fromISO(text) {
    const hasZone = /(Z|[+-]\\d\\d:?\\d\\d)$/.test(text) && text.includes("T");
    const ms = globalThis.Date.parse(hasZone ? text : text.replace(" ", "T").replace(/^(\\d{4}-\\d\\d-\\d\\d)$/, "$1T00:00") + "Z");
    if (Number.isNaN(ms)) throw new Error("This is not a date as ISO 8601 writes it: " + text);
    return new DateTime(hasZone ? ms : ms - offset * 60000);
  }
  get local() { return new globalThis.Date(this.ms + this.minutes * 60000); }
  get year() { return this.local.getUTCFullYear(); }
  get month() { return this.local.getUTCMonth() + 1; }
  get day() { return this.local.getUTCDate(); }
  get hour() { return this.local.getUTCHours(); }
  get minute() { return this.local.getUTCMinutes(); }
  get second() { return this.local.getUTCSeconds(); }
  get millisecond() { return this.local.getUTCMilliseconds(); }
  get weekday() { return this.local.getUTCDay() || 7; }
  get quarter() { return Math.ceil(this.month / 3); }
  get daysInMonth() { return new globalThis.Date(globalThis.Date.UTC(this.year, this.month, 0)).getUTCDate(); }
  get isWeekend() { return this.weekday > 5; }
  shifted(amount, unit, sign) {
    const parts = typeof amount === "object" ? amount : { [unit ?? "milliseconds"]: amount };
    let at = this;
    for (const [name, value] of Object.entries(parts)) {
      const kind = unitOf(name);
      const months = { month: 1, quarter: 3, year: 12 }[kind];
      if (months !== undefined) {
        const month = at.local.getUTCMonth() + sign * value * months;
        const first = new globalThis.Date(globalThis.Date.UTC(at.year, month, 1));
        const last = new globalThis.Date(globalThis.Date.UTC(at.year, month + 1, 0)).getUTCDate();
        const rest = at.local.getTime() % 86400000;
        first.setUTCDate(Math.min(at.day, last));
        at = new DateTime(first.getTime() + ((rest + 86400000) % 86400000) - at.minutes * 60000, at.minutes);
      } else if (UNITS[kind] !== undefined) at = new DateTime(at.ms + sign * value * UNITS[kind], at.minutes);
      else throw new Error("There is no unit of time " + name);
    }
    return at;
  }
  plus(amount, unit) { return this.shifted(amount, unit, 1); }
  minus(amount, unit) { return this.shifted(amount, unit, -1); }
  startOf(unit) {
    const kind = unitOf(unit);
    const { year } = this;
    const month = { year: 0, quarter: Math.floor((this.month - 1) / 3) * 3 }[kind] ?? this.month - 1;
    const day = kind === "week" ? this.day - this.weekday + 1 : ["year", "quarter", "month"].includes(kind) ? 1 : this.day;
    const keeps = ["hour", "minute", "second"].indexOf(kind);
    const time = [this.hour, this.minute, this.second].map((value, index) => (index <= keeps ? value : 0));
    return new DateTime(globalThis.Date.UTC(year, month, day, ...time) - this.minutes * 60000, this.minutes);
  }
  endOf(unit) { return this.startOf(unit).plus(1, unit).minus(1, "millisecond"); }
  beginningOf(unit) { return this.startOf(unit); }
  endOfMonth() { return this.endOf("month"); }
  diff(other, unit = "milliseconds") {
    const value = (this.ms - other.ms) / UNITS[unitOf(unit)];
    return { [unit]: value, as: (wanted) => (this.ms - other.ms) / UNITS[unitOf(wanted)], toObject: () => ({ [unit]: value }) };
  }
  get zoneText() {
    const minutes = Math.abs(this.minutes);
    return this.minutes === 0 ? "Z" : (this.minutes < 0 ? "-" : "+") + two(Math.floor(minutes / 60)) + ":" + two(minutes % 60);
  }
  toISODate() { return this.local.toISOString().slice(0, 10); }
  toISOTime() { return this.local.toISOString().slice(11, 23) + this.zoneText; }
  toISO() { return this.toISODate() + "T" + this.toISOTime(); }
  toString() { return this.toISO(); }
  toJSON() { return this.toISO(); }
  valueOf() { return this.ms; }
  toMillis() { return this.ms; }
  toSeconds() { return this.ms / 1000; }
  toUnixInteger() { return Math.floor(this.ms / 1000); }
  toJSDate() { return new globalThis.Date(this.ms); }
  toUTC() { return new DateTime(this.ms, 0); }
  toFormat(format) {
    const values = {
      yyyy: two(this.year, 4), yy: two(this.year % 100), y: this.year,
      MMMM: MONTHS[this.month - 1], MMM: MONTHS[this.month - 1].slice(0, 3), MM: two(this.month), M: this.month,
      LLLL: MONTHS[this.month - 1], LLL: MONTHS[this.month - 1].slice(0, 3), LL: two(this.month), L: this.month,
      dd: two(this.day), d: this.day, EEEE: DAYS[this.weekday - 1], EEE: DAYS[this.weekday - 1].slice(0, 3), E: this.weekday,
      cccc: DAYS[this.weekday - 1], ccc: DAYS[this.weekday - 1].slice(0, 3), c: this.weekday,
      HH: two(this.hour), H: this.hour, hh: two(this.hour % 12 || 12), h: this.hour % 12 || 12, mm: two(this.minute), m: this.minute,
      ss: two(this.second), s: this.second, SSS: two(this.millisecond, 3), a: this.hour < 12 ? "AM" : "PM",
      ZZ: this.zoneText === "Z" ? "+00:00" : this.zoneText, X: Math.floor(this.ms / 1000), x: this.ms, q: this.quarter,
    };
    return format.replace(/'([^']*)'|([a-zA-Z])\\2*/g, (token, quoted) => {
      if (quoted !== undefined) return quoted;
      if (!Object.hasOwn(values, token)) throw new Error("There is no " + token + " in formats of dates here");
      return values[token];
    });
  }
  format(format) { return this.toFormat(format); }
}`;

/** What scripts name, made of it. */
export const DATE_NAMES: readonly (readonly [name: string, code: string])[] = [
  ["$now", "const $now = DateTime.now();"],
  ["$today", 'const $today = DateTime.now().startOf("day");'],
];

/** CEL for how many minutes a time zone is ahead of UTC when the run begins. @param zone an IANA name */
export function offsetIn(zone: string): string {
  const at = "timestamp(execution.startedAt)";
  const name = JSON.stringify(zone);
  const minutes = `(${at}.getHours(${name}) - ${at}.getHours()) * 60 + ${at}.getMinutes(${name}) - ${at}.getMinutes()`;
  const days = `(${at}.getDayOfYear(${name}) - ${at}.getDayOfYear())`;
  return `cel.bind(d, ${days}, (d > 1 ? -1 : d < -1 ? 1 : d) * 1440 + ${minutes})`;
}
