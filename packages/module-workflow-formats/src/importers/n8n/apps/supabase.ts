import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { operationOf } from "./app-fields.ts";
import { type Given, limitOf } from "./app-given.ts";
import { type App, type AppPlan, type AppStep, listOf, ONE_PAGE, ownAddress, refuseMore } from "./app-steps.ts";
import { computed, isExpression, js, url } from "./app-values.ts";

const AT = ownAddress("supabase");
/** As many rows as Supabase hands on at once, unless it is set to others. */
const PAGE = 1000;
const ROWS = "Object.values(answer)";
const CONDITIONS = ["eq", "gt", "gte", "lt", "lte", "neq", "like", "ilike", "is"] as const;

export const SUPABASE: App = {
  title: "Supabase",
  credential: "supabaseApi",
  secret: "supabase",
  ownAddress: "supabase",
  plan: (given) => {
    if (given.flag("useCustomSchema")) throw new NoEquivalent("it works in a schema of its own");
    return operationOf(given, OPERATIONS, { resource: "row", operation: { row: "create" } })(given);
  },
};

const OPERATIONS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "row:create": create,
  "row:get": get,
  "row:getAll": getAll,
  "row:update": (given) => change("PATCH", given, recordOf(given)),
  "row:delete": (given) => change("DELETE", given),
};

const tableOf = (given: Given): string => {
  const path = url`/rest/v1/${given.need("tableId", "table")}`;
  return path.startsWith("=") ? `=${AT}${path.slice(1)}` : `${AT}${path}`;
};
const headers = { Prefer: "return=representation" };

/** The fields of a row. @throws NoEquivalent */
function recordOf(given: Given): JsonObject {
  if (given.choice("dataToSend", "defineBelow", ["defineBelow", "autoMapInputData"]) === "autoMapInputData")
    throw new NoEquivalent("it sends the whole item that comes in");
  const entries = given.list("fieldsUi", "fieldValues").map((field): [string, Json] => {
    const name = field.need("fieldId", "column");
    if (typeof name !== "string" || isExpression(name)) throw new NoEquivalent("the name of a column is computed");
    return [name, field.or("fieldValue", "")];
  });
  return Object.fromEntries(entries);
}

/** Several rows are sent at once there, one by one here; what is handed on is the same. */
function create(given: Given): AppPlan {
  const body = computed(`[${js(recordOf(given))}]`);
  return {
    steps: [
      { what: "request", method: "POST", url: tableOf(given), headers, body },
      {
        code: 'const row = Object.values($json)[0];\nif (row === undefined) throw new Error("Supabase handed on no row");\nreturn row;',
      },
    ],
  };
}

interface Filters {
  query: JsonObject;
  count: number;
}

/** Which rows are meant. @throws NoEquivalent */
function filtersOf(given: Given): Filters {
  const type = given.choice("filterType", "manual", ["manual", "none"]);
  if (type === "none") return { query: {}, count: 0 };
  const isAny = given.choice("matchType", "anyFilter", ["anyFilter", "allFilters"]) === "anyFilter";
  const conditions = given.list("filters", "conditions").map((condition) => {
    const key = condition.need("keyName", "column");
    const value = condition.or("keyValue", "");
    return { key, how: condition.choice("condition", "" as never, CONDITIONS), value };
  });
  if (conditions.length === 0) return { query: {}, count: 0 };
  if (isAny) {
    const listed = conditions.map(({ key, how, value }) => joinedText([key, `.${how}.`, value]));
    const parts = listed.flatMap((text, index) => (index === 0 ? [text] : [",", text]));
    return { query: { or: joinedText(["(", ...parts, ")"]) }, count: conditions.length };
  }
  const query: JsonObject = {};
  for (const { key, how, value } of conditions) {
    if (typeof key !== "string" || isExpression(key)) throw new NoEquivalent("the name of a column is computed");
    query[key] = joinedText([`${how}.`, value]);
  }
  return { query, count: conditions.length };
}

function joinedText(parts: readonly Json[]): Json {
  return parts.some(isExpression) ? computed(`[${parts.map(js).join(", ")}].join("")`) : parts.join("");
}

function get(given: Given): AppPlan {
  const query: JsonObject = {};
  for (const condition of given.list("filters", "conditions")) {
    const key = condition.need("keyName", "column");
    if (typeof key !== "string" || isExpression(key)) throw new NoEquivalent("the name of a column is computed");
    query[key] = joinedText(["eq.", condition.or("keyValue", "")]);
  }
  if (Object.keys(query).length === 0) throw new NoEquivalent("it says not which row it gets");
  return { steps: [{ what: "request", method: "GET", url: tableOf(given), headers, query }, listOf(ROWS)] };
}

function getAll(given: Given): AppPlan {
  const { query } = filtersOf(given);
  const count = limitOf(given);
  if (count !== undefined && count > PAGE) throw new NoEquivalent(`it takes more than ${PAGE} rows`);
  const full = refuseMore(`${ROWS}.length >= ${PAGE}`, PAGE - 1);
  const limit = { limit: count ?? PAGE };
  const steps: AppStep[] = [
    { what: "request", method: "GET", url: tableOf(given), headers, query: { ...query, ...limit } },
    listOf(ROWS, ...(count === undefined ? [full] : [])),
  ];
  return { steps, notes: count === undefined ? [ONE_PAGE(PAGE - 1)] : [] };
}

/** Rows are changed or deleted that a filter names; without one it would be all of them. @throws NoEquivalent */
function change(method: "PATCH" | "DELETE", given: Given, body?: JsonObject): AppPlan {
  const { query, count } = filtersOf(given);
  if (count === 0) throw new NoEquivalent("it says not which rows it is about");
  const request = { what: "request", method, url: tableOf(given), headers, query };
  return { steps: [body === undefined ? request : { ...request, body }, listOf(ROWS)] };
}
