import { type Language, type Parts, placeOf, rule } from "./rule.ts";
import { DAYS, type Day, daysBetween, NotUnderstood, type Said, type Unit, WEEKEND, WORKING_DAYS } from "./said.ts";

const DAY_WORDS = [
  "sunday|sun",
  "monday|mon",
  "tuesday|tues|tue",
  "wednesday|weds|wed",
  "thursday|thurs|thur|thu",
  "friday|fri",
  "saturday|sat",
];
const MONTH_WORDS = [
  "january|jan",
  "february|feb",
  "march|mar",
  "april|apr",
  "may",
  "june|jun",
  "july|jul",
  "august|aug",
  "september|sept|sep",
  "october|oct",
  "november|nov",
  "december|dec",
];
const NUMBER_WORDS = [
  "zero",
  "one|an?",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];
const TENS = new Map([
  ["fifteen", 15],
  ["twenty", 20],
  ["thirty", 30],
  ["forty-five", 45],
]);
const ORDINALS = ["", "first|1st", "second|2nd", "third|3rd", "fourth|4th"];

const DAY = DAY_WORDS.join("|");
const MONTH = MONTH_WORDS.join("|");
const NUMBER = `\\d{1,3}|${NUMBER_WORDS.slice(1).join("|")}|${[...TENS.keys()].join("|")}`;
const UNIT = "minutes?|mins?|hours?|hrs?|days?|weeks?|months?|quarters?|years?";
const EVERY = "(?:every|each)";
const HALF_DAY = "(?: ?(?<half>[ap]\\.?m\\.?))?";

const toDay = (word: string | undefined): Day => DAYS[placeOf(word, DAY_WORDS)] ?? "SUN";
const toMonth = (word: string | undefined): number => placeOf(word, MONTH_WORDS) + 1;
const toNumber = (word = ""): number =>
  /^\d/.test(word) ? Number.parseInt(word, 10) : (TENS.get(word) ?? placeOf(word, NUMBER_WORDS));

function toUnit(word = ""): Unit {
  const units: readonly Unit[] = ["minute", "hour", "day", "week", "month", "quarter", "year"];
  return units.find((unit) => unit.startsWith(word.slice(0, 3)) || (unit === "hour" && word.startsWith("hr"))) ?? "day";
}

function addTime(said: Said, { hour, minute, half }: Parts): void {
  const given = toNumber(hour);
  if (half !== undefined && (given < 1 || given > 12)) throw new NotUnderstood(said.part, "there is no such time");
  const hour24 = half === undefined ? given : (given % 12) + (half.startsWith("p") ? 12 : 0);
  said.addTime(hour24, Number(minute ?? 0));
}

const clock = (text = ""): { hour: number; minute: number } => {
  const [, hour, minute, half] = /^(\d{1,2})(?::(\d\d))?(?: ?([ap]))?/.exec(text) ?? [];
  const whole = Number(hour);
  return { hour: half === undefined ? whole : (whole % 12) + (half === "p" ? 12 : 0), minute: Number(minute ?? 0) };
};
const CLOCK = "\\d{1,2}(?::\\d\\d)?(?: ?[ap]m)?";

