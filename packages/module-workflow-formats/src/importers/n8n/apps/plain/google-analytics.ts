import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../../importing/no-equivalent.ts";
import { type Given, limitOf } from "../app-given.ts";
import { type App, type AppPlan, listOf, ONE_PAGE, refuseMore } from "../app-steps.ts";
import { computed, js, url } from "../app-values.ts";
import { plainApp } from "../plain-app.ts";

const MOST = 100_000;

/** The days of a period, as JavaScript for the first and the last one. */
const PERIODS: Readonly<Record<string, readonly [string, string]>> = {
  today: ["DateTime.now()", "DateTime.now()"],
  yesterday: ["DateTime.now().minus({ days: 1 })", "DateTime.now().minus({ days: 1 })"],
  last7days: ["DateTime.now().minus({ days: 7 })", "DateTime.now()"],
  last30days: ["DateTime.now().minus({ days: 30 })", "DateTime.now()"],
  lastCalendarWeek: [
    'DateTime.now().startOf("week").minus({ weeks: 1 })',
    'DateTime.now().endOf("week").minus({ weeks: 1 })',
  ],
  lastCalendarMonth: [
    'DateTime.now().startOf("month").minus({ months: 1 })',
    'DateTime.now().endOf("month").minus({ months: 1 })',
  ],
};

function daysOf(given: Given): JsonObject {
  const period = given.choice("dateRange", "last7days", [...Object.keys(PERIODS), "custom"]);
  const day = (source: string) => computed(`${source}.toISODate()`);
  if (period !== "custom") {
    given.skip("startDate", "endDate");
    const [first = "", last = ""] = PERIODS[period] ?? [];
    return { startDate: day(first), endDate: day(last) };
  }
  const read = (value: Json) => `DateTime.fromISO(String(${js(value)}))`;
  return {
    startDate: day(read(own(given, "startDate"))),
    endDate: day(read(own(given, "endDate"))),
  };
}

/** @throws NoEquivalent where it is that of the day when the workflow was made */
function own(given: Given, name: string): Json {
  const value = given.get(name);
  if (value === undefined) throw new NoEquivalent(`its ${name} is left out`);
  return value;
}

/** Metrics or dimensions, each by its name in a list or by one of its own. @throws NoEquivalent */
function namesOf(given: Given, group: string, key: string, usual: string): Json[] {
  const list = given.keys().includes(group) ? given.list(group, key).map((one) => nameOf(one, usual)) : [usual];
  if (new Set(list).size < list.length) throw new NoEquivalent("it names one of them twice");
  return list.map((name) => ({ name }));
}

function nameOf(given: Given, usual: string): Json {
  const chosen = given.get("listName");
  if (chosen === "custom") throw new NoEquivalent("it computes metrics of its own");
  return chosen === "other" ? given.or("name", usual) : (chosen ?? usual);
}

const ROWS = `(answer.rows ?? []).map((row) => Object.fromEntries([
    ...(answer.dimensionHeaders ?? []).map(({ name }, index) => [name, row.dimensionValues[index].value]),
    ...(answer.metricHeaders ?? []).map(({ name }, index) => [name, row.metricValues[index].value]),
  ]))`;

const FILTERED = ["dimensionFiltersUI", "metricsFiltersUI", "orderByUI"];

/** A report of Google Analytics 4. */
function report(given: Given): AppPlan {
  given.choice("propertyType", "ga4", ["ga4"]);
  const more = given.group("additionalFields");
  for (const name of FILTERED) if (more.get(name) !== undefined) throw new NoEquivalent(`it sets ${name} of a report`);
  const count = limitOf(given, { limit: 50 });
  const body: JsonObject = {
    dateRanges: [daysOf(given)],
    metrics: namesOf(given, "metricsGA4", "metricValues", "totalUsers"),
    dimensions: namesOf(given, "dimensionsGA4", "dimensionValues", "date"),
    limit: count ?? MOST,
  };
  for (const name of ["currencyCode", "metricAggregations", "keepEmptyRows", "returnPropertyQuota"]) {
    const value = more.get(name);
    if (value !== undefined && value !== false) body[name] = value;
  }
  const id = given.locator("propertyId", { what: "property" });
  const address = url`https://analyticsdata.googleapis.com/v1beta/properties/${id}:runReport`;
  const lines = count === undefined ? [refuseMore(`answer.rowCount > ${MOST}`, MOST)] : [];
  const isSimple = given.flag("simple", true);
  return {
    steps: [
      { what: "request", method: "POST", url: address, body },
      isSimple
        ? listOf(ROWS, ...lines)
        : { code: [...lines.map((line) => line.replaceAll("answer", "$json")), "return $json;"].join("\n") },
    ],
    notes: count === undefined ? [ONE_PAGE(MOST)] : [],
  };
}

export const GOOGLE_ANALYTICS: App = plainApp({
  ...{ title: "Google Analytics", credential: "googleAnalyticsOAuth2", secret: "google-analytics", base: "" },
  resource: "report",
  operation: "get",
  check: ({ version }) => {
    if (version < 2)
      throw new NoEquivalent("its version 1 asks for Universal Analytics, which Google has switched off");
  },
  operations: { "report:get": report },
});
