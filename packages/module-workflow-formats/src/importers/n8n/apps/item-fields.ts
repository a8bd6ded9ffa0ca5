import type { Json } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { Given } from "./app-given.ts";
import type { App, AppPlan } from "./app-steps.ts";
import { isExpression, js } from "./app-values.ts";

/** Nodes that change fields of an item and hand on the others as they are: a step of JavaScript each. */

const BECOMES = "It becomes a step of JavaScript.";

/** A place in an item by the dots in its name, as n8n reads and writes it. */
const PLACES = `const keysOf = (path) => String(path).split(/[.[\\]]+/).filter((key) => key !== "");
const copyOf = (value) => Array.isArray(value) ? value.map(copyOf) : typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, copyOf(child)])) : value;
const getAt = (object, path) => keysOf(path).reduce((value, key) => value?.[key], object);
const setAt = (object, path, value) => {
  const keys = keysOf(path);
  const last = keys.pop();
  const owner = keys.reduce((at, key) => (typeof at[key] === "object" && at[key] !== null ? at[key] : (at[key] = {})), object);
  owner[last] = value;
};
const unsetAt = (object, path) => {
  const keys = keysOf(path);
  const last = keys.pop();
  const owner = keys.reduce((at, key) => at?.[key], object);
  if (typeof owner === "object" && owner !== null) delete owner[last];
};
const made = copyOf($json);`;

export const RENAME_KEYS: App = {
  ...{ title: "Rename Keys", credential: "none", secret: "none", becomes: BECOMES },
  plan: (given) => {
    if (given.group("additionalOptions").keys().length > 0) throw new NoEquivalent("it renames fields by a pattern");
    const pairs = given.list("keys", "key").map((one) => [one.or("currentKey", ""), one.or("newKey", "")]);
    const code = [
      PLACES,
      `for (const [from, to] of ${js(pairs)}) {`,
      '  if (from === "" || to === "" || from === to) continue;',
      "  const value = getAt($json, from);",
      "  if (value === undefined) continue;",
      "  setAt(made, to, value);",
      "  unsetAt(made, from);",
      "}",
      "return made;",
    ];
    return { steps: [{ code: code.join("\n") }] };
  },
};

/** Parts of a format, as version 1 writes them and as a date here does. */
const PARTS: Readonly<Record<string, string>> = {
  ...{ YYYY: "yyyy", YY: "yy", MMMM: "MMMM", MMM: "MMM", MM: "MM", M: "M", DD: "dd", D: "d", dddd: "EEEE", ddd: "EEE" },
  ...{
    HH: "HH",
    H: "H",
    hh: "hh",
    h: "h",
    mm: "mm",
    m: "m",
    ss: "ss",
    s: "s",
    SSS: "SSS",
    A: "a",
    X: "X",
    x: "x",
    Z: "ZZ",
  },
};

/** @throws NoEquivalent for parts that are not known here */
function formatOf(value: Json): string {
  if (isExpression(value)) throw new NoEquivalent("its format is computed");
  return String(value).replace(/\[([^\]]*)\]|([A-Za-z])\2*/g, (part, quoted?: string) => {
    if (quoted !== undefined) return `'${quoted}'`;
    const own = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined;
    if (own === undefined) throw new NoEquivalent(`it writes dates with ${part}`);
    return own;
  });
}

const DATE = `const dateOf = (value) => {
  if (typeof value?.toMillis === "function") return value;
  if (typeof value?.getTime === "function") return DateTime.fromMillis(value.getTime());
  const number = typeof value === "boolean" || value === null || String(value).trim() === "" ? Number.NaN : Number(value);
  if (!Number.isNaN(number)) {
    const whole = Number.isInteger(number) ? number : Math.round(number * 1000);
    return String(whole).length < 12 ? DateTime.fromSeconds(whole) : DateTime.fromMillis(whole);
  }
  return DateTime.fromISO(String(value).trim());
};
const instantOf = (value) => {
  const ms = typeof value?.toMillis === "function" ? value.toMillis() : new Date(value).getTime();
  if (Number.isNaN(ms)) throw new Error("This is not a date: " + JSON.stringify(value));
  return DateTime.fromMillis(ms);
};`;

const UNITS = ["quarters", "years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds"] as const;

/** Date & Time of version 1. */
export const DATE_TIME_1: App = {
  ...{ title: "Date & Time", credential: "none", secret: "none", becomes: BECOMES },
  plan: (given) => {
    const action = given.choice("action", "format", ["format", "calculate"]);
    const options = given.group("options");
    for (const name of ["fromFormat", "fromTimezone", "toTimezone"])
      if (options.get(name) !== undefined) throw new NoEquivalent(`it sets ${name} of a date`);
    const value = js(given.or("value", ""));
    const name = js(given.or("dataPropertyName", "data"));
    const source = action === "format" ? formatted(given, value) : shifted(given, value);
    return plan(`${PLACES}\n${DATE}\nsetAt(made, ${name}, ${source});\nreturn made;`);
  },
};

const plan = (code: string): AppPlan => ({ steps: [{ code }] });

function formatted(given: Given, value: string): string {
  given.skip("custom");
  return `dateOf(${value}).toFormat(${JSON.stringify(formatOf(given.or("toFormat", "MM/DD/YYYY")))})`;
}

function shifted(given: Given, value: string): string {
  const unit = given.choice("timeUnit", "days", UNITS);
  const sign = given.choice("operation", "add", ["add", "subtract"]) === "add" ? "plus" : "minus";
  return `instantOf(${value}).${sign}(Number(${js(given.or("duration", 0))}), "${unit}").toUTC().toISO()`;
}
