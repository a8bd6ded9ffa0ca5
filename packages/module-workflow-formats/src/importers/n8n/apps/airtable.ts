import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { type Given, limitOf } from "./app-given.ts";
import { type App, type AppPlan, type AppStep, listOf, ONE_PAGE, refuseMore } from "./app-steps.ts";
import { computed, encoded, isExpression, js, url } from "./app-values.ts";

const API = "https://api.airtable.com/v0";
const BASE = /https:\/\/airtable\.com\/([a-zA-Z0-9]{2,})/;
const TABLE = /https:\/\/airtable\.com\/[a-zA-Z0-9]{2,}\/([a-zA-Z0-9]{2,})/;
const PAGE = 100;

export const AIRTABLE: App = {
  title: "Airtable",
  credential: "airtableTokenApi",
  secret: "airtable",
  plan: (given) => {
    const resource = given.or("resource", "record");
    if (given.version < 2) return old(given, String(given.or("operation", "read")));
    const operation = String(given.or("operation", resource === "record" ? "get" : ""));
    const base = given.locator("base", { pattern: BASE });
    if (resource === "base" && operation === "getSchema")
      return {
        steps: [
          { what: "request", method: "GET", url: url`${API}/meta/bases/${base}/tables` },
          listOf("answer.tables"),
        ],
      };
    const at = recordsOf(base, given.locator("table", { pattern: TABLE }));
    if (resource === "record") {
      switch (operation) {
        case "get":
          return get(given, at);
        case "search":
          return search(given, at);
        case "create":
          return create(given, at);
        case "update":
          return update(given, at);
        case "upsert":
          return upsert(given, at);
        case "deleteRecord":
          return {
            steps: [{ method: "DELETE", url: record(at, given.need("id")) }],
          };
        default:
      }
    }
    throw new NoEquivalent(`there is no node here that does ${String(resource)}: ${operation}`);
  },
};

const recordsOf = (base: Json, table: Json): string => url`https://api.airtable.com/v0/${base}/${encoded(table)}`;

const record = (at: string, id: Json): string =>
  isExpression(at)
    ? url`${at}/${id}`
    : isExpression(id)
      ? `=${at}/${id.slice(1)}`
      : `${at}/${encodeURIComponent(String(id))}`;

/** A record as n8n hands it on since version 2: its fields beside its id. */
const FLAT = "({ id: record.id, createdTime: record.createdTime, ...record.fields })";

const flat = (): AppStep => ({ code: `const record = $json;\nreturn ${FLAT};` });

/** Options that change nothing but the files of a record. */
function refuseFiles(options: Given): void {
  const files = options.get("downloadFields") ?? options.get("downloadAttachments");
  if (files !== undefined && files !== false && !(Array.isArray(files) && files.length === 0))
    throw new NoEquivalent("it downloads files");
}

function get(given: Given, at: string): AppPlan {
  refuseFiles(given.group("options"));
  return { steps: [{ what: "request", method: "GET", url: record(at, given.need("id")) }, flat()] };
}

function search(given: Given, at: string): AppPlan {
  const options = given.group("options");
  refuseFiles(options);
  const body = queryOf(given, options.get("fields"));
  const view = options.get("view") ?? given.get("view");
  if (view !== undefined) body.view = isObject(view) ? (view.value ?? "") : view;
  const sort = given.list("sort", "property");
  if (sort.length > 0)
    body.sort = sort.map((one) => ({ field: one.need("field"), direction: one.or("direction", "asc") }));
  return pageOf(given, at, { body, source: `answer.records.map((record) => ${FLAT})`, all: true, limit: 100 });
}

function queryOf(given: Given, fields: Json | undefined): JsonObject {
  const body: JsonObject = {};
  const formula = given.get("filterByFormula");
  if (formula !== undefined) body.filterByFormula = formula;
  if (Array.isArray(fields) && fields.length > 0) body.fields = fields;
  if (typeof fields === "string")
    body.fields = computed(`((given) => (typeof given === "string" ? given.split(",") : given))(${js(fields)})`);
  return body;
}

/** One page of records: a list is asked for by POST, so that its fields need no encoding of their own. */
function pageOf(
  given: Given,
  at: string,
  { body, source, all, limit }: { body: JsonObject; source: string; all: boolean; limit: number },
): AppPlan {
  const count = limitOf(given, { all, limit });
  const isPaged = count === undefined || count > PAGE;
  const more = isPaged ? [refuseMore("answer.offset !== undefined", PAGE)] : [];
  const request = {
    ...body,
    ...(count === undefined ? {} : { maxRecords: count }),
    pageSize: Math.min(PAGE, count ?? PAGE),
  };
  return {
    steps: [{ what: "request", method: "POST", url: `${at}/listRecords`, body: request }, listOf(source, ...more)],
    notes: isPaged ? [ONE_PAGE(PAGE)] : [],
  };
}

/** The fields that a node writes, without those that only say which record it is. @throws NoEquivalent */
function fieldsOf(given: Given, without: readonly string[]): Json {
  const columns = given.group("columns");
  columns.skip("schema", "attemptToConvertTypes", "convertFieldsToString");
  const options = given.group("options");
  const ignored = String(options.or("ignoreFields", ""))
    .split(",")
    .map((name) => name.trim());
  const mode = columns.choice("mappingMode", "defineBelow", ["defineBelow", "autoMapInputData"]);
  const value = columns.get("value") ?? {};
  columns.skip("matchingColumns");
  if (mode === "autoMapInputData")
    return computed(
      `((item) => Object.fromEntries(Object.entries(item).filter(([key]) => !${JSON.stringify([...without, ...ignored].filter((name) => name !== ""))}.includes(key))))($json)`,
    );
  if (!isObject(value)) throw new NoEquivalent("which fields it writes is computed");
  const fields = Object.entries(value).filter(([key, child]) => !without.includes(key) && child !== null);
  return Object.fromEntries(fields);
}

