import type { Environment } from "@marcbachmann/cel-js";
import { Duration } from "@marcbachmann/cel-js/evaluator";

/*
 * Timestamps and durations as cel-spec has them. The library lets the 30th of February become the 2nd of March, reads time zones by way of
 * the zone of the process, and has no conversions to text and int. What it declares under a name cannot be declared again, so calls
 * are renamed to the functions here (cel-rewrite.ts). A timestamp is a `Date`, so it is exact to the millisecond.
 */

const TIMESTAMP = "google.protobuf.Timestamp";
const DURATION = "google.protobuf.Duration";
const BILLION = 1_000_000_000n;
/** 0001-01-01 to 9999-12-31, and 10,000 years. */
const FIRST = -62_135_596_800_000;
const LAST = 253_402_300_799_999;
const LONGEST_SECONDS = 315_576_000_000n;

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;
const SPAN = /^[+-]?(?:(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})(?:h|ms|m|s|us|µs|ns))+$/;
const SPAN_PART = /(\d*)(?:\.(\d*))?(h|ms|m|s|us|µs|ns)/g;
const NANOSECONDS: Readonly<Record<string, bigint>> = {
  h: 3_600n * BILLION,
  m: 60n * BILLION,
  s: BILLION,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  ns: 1n,
};

/** What is asked of a moment, in a zone or in UTC. The argument has the local time as its UTC. */
const PARTS: Readonly<Record<string, (local: Date) => number>> = {
  getFullYear: (local) => local.getUTCFullYear(),
  getMonth: (local) => local.getUTCMonth(),
  getDate: (local) => local.getUTCDate(),
  getDayOfMonth: (local) => local.getUTCDate() - 1,
  getDayOfWeek: (local) => local.getUTCDay(),
  getDayOfYear: (local) => Math.floor((local.getTime() - startOfYear(local)) / 86_400_000),
  getHours: (local) => local.getUTCHours(),
  getMinutes: (local) => local.getUTCMinutes(),
  getSeconds: (local) => local.getUTCSeconds(),
  getMilliseconds: (local) => local.getUTCMilliseconds(),
};

/** The whole of a span in a unit, towards zero. */
const UNITS: Readonly<Record<string, bigint>> = {
  getHours: 3_600n * BILLION,
  getMinutes: 60n * BILLION,
  getSeconds: BILLION,
  getMilliseconds: 1_000_000n,
};

/** Functions and methods of the library whose calls are renamed to those of this file. */
export const TIME_FUNCTIONS: ReadonlySet<string> = new Set(["timestamp", "duration"]);
export const TIME_METHODS: ReadonlySet<string> = new Set(Object.keys(PARTS));

/**
 * A `Date` that the library knows as a timestamp. It knows values by their constructor, and `Date` may have been replaced since the library
 * was loaded, as web frameworks and test clocks do.
 */
class Timestamp extends Date {}
Object.defineProperty(Timestamp.prototype, "constructor", { value: Date });

Duration.prototype.extendTimestamp = function extendTimestamp(this: Duration, at) {
  return requireInRange(new Timestamp(at.getTime() + wholeMilliseconds(this)));
};
Duration.prototype.subtractTimestamp = function subtractTimestamp(this: Duration, at) {
  return requireInRange(new Timestamp(at.getTime() - wholeMilliseconds(this)));
};
// The difference of two timestamps. The library's loses nanoseconds, and has two forms of one negative span, which are then not equal.
Duration.fromMilliseconds = (ms) => toDuration(BigInt(ms) * 1_000_000n);

/**
 * Declares the conversions, and the functions that calls are renamed to.
 * @param prefix what the renamed functions begin with
 */
export function registerTime(made: Environment, prefix: string): void {
  for (const type of [TIMESTAMP, DURATION]) {
    const name = type === TIMESTAMP ? "timestamp" : "duration";
    made.registerFunction(`${name}(${type}): ${type}`, (value: unknown) => value);
    made.registerFunction(`${prefix}${name}(${type}): ${type}`, (value: unknown) => value);
  }
  made.registerFunction(`${prefix}timestamp(string): ${TIMESTAMP}`, readTimestamp);
  made.registerFunction(`${prefix}timestamp(int): ${TIMESTAMP}`, (seconds: bigint) =>
    requireInRange(new Timestamp(Number(seconds) * 1_000)),
  );
  made.registerFunction(`${prefix}duration(string): ${DURATION}`, readDuration);
  made.registerFunction(`string(${TIMESTAMP}): string`, timestampText);
  made.registerFunction(`string(${DURATION}): string`, durationText);
  made.registerFunction(`int(${TIMESTAMP}): int`, (at: Date) =>
    BigInt(Math.floor(requireInRange(at).getTime() / 1_000)),
  );
  for (const [name, read] of Object.entries(PARTS)) {
    made.registerFunction(`${TIMESTAMP}.${prefix}${name}(): int`, (at: Date) => BigInt(read(requireInRange(at))));
    made.registerFunction(`${TIMESTAMP}.${prefix}${name}(string): int`, (at: Date, zone: string) =>
      BigInt(read(toLocal(requireInRange(at), zone))),
    );
  }
  for (const [name, unit] of Object.entries(UNITS))
    made.registerFunction(`${DURATION}.${prefix}${name}(): int`, (span: Duration) => toNanoseconds(span) / unit);
}

