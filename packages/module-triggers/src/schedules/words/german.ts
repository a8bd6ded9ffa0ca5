import { type Language, type Parts, placeOf, rule } from "./rule.ts";
import { DAYS, type Day, daysBetween, NotUnderstood, type Said, type Unit, WEEKEND, WORKING_DAYS } from "./said.ts";

const DAY_WORDS = [
  "sonntag|so\\.?",
  "montag|mo\\.?",
  "dienstag|di\\.?",
  "mittwoch|mi\\.?",
  "donnerstag|do\\.?",
  "freitag|fr\\.?",
  "samstag|sonnabend|sa\\.?",
];
const MONTH_WORDS = [
  "januar|jänner|jan\\.?",
  "februar|feber|feb\\.?",
  "märz|mär\\.?",
  "april|apr\\.?",
  "mai",
  "juni|jun\\.?",
  "juli|jul\\.?",
  "august|aug\\.?",
  "september|sept?\\.?",
  "oktober|okt\\.?",
  "november|nov\\.?",
  "dezember|dez\\.?",
];
const NUMBER_WORDS = [
  "null",
  "eine?|eins|einem",
  "zwei",
  "drei",
  "vier",
  "fünf",
  "sechs",
  "sieben",
  "acht",
  "neun",
  "zehn",
  "elf",
  "zwölf",
];
const TENS = new Map([
  ["fünfzehn", 15],
  ["zwanzig", 20],
  ["dreißig", 30],
  ["dreissig", 30],
  ["fünfundvierzig", 45],
]);
const ORDINALS = ["", "erste[nrsm]?|1\\.", "zweite[nrsm]?|2\\.", "dritte[nrsm]?|3\\.", "vierte[nrsm]?|4\\."];
const LAST = "letzte[nrsm]?";

const DAY = DAY_WORDS.join("|");
const LONG_DAY = "sonntag|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend";
const MONTH = MONTH_WORDS.join("|");
const NUMBER = `\\d{1,3}|${NUMBER_WORDS.slice(1).join("|")}|${[...TENS.keys()].join("|")}`;
const HOUR = `\\d{1,2}|${NUMBER_WORDS.slice(1).join("|")}`;
const EVERY = "(?:jede[nrsm]?)";

const toDay = (word: string | undefined): Day => DAYS[placeOf(word, DAY_WORDS)] ?? "SUN";
const toMonth = (word: string | undefined): number => placeOf(word, MONTH_WORDS) + 1;
const toNumber = (word = ""): number =>
  /^\d/.test(word) ? Number.parseInt(word, 10) : (TENS.get(word) ?? placeOf(word, NUMBER_WORDS));
const UNITS: readonly (readonly [RegExp, Unit])[] = [
  [/^min/, "minute"],
  [/^st/, "hour"],
  [/^t[aä]g/, "day"],
  [/^w/, "week"],
  [/^mon/, "month"],
  [/^(quartal|viertel)/, "quarter"],
  [/^j/, "year"],
];
const toUnit = (word = ""): Unit => UNITS.find(([words]) => words.test(word))?.[1] ?? "day";

function addTime(said: Said, { hour, minute }: Parts): void {
  said.addTime(toNumber(hour), Number(minute ?? 0));
}

const clock = (text = ""): { hour: number; minute: number } => {
  const [, hour, minute] = /^(\d{1,2})(?:[:.](\d\d))?/.exec(text) ?? [];
  return { hour: Number(hour), minute: Number(minute ?? 0) };
};