function typecastOf(given: Given): JsonObject {
  const typecast = given.group("options").or("typecast", false);
  return typecast === false ? {} : { typecast };
}

function create(given: Given, at: string): AppPlan {
  const body = { fields: fieldsOf(given, []), ...typecastOf(given) };
  return { steps: [{ what: "request", method: "POST", url: at, body }, flat()] };
}

/** The columns that say which record it is. */
function matchedBy(given: Given): string[] {
  const names = given.group("columns").get("matchingColumns");
  return Array.isArray(names) ? names.map(String) : [];
}

function soughtIn(given: Given, name: string): Json {
  const columns = given.group("columns");
  const value = columns.get("value");
  if (columns.get("mappingMode") === "autoMapInputData") return computed(`$json[${JSON.stringify(name)}]`);
  const found = isObject(value) ? value[name] : undefined;
  if (found === undefined || found === null || found === "")
    throw new NoEquivalent(`the ${name} that it looks for is not set`);
  return found;
}

function update(given: Given, at: string): AppPlan {
  const matching = matchedBy(given);
  if (matching.length > 1) throw new NoEquivalent("it looks for records by several columns");
  const by = matching[0] ?? "id";
  if (by === "id") {
    const body = { fields: fieldsOf(given, ["id"]), ...typecastOf(given) };
    return { steps: [{ what: "request", method: "PATCH", url: record(at, soughtIn(given, "id")), body }, flat()] };
  }
  if (given.group("options").or("updateAllMatches", false) !== false)
    throw new NoEquivalent("it updates all records that match");
  throw new NoEquivalent(`it looks for the record by ${by} before it writes: use its record id`);
}

function upsert(given: Given, at: string): AppPlan {
  const matching = matchedBy(given);
  if (matching.length === 0) throw new NoEquivalent("it names no column to find records by");
  if (given.group("options").or("updateAllMatches", false) !== false)
    throw new NoEquivalent("it updates all records that match");
  if (matching.includes("id")) throw new NoEquivalent("it makes a record where the id that it looks for is not there");
  const body = {
    performUpsert: { fieldsToMergeOn: matching },
    records: [{ fields: fieldsOf(given, ["id"]) }],
    ...typecastOf(given),
  };
  return {
    steps: [
      { what: "request", method: "PATCH", url: at, body },
      { code: `const record = $json.records[0];\nreturn ${FLAT};` },
    ],
    notes: ["Where several records match, n8n updates the first one; Airtable answers with an error here."],
  };
}

/** Version 1 hands on records as Airtable answers with them. */
function old(given: Given, operation: string): AppPlan {
  const base = given.locator("application", { what: "base", pattern: BASE });
  const table = given.locator("table", { pattern: TABLE });
  const at = recordsOf(base, table);
  const options = given.group("options");
  options.skip("bulkSize");
  switch (operation) {
    case "append": {
      const fields = oldFields(given, "addAllFields", []);
      return { steps: [{ method: "POST", url: at, body: { fields, ...typecastOf(given) } }] };
    }
    case "update": {
      const fields = oldFields(given, "updateAllFields", ["id"]);
      return {
        steps: [{ method: "PATCH", url: record(at, given.need("id")), body: { fields, ...typecastOf(given) } }],
      };
    }
    case "read":
      return { steps: [{ method: "GET", url: record(at, given.need("id")) }] };
    case "delete":
      return { steps: [{ method: "DELETE", url: record(at, given.need("id")) }] };
    case "list": {
      if (given.or("downloadAttachments", false) !== false) throw new NoEquivalent("it downloads files");
      const more = given.group("additionalOptions");
      const formula = more.get("filterByFormula");
      const view = more.get("view");
      const sort = more.list("sort", "property");
      const body: JsonObject = {
        ...queryOf(given, more.get("fields")),
        ...(formula === undefined ? {} : { filterByFormula: formula }),
        ...(view === undefined ? {} : { view }),
        ...(sort.length === 0
          ? {}
          : { sort: sort.map((one) => ({ field: one.need("field"), direction: one.or("direction", "asc") })) }),
      };
      return pageOf(given, at, { body, source: "answer.records", all: true, limit: 100 });
    }
    default:
      throw new NoEquivalent(`there is no node here that does record: ${operation}`);
  }
}

/** Fields of the item that version 1 sends: all, or those that are named. @throws NoEquivalent */
function oldFields(given: Given, all: string, without: readonly string[]): Json {
  const options = given.group("options");
  const ignored = String(options.or("ignoreFields", ""))
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const names = given.get("fields");
  if (given.flag(all, true))
    return computed(
      `((item) => Object.fromEntries(Object.entries(item).filter(([key]) => !${JSON.stringify([...without, ...ignored])}.includes(key))))($json)`,
    );
  if (!Array.isArray(names)) throw new NoEquivalent("which fields it writes is computed");
  return computed(`((item) => Object.fromEntries(${js(names)}.map((key) => [key, item[key]])))($json)`);
}
