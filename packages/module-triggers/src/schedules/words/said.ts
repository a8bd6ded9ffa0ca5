/** Days of the week as cron writes them. */
export const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] as const;
export type Day = (typeof DAYS)[number];
export const WORKING_DAYS: readonly Day[] = ["MON", "TUE", "WED", "THU", "FRI"];
export const WEEKEND: readonly Day[] = ["SAT", "SUN"];

export type Unit = "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year";
export interface Time {
  hour: number;
  minute: number;
}
/** `L` is the last day, `1W` and `LW` the first and last working day. */
export type MonthDay = number | "L" | "1W" | "LW";

type Slot = "days" | "monthDays" | "months" | "times";

/** What cannot be read of a schedule, or cannot be said by one. */
export class NotUnderstood extends Error {
  /** The words that it is about. */
  readonly part: string;

  /** @param reason undefined: the words are unknown */
  constructor(part: string, reason?: string) {
    super(reason ?? "");
    this.part = part;
  }
}

/** What the words of a repeating schedule say, collected one after the other. Each kind of thing is said in one go. */
export class Said {
  /** Something says that it repeats: "every", "daily", "mondays". */
  repeats = false;
  readonly units = new Set<Unit>();
  interval: { count: number; unit: Unit } | null = null;
  /** "Twice a day". */
  count: number | null = null;
  readonly days = new Set<Day>();
  readonly except = new Set<Day>();
  nth: { which: number | "L"; day: Day } | null = null;
  readonly monthDays: MonthDay[] = [];
  readonly months: number[] = [];
  readonly times: Time[] = [];
  window: { from: Time; to: Time } | null = null;
  /** The words that the last item was said with. */
  part = "";
  /** The words that the last day of a month was said with. */
  monthDayPart = "";
  #last: Slot | null = null;
  #joins = false;
  #commas = false;
  #excepts = false;
  readonly #closed = new Set<Slot>();

  /** "And" joins things of one kind; what comes next is asked for that. */
  and(): void {
    if (this.#last === null) throw new NotUnderstood(this.part);
    this.#joins = true;
  }

  /** Divides, and joins what is of one kind: "8, 12 and 18". */
  comma(): void {
    this.#commas = true;
  }

  addUnit(unit: Unit): void {
    this.repeats = true;
    this.units.add(unit);
  }

  addInterval(count: number, unit: Unit): void {
    this.repeats = true;
    if (count === 1) this.units.add(unit);
    else if (this.interval !== null) throw this.#twice();
    else this.interval = { count, unit };
  }

  setCount(count: number): void {
    if (this.count !== null) throw this.#twice();
    this.count = count;
  }

  /** Days that follow are left out. */
  startExcept(): void {
    this.#excepts = true;
    this.#last = null;
    this.#joins = false;
  }

  addDays(days: readonly Day[], repeats: boolean): void {
    if (this.#excepts) {
      for (const day of days) this.except.add(day);
      this.#joins = false;
      return;
    }
    this.#enter("days");
    if (repeats || days.length > 1 || this.days.size > 0) this.repeats = true;
    for (const day of days) this.days.add(day);
  }

  setNth(which: number | "L", day: Day): void {
    this.#enter("days");
    if (this.nth !== null || this.days.size > 0) throw this.#twice();
    this.nth = { which, day };
  }

  addMonthDay(day: MonthDay): void {
    this.#enter("monthDays");
    if (typeof day === "number" && (day < 1 || day > 31)) throw new NotUnderstood(this.part, "no month has that day");
    this.monthDays.push(day);
    this.monthDayPart = this.part;
  }

  addMonths(months: readonly number[]): void {
    this.#enter("months");
    this.months.push(...months);
  }

  /** A day of a month by the month's name. */
  addDate(month: number, day: number): void {
    if (this.months.length > 0 || this.monthDays.length > 0)
      throw new NotUnderstood(this.part, "one schedule names one date of the year");
    this.addMonthDay(day);
    this.addMonths([month]);
  }

  addTime(hour: number, minute: number): void {
    if (hour > 23 || minute > 59) throw new NotUnderstood(this.part, "there is no such time");
    this.#enter("times");
    this.times.push({ hour, minute });
  }

  /** Whether a number alone can only be one more time: "at 9 and 17". */
  get awaitsTime(): boolean {
    return (this.#joins || this.#commas) && this.#last === "times";
  }

  /** "In the evening", "abends": of the time that was said last. */
  moveToAfternoon(): void {
    const last = this.times.at(-1);
    if (last === undefined) throw new NotUnderstood(this.part);
    if (last.hour < 12) last.hour += 12;
  }

  keepMorning(): void {
    const last = this.times.at(-1);
    if (last === undefined || last.hour > 12) throw new NotUnderstood(this.part);
    if (last.hour === 12) last.hour = 0;
  }

  setWindow(from: Time, to: Time): void {
    if (this.window !== null) throw this.#twice();
    if (from.hour > 23 || to.hour > 23) throw new NotUnderstood(this.part, "there is no such time");
    this.window = { from, to };
  }

  /** Nothing is left open. */
  end(): void {
    if (this.#joins || (this.#excepts && this.except.size === 0)) throw new NotUnderstood(this.part);
  }

  #enter(slot: Slot): void {
    if (this.#joins && this.#last !== slot) throw new NotUnderstood(this.part, "it says two schedules in one");
    if (this.#closed.has(slot)) throw new NotUnderstood(this.part, "it says two schedules in one");
    if (this.#last !== null && this.#last !== slot) this.#closed.add(this.#last);
    this.#last = slot;
    this.#joins = false;
    this.#commas = false;
  }

  #twice(): NotUnderstood {
    return new NotUnderstood(this.part, "it says two schedules in one");
  }
}

/** From one day to another, over the end of the week too. */
export function daysBetween(first: Day, last: Day): Day[] {
  const days: Day[] = [];
  for (let at = DAYS.indexOf(first); ; at = (at + 1) % 7) {
    const day = DAYS[at];
    if (day === undefined) return days;
    days.push(day);
    if (day === last) return days;
  }
}
