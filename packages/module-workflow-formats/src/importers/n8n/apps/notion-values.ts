import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { Given } from "./app-given.ts";
import { computed, isExpression, js } from "./app-values.ts";

/** Name and type of a property, as `Name|type`. @throws NoEquivalent */
function keyOf(given: Given): { name: string; type: string } {
  const key = given.need("key", "property");
  if (isExpression(key)) throw new NoEquivalent("which property it takes is computed");
  const [name = "", type = ""] = String(key).split("|");
  return { name, type };
}

const ZONED = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:?\d{2})$/;

/** A date as it is sent; one whose time depends on a time zone that is not said, fails. */
function dateOf(value: Json, isWithTime: boolean): Json {
  const pattern = isWithTime ? ZONED : /^\d{4}-\d{2}-\d{2}$/;
  const need = isWithTime
    ? "a date with its time and its zone, such as 2026-01-31T09:00:00Z"
    : "a date such as 2026-01-31";
  if (!isExpression(value)) {
    if (!pattern.test(String(value))) throw new NoEquivalent(`${String(value)} is not ${need}`);
    return value;
  }
  return computed(
    `((given) => { const text = given !== null && typeof given === "object" && "toISO" in given ? given.toISO() : String(given); if (!${pattern}.test(text)) throw new Error(text + " is not ${need}"); return text; })(${js(value)})`,
  );
}

