import type { Json } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { Given } from "./app-given.ts";
import { type AppPlan, type PartNames, partJson } from "./app-steps.ts";
import { computed, encoded, isExpression, js, url } from "./app-values.ts";
import { READ_TABLE } from "./google-sheets-code.ts";

/** The versions 1 and 2, which name a range. @throws NoEquivalent */
export function oldSheets(given: Given, operation: string, names: PartNames): AppPlan {
  const document = given.need("sheetId", "document");
  const range = given.or("range", "A:F");
  if (operation === "read") return read(given, document, range);
  if (operation === "append") return append(given, { document, range, names });
  throw new NoEquivalent(`there is no node here that does sheet: ${operation} as its version ${given.version} does`);
}

const rowIn = (given: Given, name: string, otherwise: number): number => {
  const row = given.or(name, otherwise);
  if (typeof row !== "number") throw new NoEquivalent("which row has the names of the columns is computed");
  return row;
};

function read(given: Given, document: Json, range: Json): AppPlan {
  const options = given.group("options");
  if (given.flag("rawData")) throw new NoEquivalent("it hands on the rows as they are, in one field");
  const head = rowIn(given, "keyRow", 0);
  const first = rowIn(given, "dataStartRow", 1);
  const query = { valueRenderOption: options.or("valueRenderMode", "UNFORMATTED_VALUE") };
  const how = { how: "specifyRange", head: head + 1, first: first + 1 };
  const code = [
    READ_TABLE,
    "return $input.all().flatMap(({ json }) =>",
    `  readTable(json.values ?? [], ${JSON.stringify(how)}).map(({ row_number: _number, ...row }) => row).filter((row) => Object.keys(row).length > 0),`,
    ");",
  ].join("\n");
  // A continue on an empty answer is what a list does here as well.
  options.skip("continue");
  return {
    steps: [
      {
        what: "sheet",
        method: "GET",
        url: url`https://sheets.googleapis.com/v4/spreadsheets/${document}/values/${encoded(range)}`,
        query,
      },
      { code, isList: true },
    ],
  };
}

function append(given: Given, { document, range, names }: { document: Json; range: Json; names: PartNames }): AppPlan {
  const options = given.group("options");
  const head = rowIn(given, "keyRow", 0);
  if (options.or("usePathForKeyRow", false) !== false)
    throw new NoEquivalent("the names of its columns are paths into the item");
  const format = options.or("valueInputMode", "RAW");
  const question = names("question");
  const path = computed(
    `((head, row) => [(head.values ?? [])[${head}] ?? []].map((columns) => columns.map((name) => (row[name] === undefined || row[name] === null ? "" : row[name]))))($json, ${partJson(question)}.item)`,
  );
  const at = js({
    document,
    range: isExpression(range) ? computed(`encodeURIComponent(${js(range)})`) : encodeURIComponent(String(range)),
  });
  return {
    steps: [
      { what: "question", code: `const place = ${at};\nreturn { ...place, item: $json };` },
      {
        what: "sheet",
        method: "GET",
        url: "=https://sheets.googleapis.com/v4/spreadsheets/{{ $json.document }}/values/{{ $json.range }}",
      },
      {
        what: "write",
        method: "POST",
        url: `=https://sheets.googleapis.com/v4/spreadsheets/{{ ${partJson(question)}.document }}/values/{{ ${partJson(question)}.range }}:append`,
        query: { valueInputOption: format },
        body: { values: path },
      },
      { code: `return ${partJson(question)}.item;` },
    ],
  };
}