export const ENGLISH: Language = {
  examples: ["every monday and friday at 9:00", "on the first tuesday of the month at 8:30", "tomorrow at 5pm"],
  rules: [
    rule(
      `${EVERY} (?:other|second|2nd|third|3rd|fourth|4th) (?:week|day|month|year|${DAY})|fortnightly|bi-?weekly|bi-?monthly`,
      (said) => {
        throw new NotUnderstood(
          said.part,
          "a schedule counts no weeks or days; make it one of the month, such as the first and third friday in two triggers",
        );
      },
    ),
    rule(`${EVERY} half(?: an)? hour|half[- ]hourly`, (said) => said.addInterval(30, "minute")),
    rule(`${EVERY} quarter(?: of an)? hour`, (said) => said.addInterval(15, "minute")),
    rule(`${EVERY} (?<count>${NUMBER}) (?<unit>${UNIT})`, (said, { count, unit }) =>
      said.addInterval(toNumber(count), toUnit(unit)),
    ),
    rule(`${EVERY} (?<unit>minute|hour|day|week|month|quarter|year)`, (said, { unit }) => said.addUnit(toUnit(unit))),
    rule(
      "(?:a|an|per|of the|of every|of each|of a|in the|in every|in each|the) (?<unit>hour|day|week|month|quarter|year)",
      (said, { unit }) => said.addUnit(toUnit(unit)),
    ),
    rule("minutely", (said) => said.addUnit("minute")),
    rule("hourly", (said) => said.addUnit("hour")),
    rule("daily", (said) => said.addUnit("day")),
    rule("weekly", (said) => said.addUnit("week")),
    rule("monthly", (said) => said.addUnit("month")),
    rule("quarterly", (said) => said.addUnit("quarter")),
    rule("yearly|annually", (said) => said.addUnit("year")),
    rule("once", (said) => said.setCount(1)),
    rule("twice", (said) => said.setCount(2)),
    rule("(?<count>two|three|four|five|six|\\d) times", (said, { count }) => said.setCount(toNumber(count))),
    rule(`(?:${EVERY} |on |the )*(?<which>first|1st|last) (?:working|business|week) ?day`, (said, { which }) =>
      said.addMonthDay(which === "last" ? "LW" : "1W"),
    ),
    rule(`(?:${EVERY} )?(?:week ?days?|work(?:ing)?[ -]?days?|business days?)`, (said) =>
      said.addDays(WORKING_DAYS, true),
    ),
    rule(`(?:${EVERY} )?weekends?(?: days?)?`, (said) => said.addDays(WEEKEND, true)),
    rule("(?:the )?last day|(?:the )?end of(?= (?:the|every|each|a))", (said) => said.addMonthDay("L")),
    rule("(?:at )?(?:the )?month[- ]?end|(?:at )?(?:the )?end of month", (said) => {
      said.addUnit("month");
      said.addMonthDay("L");
    }),
    rule(
      `(?<every>${EVERY} )?(?<which>first|1st|second|2nd|third|3rd|fourth|4th|last) (?<day>${DAY})`,
      (said, { every, which, day }) => {
        if (every !== undefined) said.addUnit("month");
        said.setNth(which === "last" ? "L" : placeOf(which, ORDINALS), toDay(day));
      },
    ),
    rule(
      `(?:${EVERY} )?(?<first>${DAY})s? ?(?:to|through|thru|until|till|[-–—]) ?(?<last>${DAY})s?`,
      (said, { first, last }) => said.addDays(daysBetween(toDay(first), toDay(last)), true),
    ),
    rule(
      `${EVERY} (?<day>${DAY})s?|(?<plural>${DAY_WORDS.map((words) => words.split("|")[0]).join("|")})s`,
      (said, { day, plural }) => said.addDays([toDay(day ?? plural)], true),
    ),
    rule(`(?<day>${DAY})`, (said, { day }) => said.addDays([toDay(day)], false)),
    rule("except(?: on| for)?|but not(?: on)?|excluding", (said) => said.startExcept()),
    rule(`(?:between|from) (?<from>${CLOCK}) (?:and|to|until|till) (?<to>${CLOCK})`, (said, { from, to }) =>
      said.setWindow(clock(from), clock(to)),
    ),
    rule(
      `(?<month>${MONTH}) (?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)?(?! ?(?:[ap]\\.?m|[:.]\\d|o'?clock))`,
      (said, { month, day }) => said.addDate(toMonth(month), Number(day)),
    ),
    rule(`(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>${MONTH})`, (said, { day, month }) =>
      said.addDate(toMonth(month), Number(day)),
    ),
    rule(`${EVERY} (?<month>${MONTH})`, (said, { month }) => {
      said.addUnit("year");
      said.addMonths([toMonth(month)]);
    }),
    rule(`(?<month>${MONTH})`, (said, { month }) => said.addMonths([toMonth(month)])),
    rule(`(?<every>${EVERY} )?(?<day>\\d{1,2})(?:st|nd|rd|th)`, (said, { every, day }) => {
      if (every !== undefined) said.addUnit("month");
      said.addMonthDay(Number(day));
    }),
    rule("day (?<day>\\d{1,2})", (said, { day }) => said.addMonthDay(Number(day))),
    rule("(?:the )?first(?= of| at|,|$)", (said) => said.addMonthDay(1)),
    rule(`(?:at )?(?<hour>\\d{1,2})[:.](?<minute>\\d\\d)${HALF_DAY}`, addTime),
    rule(`(?:at )?(?<hour>\\d{1,2}|${NUMBER_WORDS.slice(1).join("|")}) ?(?<half>[ap]\\.?m\\.?)`, addTime),
    rule(`(?:at )?(?<hour>\\d{1,2}|${NUMBER_WORDS.slice(1).join("|")}) o'?clock${HALF_DAY}`, addTime),
    rule(`at (?<hour>\\d{1,2}|${NUMBER_WORDS.slice(1).join("|")})`, addTime),
    rule("(?<hour>\\d{1,2})", addTime, (said) => said.awaitsTime),
    rule("(?:at )?(?:noon|midday)", (said) => said.addTime(12, 0)),
    rule("(?:at )?midnight", (said) => said.addTime(0, 0)),
    rule(`(?:at )?half past (?<hour>${NUMBER})${HALF_DAY}`, (said, parts) => addTime(said, { ...parts, minute: "30" })),
    rule(`(?:at )?(?:a )?quarter past (?<hour>${NUMBER})${HALF_DAY}`, (said, parts) =>
      addTime(said, { ...parts, minute: "15" }),
    ),
    rule(`(?:at )?(?:a )?quarter to (?<hour>${NUMBER})${HALF_DAY}`, (said, { hour, ...parts }) =>
      addTime(said, { ...parts, hour: String(toNumber(hour) - 1), minute: "45" }),
    ),
    rule("in the (?:afternoon|evening)", (said) => said.moveToAfternoon()),
    rule("in the morning", (said) => said.keepMorning()),
    rule("(?:, )?and|&", (said) => said.and()),
    rule(",", (said) => said.comma()),
    rule("on(?: the)?|the|in|of|at|every(?= the)", () => {}),
  ],
};
