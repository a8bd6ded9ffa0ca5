import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { Given } from "./app-given.ts";
import type { App, AppPlan, AppStep, PartNames } from "./app-steps.ts";
import { partJson } from "./app-steps.ts";
import { computed, isExpression, js } from "./app-values.ts";
import { FIND_ROWS, READ_TABLE, WRITE_CELLS } from "./google-sheets-code.ts";
import { oldSheets } from "./google-sheets-old.ts";

const SHEETS_API = "https://sheets.googleapis.com/v4/spreadsheets";
const DOCUMENT = /([-\w]{25,})/;
const OPERATIONS = ["read", "append", "update", "appendOrUpdate"];

export const GOOGLE_SHEETS: App = {
  title: "Google Sheets",
  credential: "googleSheetsOAuth2Api",
  secret: "google-sheets",
  plan: (given, names) => {
    const resource = String(given.or("resource", "sheet"));
    const operation = String(given.or("operation", resource === "sheet" ? "read" : "create"));
    if (resource !== "sheet" || (given.version >= 3 && !OPERATIONS.includes(operation)))
      throw new NoEquivalent(`there is no node here that does ${resource}: ${operation}`);
    if (given.version < 3) return oldSheets(given, operation, names);
    const place: Place = {
      document: given.locator("documentId", { what: "document", pattern: DOCUMENT }),
      sheet: sheetOf(given),
    };
    return operation === "read" ? read(given, place, names) : write(given, operation, { place, names });
  },
};

interface Place {
  document: Json;
  /** What the API takes as a filter of data, without rows. */
  sheet: { id: Json } | { title: Json };
}