/**
 * A moment as RFC 3339 writes it.
 * @throws RangeError also for a day that its month does not have
 */
export function readTimestamp(text: string): Date {
  const found = RFC_3339.exec(text);
  if (found === null)
    throw new RangeError(
      `${JSON.stringify(text)} is not a timestamp: write date, time and zone as in 2026-05-01T10:00:00Z`,
    );
  const [, year, month, day, hours, minutes, seconds, fraction = "", sign, zoneHours = "0", zoneMinutes = "0"] = found;
  const fields = [
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds),
  ] as const;
  const local = utc(...fields, Number(fraction.padEnd(3, "0").slice(0, 3)));
  const read = [
    local.getUTCFullYear(),
    local.getUTCMonth(),
    local.getUTCDate(),
    local.getUTCHours(),
    local.getUTCMinutes(),
    local.getUTCSeconds(),
  ];
  if (read.some((value, index) => value !== fields[index]) || Number(zoneHours) > 23 || Number(zoneMinutes) > 59)
    throw new RangeError(`${JSON.stringify(text)} is not a timestamp: there is no such day or time`);
  const ahead = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000 * (sign === "-" ? -1 : 1);
  return requireInRange(new Timestamp(local.getTime() - ahead));
}

/** `1h30m`, `-1.5s`, `250ms`. @throws RangeError */
export function readDuration(text: string): Duration {
  if (!SPAN.test(text))
    throw new RangeError(`${JSON.stringify(text)} is not a duration: write numbers with h, m, s or ms, as in 1h30m`);
  let total = 0n;
  for (const [, whole = "", fraction = "", unit = "s"] of text.matchAll(SPAN_PART)) {
    const size = NANOSECONDS[unit] ?? 0n;
    total += BigInt(whole === "" ? 0 : whole) * size + (BigInt(`0${fraction}`) * size) / 10n ** BigInt(fraction.length);
  }
  return toDuration(text.startsWith("-") ? -total : total);
}

/** As RFC 3339, in UTC, with a fraction only if there is one. @throws RangeError */
function timestampText(at: Date): string {
  return requireInRange(at)
    .toISOString()
    .replace(/\.?0+Z$/, "Z");
}

/** Seconds, as the JSON form of Protocol Buffers has them: `5400s`, `-1.5s`. */
export function durationText(span: Duration): string {
  const total = toNanoseconds(span);
  const size = total < 0n ? -total : total;
  const fraction = String(size % BILLION)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return `${total < 0n ? "-" : ""}${size / BILLION}${fraction === "" ? "" : `.${fraction}`}s`;
}

/** @throws RangeError for what has no four digits of year */
export function requireInRange(at: Date): Date {
  if (at.getTime() >= FIRST && at.getTime() <= LAST) return at;
  throw new RangeError("the timestamp is not between the years 1 and 9999");
}

function wholeMilliseconds({ seconds, nanos }: Duration): number {
  return Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000);
}

function toNanoseconds({ seconds, nanos }: Duration): bigint {
  return seconds * BILLION + BigInt(nanos);
}

/** Nanoseconds from 0 on: what the library adds and compares has one form then. @throws RangeError */
function toDuration(total: bigint): Duration {
  if (total > LONGEST_SECONDS * BILLION || total < -LONGEST_SECONDS * BILLION)
    throw new RangeError("the duration is longer than 10,000 years");
  const nanos = ((total % BILLION) + BILLION) % BILLION;
  return new Duration((total - nanos) / BILLION, Number(nanos));
}

/** `Date.UTC` takes years below 100 for those of the last century. */
function utc(year: number, month: number, day: number, hours = 0, minutes = 0, seconds = 0, ms = 0): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  date.setUTCHours(hours, minutes, seconds, ms);
  return date;
}

function startOfYear(local: Date): number {
  return utc(local.getUTCFullYear(), 0, 1).getTime();
}

const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 500;

/** @param zone an IANA name or an offset, such as `Europe/Berlin` or `+02:00`. @throws RangeError */
function toLocal(at: Date, zone: string): Date {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) if (type !== "literal") parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return utc(year, month - 1, day, hour, minute, second, at.getUTCMilliseconds());
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  let made: Intl.DateTimeFormat;
  try {
    made = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
      // cel-spec also has offsets without a sign.
      timeZone: /^\d/.test(zone) ? `+${zone}` : zone,
      hourCycle: "h23",
      ...({ year: "numeric", month: "numeric", day: "numeric" } as const),
      ...({ hour: "numeric", minute: "numeric", second: "numeric" } as const),
    });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RangeError(`${JSON.stringify(zone)} is no time zone: write Europe/Berlin, UTC or +02:00`, { cause });
  }
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(zone, made);
  return made;
}
