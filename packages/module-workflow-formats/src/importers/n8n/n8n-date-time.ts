import type { Json } from "@oven/contract";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { Given } from "./apps/app-given.ts";
import { js } from "./apps/app-values.ts";
import { inputsFor, timeNotes, toCode } from "./n8n-computed.ts";
import { type MapNode, toStep } from "./n8n-context.ts";
import type { N8nNode } from "./n8n-document.ts";
import { analyse, parseExpression } from "./n8n-script.ts";

/** A date as n8n or JavaScript has it, or a text as ISO 8601 writes it; n8n guesses at anything else, so it fails here. */
const DATE_OF =
  'const dateOf = (value) => { if (typeof value?.toMillis === "function") return value; if (typeof value?.getTime === "function") return DateTime.fromMillis(value.getTime()); if (typeof value !== "string" || /^\\d+$/.test(value.trim())) throw new Error("This is not a date as ISO 8601 writes it: " + JSON.stringify(value)); return DateTime.fromMillis(DateTime.fromISO(value.trim()).toMillis()); };';

/** A value of JavaScript, with dates read by `dateOf`. */
const withDates = (source: string): string => `(() => { ${DATE_OF} return ${source}; })()`;

const UNITS = ["years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds"] as const;
const PARTS = ["year", "month", "day", "hour", "minute", "second"] as const;
/** Units whose length is always the same. */
const LENGTHS: Readonly<Record<string, string>> = {
  week: "weeks",
  day: "days",
  hour: "hours",
  minute: "minutes",
  second: "seconds",
};

/** The value that a node of dates adds, and the name of its field where none is given. @throws NoEquivalent */
function computedBy(given: Given): { source: string; field: string; isNow?: boolean } {
  const operation = String(given.or("operation", "getCurrentDate"));
  switch (operation) {
    case "getCurrentDate":
      return {
        source: given.flag("includeTime", true) ? "$now.toISO()" : "$today.toISO()",
        field: "currentDate",
        isNow: true,
      };
    case "formatDate": {
      const format = String(given.or("format", "MM/dd/yyyy"));
      const written = format === "custom" ? given.need("customFormat", "format") : format;
      given.skip("customFormat");
      return {
        source: withDates(`dateOf(${js(given.need("date"))}).toFormat(String(${js(written)}))`),
        field: "formattedDate",
      };
    }
    case "addToDate":
    case "subtractFromDate": {
      const unit = given.choice("timeUnit", "days", UNITS);
      const amount = `Number(${js(given.or("duration", 0))})`;
      const sign = operation === "addToDate" ? "plus" : "minus";
      const date = js(given.need("magnitude", "date"));
      return { source: withDates(`dateOf(${date}).${sign}(${amount}, "${unit}").toISO()`), field: "newDate" };
    }
    case "extractDate":
      return {
        source: withDates(`dateOf(${js(given.need("date"))}).${given.choice("part", "month", PARTS)}`),
        field: "datePart",
      };
    case "getTimeBetweenDates": {
      const units = given.or("units", ["day"]);
      const [unit, ...others] = Array.isArray(units) ? units.map(String) : [];
      const known = unit !== undefined && Object.hasOwn(LENGTHS, unit) ? LENGTHS[unit] : undefined;
      if (known === undefined || others.length > 0)
        throw new NoEquivalent("it says a difference in several units, or in one of no fixed length");
      const [start, end] = [js(given.need("startDate")), js(given.need("endDate"))];
      return {
        source: withDates(`dateOf(${end}).diff(dateOf(${start}), "${known}").toObject()`),
        field: "timeDifference",
      };
    }
    default:
      throw new NoEquivalent(`there is no node here that does ${operation} with a date`);
  }
}

/** Date & Time since its version 2, as JavaScript. */
export const mapDateTime: MapNode = (node: N8nNode, context) => {
  const given = new Given(node.parameters, node.version);
  if (node.version < 2) throw new NoEquivalent("its version 1 writes dates in formats of another kind");
  const options = given.group("options");
  if (options.flag("includeInputFields")) throw new NoEquivalent("it keeps the fields that come in");
  const zone = options.get("timezone");
  // What says yes or no means the zone of the workflow, which dates are in here in any case.
  if (zone !== undefined && typeof zone !== "boolean") throw new NoEquivalent("it has a time zone of its own");
  given.skip("operation");
  const { source, field, isNow = false } = computedBy(given);
  const name = given.or("outputFieldName", field);
  if (typeof name !== "string" || name.startsWith("=")) throw new NoEquivalent("the name of its field is computed");
  given.refuseRest();
  const script = analyse([parseExpression(source)]);
  const { inputs, prelude } = inputsFor(script, node.name, { items: context.items, document: context.document });
  // A step that waits for nothing says the time at which it is come to; that of the run stands still.
  if (isNow) inputs.now = `$.${context.idBefore()}_output.until`;
  const { src, input = {} } = toCode([...prelude, `return { [${JSON.stringify(name)}]: ${source} };`], inputs);
  return {
    ...toStep(node, context, src, input as Record<string, Json>), // cast: made by `toCode`
    endOutput: `$.${context.id}_output.result`,
    notes: timeNotes(script, context.document).slice(isNow ? 1 : 0),
    ...(isNow ? { before: { src: "core.delay", input: { ms: 0 } } } : {}),
  };
};