/** A sheet by its number, or by its title. @throws NoEquivalent */
function sheetOf(given: Given): Place["sheet"] {
  const mode = given.modeOf("sheetName");
  const value = given.locator("sheetName", { what: "sheet", pattern: /[#&?]gid=([0-9]+)/ });
  if (mode === "name") return { title: value };
  if (isExpression(value)) return { id: computed(`Number(String(${js(value)}).replace("gid=", ""))`) };
  const id = Number(String(value).replace("gid=", ""));
  if (!Number.isInteger(id)) throw new NoEquivalent("which sheet it takes is said by a number that is none");
  return { id };
}

/** The first rows of a sheet, or all of it, as the API filters data. */
function filterOf({ sheet }: Place, rows?: number): JsonObject {
  if ("id" in sheet)
    return { gridRange: { sheetId: sheet.id, ...(rows === undefined ? {} : { startRowIndex: 0, endRowIndex: rows }) } };
  const quoted = isExpression(sheet.title)
    ? `"'" + String(${js(sheet.title)}).replaceAll("'", "''") + "'"`
    : JSON.stringify(`'${String(sheet.title).replaceAll("'", "''")}'`);
  return { a1Range: computed(rows === undefined ? quoted : `${quoted} + "!1:${rows}"`) };
}

/** Where something is read, first of all: what of it is computed, is computed from what comes in. */
function ask(what: string, place: Place, filter: JsonObject, render: JsonObject): AppStep {
  const document = isExpression(place.document) ? place.document.slice(1) : encodeURIComponent(String(place.document));
  return {
    what,
    method: "POST",
    url: `${isExpression(place.document) ? "=" : ""}${SHEETS_API}/${document}/values:batchGetByDataFilter`,
    body: { dataFilters: [filter], majorDimension: "ROWS", ...render },
  };
}

function read(given: Given, place: Place, names: PartNames): AppPlan {
  const options = given.group("options");
  const format = options.group("outputFormatting").group("values");
  const render = {
    valueRenderOption: format.or("general", "UNFORMATTED_VALUE"),
    dateTimeRenderOption: format.or("date", "FORMATTED_STRING"),
  };
  const location = options.group("dataLocationOnSheet").group("values");
  const how = location.choice("rangeDefinition", "detectAutomatically", [
    "detectAutomatically",
    "specifyRange",
    "specifyRangeA1",
  ]);
  const range = {
    how,
    until: location.or("readRowsUntil", "lastRowInSheet"),
    head: rowOf(location, "headerRow", 1),
    first: rowOf(location, "firstDataRow", 2),
  };
  const part = location.get("range");
  const filter = filterOf(place);
  if (how === "specifyRangeA1" && part !== undefined) {
    if (!("a1Range" in filter) || isExpression(part))
      throw new NoEquivalent("it reads a range of a sheet that is said by its number");
    filter.a1Range = computed(`${js(filter.a1Range ?? "")} + ${JSON.stringify(`!${String(part)}`)}`);
  }
  const filters = given
    .list("filtersUI", "values")
    .map((one) => ({ column: one.get("lookupColumn") ?? "", value: one.or("lookupValue", "") }));
  const isFirst =
    given.version < 4.5
      ? options.or("returnAllMatches", "returnFirstMatch") !== "returnAllMatches"
      : options.flag("returnFirstMatch");
  const combine = combinationOf(given, filters.length);
  const list: AppStep = { code: "return $input.all().flatMap((item) => item.json.rows);", isList: true };
  const table = (source: string) => [READ_TABLE, `const rows = readTable(${source}, ${JSON.stringify(range)});`];
  if (filters.length === 0)
    return {
      steps: [
        ask("sheet", place, filter, render),
        {
          what: "rows",
          code: [...table("$json.valueRanges?.[0]?.valueRange?.values ?? []"), "return { rows };"].join("\n"),
        },
        list,
      ],
    };
  const find = (source: string) =>
    `return { rows: findRows(rows, ${source}, ${JSON.stringify({ isFirst, combine })}) };`;
  if (!filters.some(({ column, value }) => isExpression(column) || isExpression(value))) {
    const code = [...table("$json.valueRanges?.[0]?.valueRange?.values ?? []"), FIND_ROWS, find(js(filters))].join(
      "\n",
    );
    return { steps: [ask("sheet", place, filter, render), { what: "rows", code }, list] };
  }
  const asked = names("question");
  const question = { filters, document: place.document, filter };
  const later: Place = { ...place, document: "={{ $json.document }}" };
  const code = [
    ...table("$json.valueRanges?.[0]?.valueRange?.values ?? []"),
    FIND_ROWS,
    find(`${partJson(asked)}.filters`),
  ].join("\n");
  return {
    steps: [
      { what: "question", code: `return ${js(question)};` },
      {
        ...ask("sheet", later, {}, render),
        body: { dataFilters: ["={{ $json.filter }}"], majorDimension: "ROWS", ...render },
      },
      { what: "rows", code },
      list,
    ],
  };
}

/** How several filters are combined. @throws NoEquivalent where the version does not say */
function combinationOf(given: Given, count: number): string {
  if (count > 1 && given.get("combineFilters") === undefined && given.version >= 4.3 && given.version < 4.5)
    throw new NoEquivalent("how its filters are combined is not sure");
  return given.choice("combineFilters", given.version < 4.3 ? "OR" : "AND", ["OR", "AND"]);
}

function rowOf(location: Given, name: string, otherwise: number): number {
  const row = Number(location.or(name, otherwise));
  if (!Number.isInteger(row) || row < 1) throw new NoEquivalent("which row has the names of the columns is computed");
  return row;
}

function write(given: Given, operation: string, { place, names }: { place: Place; names: PartNames }): AppPlan {
  const options = given.group("options");
  const location = options.group("locationDefine").group("values");
  const head = rowOf(location, "headerRow", 1);
  const first = rowOf(location, "firstDataRow", head + 1);
  const format = options.or("cellFormat", given.version < 4.1 ? "RAW" : "USER_ENTERED");
  const { row, isAuto, by } = rowToWrite(given, operation);
  const extra = options.choice("handlingExtraData", "insertInNewColumn", ["insertInNewColumn", "ignoreIt", "error"]);
  const isOwnEnd = options.or("useAppend", false) !== true && operation !== "update";
  const question = names("question");
  const all = {
    row: "@row",
    document: place.document,
    filter: filterOf(place, operation === "append" ? head : undefined),
  };
  const asking = js(all).replace('"@row"', row);
  const later: Place = { ...place, document: "={{ $json.document }}" };
  const how = { operation, head, first, format, by, extra: isAuto ? extra : "error" };
  const handsOn = given.version < 4 || isAuto ? `${partJson(question)}.item` : `${partJson(question)}.row`;
  const cells: AppStep = {
    what: "cells",
    code: [
      WRITE_CELLS,
      `return cellsFor($json.valueRanges?.[0]?.valueRange ?? {}, ${partJson(question)}, ${JSON.stringify(how)});`,
    ].join("\n"),
  };
  const item = isAuto || given.version < 4 ? ", item: $json" : "";
  const steps: AppStep[] = [
    { what: "question", code: `const question = ${asking};\nreturn { ...question${item} };` },
    {
      ...ask("sheet", later, {}, {}),
      body: { dataFilters: ["={{ $json.filter }}"], majorDimension: "ROWS", valueRenderOption: "FORMATTED_VALUE" },
    },
    cells,
    ...(operation === "update" && !isAuto && given.version >= 4
      ? [{ what: "found", filter: "={{ $json.found }}" }]
      : []),
    { what: "write", method: "POST", url: `=${SHEETS_API}/{{ $json.path }}`, body: "={{ $json.body }}" },
    { code: `return ${handsOn};` },
  ];
  return { steps, notes: notesOf({ isAuto, extra, isOwnEnd, operation }) };
}

function notesOf({
  isAuto,
  extra,
  isOwnEnd,
  operation,
}: {
  isAuto: boolean;
  extra: string;
  isOwnEnd: boolean;
  operation: string;
}): string[] {
  return [
    ...(isAuto && extra === "insertInNewColumn"
      ? ["n8n adds a column for a field that the sheet has none for; here the step fails then."]
      : []),
    ...(isOwnEnd
      ? ["n8n writes a new row below the last one that has something; here Google finds the end of the table."]
      : []),
    ...(operation === "update" && isAuto ? ["Where no row matches, the step fails; n8n goes on."] : []),
  ];
}

/** The cells of a row by the names of their columns, in JavaScript, and the column that says which row it is. @throws NoEquivalent */
function rowToWrite(given: Given, operation: string): { row: string; isAuto: boolean; by: string } {
  if (given.version < 4) {
    const mode = given.choice("dataMode", "defineBelow", ["defineBelow", "autoMapInputData"]);
    const by = operation === "append" ? "" : String(given.need("columnToMatchOn", "column to match on"));
    if (isExpression(by)) throw new NoEquivalent("which column it matches is computed");
    if (mode === "autoMapInputData") return { row: "$json", isAuto: true, by };
    const key = operation === "append" ? "fieldValues" : "values";
    const fields = given.list("fieldsUi", key).map((one) => {
      const name = String(one.get("fieldId") ?? one.get("column") ?? "");
      if (name === "newColumn") throw new NoEquivalent("it adds a column");
      return [name, one.or("fieldValue", "")] as const;
    });
    const match = operation === "append" ? [] : [[by, given.need("valueToMatchOn", "value to match on")] as const];
    return { row: js(Object.fromEntries([...fields, ...match])), isAuto: false, by };
  }
  const columns = given.group("columns");
  columns.skip("schema", "attemptToConvertTypes", "convertFieldsToString");
  const isAuto =
    columns.choice("mappingMode", "defineBelow", ["defineBelow", "autoMapInputData"]) === "autoMapInputData";
  const value = columns.get("value") ?? {};
  const matching = columns.get("matchingColumns");
  const by = operation === "append" || !Array.isArray(matching) ? "" : String(matching[0] ?? "");
  if (operation !== "append" && by === "") throw new NoEquivalent("no column is chosen that says which row it is");
  if (isAuto) return { row: "$json", isAuto, by };
  if (!isObject(value) || Object.keys(value).length === 0) throw new NoEquivalent("no value is set for a column");
  if (by !== "" && (value[by] ?? "") === "") throw new NoEquivalent("the value that says which row it is is not set");
  const filled = Object.entries(value).map(([name, child]): [string, Json] => [
    name,
    operation === "append" ? child : (child ?? ""),
  ]);
  return { row: js(Object.fromEntries(filled)), isAuto, by };
}