/** What a page's properties are set to, by their names. @throws NoEquivalent */
export function propertiesOf(list: readonly Given[], version: number): JsonObject {
  const result: JsonObject = {};
  for (const given of list) {
    const { name, type } = keyOf(given);
    const value = propertyOf(given, type, version);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

const text = (content: Json): Json => [{ text: { content } }];

function propertyOf(given: Given, type: string, version: number): Json | undefined {
  // Values of other types stay in a document when the type is changed.
  given.skip(
    "textContent",
    "title",
    "numberValue",
    "urlValue",
    "checkboxValue",
    "emailValue",
    "phoneValue",
    "selectValue",
    "statusValue",
  );
  given.skip(
    "multiSelectValue",
    "peopleValue",
    "relationValue",
    "date",
    "includeTime",
    "range",
    "timezone",
    "dateStart",
    "dateEnd",
    "ignoreIfEmpty",
  );
  switch (type) {
    case "title":
      return { title: text(given.or("title", "")) };
    case "rich_text":
      if (given.or("richText", false) !== false) throw new NoEquivalent("it writes formatted text");
      return { rich_text: text(given.or("textContent", "")) };
    case "number":
      return { type, number: given.or("numberValue", 0) };
    case "url": {
      const value = given.or("urlValue", "");
      if (given.or("ignoreIfEmpty", false) === false) return { type, url: value };
      if (isExpression(value)) throw new NoEquivalent("it leaves an address out where it is empty");
      return value === "" ? undefined : { type, url: value };
    }
    case "checkbox":
      return { type, checkbox: given.or("checkboxValue", false) };
    case "email":
      return { type, email: given.or("emailValue", "") };
    case "phone_number":
      return { type, phone_number: given.or("phoneValue", "") };
    case "status":
      return { type, status: { name: given.need("statusValue", "status") } };
    case "select":
      return selectOf(given, version);
    case "multi_select":
      return { type, multi_select: optionsOf(given.or("multiSelectValue", [])) };
    case "people":
      return { type, people: computed(`[${js(given.or("peopleValue", []))}].flat().map((id) => ({ id }))`) };
    case "relation":
      return {
        type,
        relation: computed(
          `[${js(given.or("relationValue", []))}].flat().filter((one) => typeof one === "string" && one !== "").flatMap((one) => one.split(",")).map((one) => ({ id: one.trim() }))`,
        ),
      };
    case "date":
      return { type, date: dateValue(given) };
    default:
      throw new NoEquivalent(`it sets a property of the type ${type}`);
  }
}

function selectOf(given: Given, version: number): Json {
  const value = given.or("selectValue", "");
  const key = version < 2 ? "id" : "name";
  if (!isExpression(value)) return { type: "select", select: value === "" ? null : { [key]: value } };
  return {
    type: "select",
    select: computed(
      `((one) => (one === undefined || one === null || one === "" ? null : { ${key}: one }))(${js(value)})`,
    ),
  };
}

/** Options by their names, or by their ids. */
function optionsOf(value: Json): Json {
  return computed(
    `((given) => (given === undefined || given === null || given === "" ? [] : Array.isArray(given) ? given : String(given).split(",").map((one) => one.trim())).filter((one) => one !== null).map((one) => (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(one) ? { id: one } : { name: one })))(${js(value)})`,
  );
}

function dateValue(given: Given): Json {
  const isWithTime = given.flag("includeTime", true);
  if (given.flag("range")) {
    const [start, end] = [given.or("dateStart", ""), given.or("dateEnd", "")];
    return start === "" && end === "" ? null : { start: dateOf(start, isWithTime), end: dateOf(end, isWithTime) };
  }
  const date = given.or("date", "");
  return date === "" ? null : { start: dateOf(date, isWithTime), end: null };
}

const VALUES: Readonly<Record<string, string>> = {
  title: "titleValue",
  rich_text: "richTextValue",
  number: "numberValue",
  checkbox: "checkboxValue",
  select: "selectValue",
  multi_select: "multiSelectValue",
  status: "statusValue",
  url: "urlValue",
  email: "emailValue",
  phone_number: "phoneNumberValue",
  relation: "relationValue",
  people: "peopleValue",
  created_by: "createdByValue",
  last_edited_by: "lastEditedByValue",
};
/** Types that a filter has another name for, in the version of the API that n8n asks for. */
const FILTER_NAMES: Readonly<Record<string, string>> = { rich_text: "text", phone_number: "phone" };
const SPANS = new Set("past_week past_month past_year next_week next_month next_year".split(" "));
const EMPTY = new Set(["is_empty", "is_not_empty"]);

/** The filter of a query; undefined: it has none. @throws NoEquivalent */
export function filterOf(given: Given): Json | undefined {
  const kind = given.choice("filterType", "none", ["none", "manual", "json"]);
  if (kind === "json") {
    given.skip("filters", "matchType");
    const value = given.need("filterJson", "filter");
    return computed(
      `(({ parse }) => ((value) => (typeof value === "string" ? parse(value) : value))(${js(value)}))(JSON)`,
    );
  }
  given.skip("filterJson");
  const match = given.choice("matchType", "anyFilter", ["anyFilter", "allFilters"]);
  if (kind === "none") {
    given.skip("filters");
    return undefined;
  }
  const conditions = given.list("filters", "conditions").map(conditionOf);
  return conditions.length === 0 ? undefined : { [match === "allFilters" ? "and" : "or"]: conditions };
}

function conditionOf(given: Given): JsonObject {
  const { name, type } = keyOf(given);
  given.skip("type");
  const condition = given.choice("condition", "equals", [
    ...([
      "equals",
      "does_not_equal",
      "contains",
      "does_not_contain",
      "starts_with",
      "ends_with",
      "greater_than",
      "less_than",
    ] as const),
    ...([
      "greater_than_or_equal_to",
      "less_than_or_equal_to",
      "is_empty",
      "is_not_empty",
      "before",
      "after",
      "on_or_before",
    ] as const),
    ...(["on_or_after", "past_week", "past_month", "past_year", "next_week", "next_month", "next_year"] as const),
  ]);
  const key = FILTER_NAMES[type] ?? type;
  const compared = (value: Json): JsonObject => ({ property: name, [key]: { [condition]: value } });
  if (EMPTY.has(condition)) return compared(true);
  if (SPANS.has(condition)) return compared({});
  if (type === "date") return compared(dateOf(given.need("date"), true));
  if (type === "last_edited_time" || type === "created_time") {
    const value = given.get(type === "created_time" ? "createdTimeValue" : "lastEditedTime");
    if (value === undefined) throw new NoEquivalent(`it compares ${type} with nothing`);
    return compared(value);
  }
  const field = VALUES[type];
  if (field === undefined) throw new NoEquivalent(`it filters by a property of the type ${type}`);
  return compared(given.or(field, type === "checkbox" ? false : ""));
}