export const GERMAN: Language = {
  examples: ["jeden Montag und Freitag um 9:00", "am ersten Dienstag im Monat um 8:30", "morgen um 17 Uhr"],
  rules: [
    rule(
      `${EVERY} (?:zweite|dritte|vierte|2\\.|3\\.|4\\.)[nrsm]? (?:woche|tag|monat|jahr|${DAY})|zweiwöchentlich|vierzehntägig|14-tägig`,
      (said) => {
        throw new NotUnderstood(
          said.part,
          "a schedule counts no weeks or days; make it one of the month, such as the first and third friday in two triggers",
        );
      },
    ),
    rule(`${EVERY} halbe stunde|alle halbe stunde|halbstündlich`, (said) => said.addInterval(30, "minute")),
    rule(`${EVERY} viertelstunde|alle viertelstunden?|viertelstündlich`, (said) => said.addInterval(15, "minute")),
    rule(
      `(?:alle|${EVERY}) (?<count>${NUMBER}) (?<unit>minuten?|min\\.?|stunden?|tage?|wochen?|monate?|jahre?)`,
      (said, { count, unit }) => said.addInterval(toNumber(count), toUnit(unit)),
    ),
    rule(`${EVERY} (?<unit>minute|stunde|tag|woche|monat|quartal|jahr)`, (said, { unit }) =>
      said.addUnit(toUnit(unit)),
    ),
    rule(
      "(?:am|im|pro|des|der|in der|jedes|eines jeden) (?<unit>stunde|tag|tages|woche|monats?|quartals?|jahre?s?)",
      (said, { unit }) => said.addUnit(toUnit(unit)),
    ),
    rule(
      "(?<unit>minütlich|stündlich|täglich|wöchentlich|monatlich|vierteljährlich|quartalsweise|jährlich)",
      (said, { unit }) => said.addUnit(toUnit(unit)),
    ),
    rule("einmal", (said) => said.setCount(1)),
    rule("(?<count>zwei|drei|vier|fünf|sechs|\\d) ?mal", (said, { count }) => said.setCount(toNumber(count))),
    rule(`(?:${EVERY} |am |zum )?(?<which>erste[nrsm]?|1\\.|${LAST}) (?:werktag|arbeitstag)`, (said, { which = "" }) =>
      said.addMonthDay(which.startsWith("letzt") ? "LW" : "1W"),
    ),
    rule(
      `werktags|werktäglich|wochentags|unter der woche|an (?:werk|arbeits|wochen)tagen|${EVERY} (?:werk|arbeits|wochen)tag`,
      (said) => said.addDays(WORKING_DAYS, true),
    ),
    rule(`am wochenende|an wochenenden|wochenends|${EVERY} wochenende`, (said) => said.addDays(WEEKEND, true)),
    rule(`(?:am )?${LAST} tag|(?:am )?ende(?= (?:des|jedes))`, (said) => said.addMonthDay("L")),
    rule("(?:am |zum )?(?:monatsende|monatsletzten)", (said) => {
      said.addUnit("month");
      said.addMonthDay("L");
    }),
    rule("(?:am |zum )?monatsersten", (said) => {
      said.addUnit("month");
      said.addMonthDay(1);
    }),
    rule(
      `(?<every>${EVERY} )?(?<which>${ORDINALS.slice(1).join("|")}|${LAST}) (?<day>${DAY})`,
      (said, { every, which = "", day }) => {
        if (every !== undefined) said.addUnit("month");
        said.setNth(which.startsWith("letzt") ? "L" : placeOf(which, ORDINALS), toDay(day));
      },
    ),
    rule(`(?:${EVERY} |von )?(?<first>${DAY})s? ?(?:bis|[-–—]) ?(?<last>${DAY})s?`, (said, { first, last }) =>
      said.addDays(daysBetween(toDay(first), toDay(last)), true),
    ),
    rule(`${EVERY} (?<day>${DAY})|(?<plural>${LONG_DAY})(?:s|en)`, (said, { day, plural }) =>
      said.addDays([toDay(day ?? plural)], true),
    ),
    rule(`(?<day>${DAY})`, (said, { day }) => said.addDays([toDay(day)], false)),
    rule("au(?:ß|ss)er(?: am| an)?", (said) => said.startExcept()),
    rule(
      "(?:zwischen|von) (?<from>\\d{1,2}(?:[:.]\\d\\d)?)(?: uhr)? (?:und|bis) (?<to>\\d{1,2}(?:[:.]\\d\\d)?)(?: uhr)?",
      (said, { from, to }) => said.setWindow(clock(from), clock(to)),
    ),
    rule(`(?<day>\\d{1,2})\\.? (?<month>${MONTH})|(?<first>ersten) (?<named>${MONTH})`, (said, { day, month, named }) =>
      said.addDate(toMonth(month ?? named), Number(day ?? 1)),
    ),
    rule(`(?:${EVERY} |im )(?<month>${MONTH})`, (said, { month }) => said.addMonths([toMonth(month)])),
    rule(`(?<month>${MONTH})`, (said, { month }) => said.addMonths([toMonth(month)])),
    rule(`(?:um )?(?<hour>\\d{1,2})[:.](?<minute>\\d\\d)(?: uhr)?`, addTime),
    rule(`(?:um )?(?<hour>${HOUR}) uhr(?: (?<minute>\\d\\d))?`, addTime),
    rule(`um (?<hour>${HOUR})`, addTime),
    rule("(?<hour>\\d{1,2})", addTime, (said) => said.awaitsTime),
    rule(`(?<every>${EVERY} )?(?<day>\\d{1,2})\\.`, (said, { every, day }) => {
      if (every !== undefined) said.addUnit("month");
      said.addMonthDay(Number(day));
    }),
    rule("ersten", (said) => said.addMonthDay(1)),
    rule("(?:um )?mitternachts?", (said) => said.addTime(0, 0)),
    rule(`(?:um )?halb (?<hour>${HOUR})`, (said, { hour }) =>
      addTime(said, { hour: String(toNumber(hour) - 1), minute: "30" }),
    ),
    rule(`(?:um )?viertel nach (?<hour>${HOUR})`, (said, { hour }) => addTime(said, { hour, minute: "15" })),
    rule(`(?:um )?(?:viertel vor|dreiviertel) (?<hour>${HOUR})`, (said, { hour }) =>
      addTime(said, { hour: String(toNumber(hour) - 1), minute: "45" }),
    ),
    rule(
      "morgens|vormittags|früh|in der früh",
      (said) => said.keepMorning(),
      (said) => said.times.length > 0,
    ),
    rule(
      "nachmittags|abends",
      (said) => said.moveToAfternoon(),
      (said) => said.times.length > 0,
    ),
    rule("mittags", (said) => {
      if (said.times.length === 0) said.addTime(12, 0);
      else if (said.times.at(-1)?.hour !== 12) throw new NotUnderstood(said.part);
    }),
    rule("(?:, )?und|&", (said) => said.and()),
    rule(",", (said) => said.comma()),
    rule("am|an|im|um|den|dem|der|des|zum|jeweils|immer", () => {}),
  ],
};
