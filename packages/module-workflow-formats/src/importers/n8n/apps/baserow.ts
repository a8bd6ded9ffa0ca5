import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { operationOf } from "./app-fields.ts";
import type { Given } from "./app-given.ts";
import { type App, type AppPlan, ownAddress } from "./app-steps.ts";
import { isExpression } from "./app-values.ts";

const AT = `${ownAddress("baserow")}/api/database/rows/table`;
/** n8n hands on rows with the names of their fields, and sends them with their ids. */
const NAMED = { user_field_names: true };
const MADE = "={{ $json.id }}";

export const BASEROW: App = {
  title: "Baserow",
  credential: "baserowApi",
  secret: "baserow",
  ownAddress: "baserow",
  plan: (given) => {
    given.skip("databaseId");
    return operationOf(given, OPERATIONS, { resource: "row", operation: { row: "getAll" } })(given);
  },
};

const OPERATIONS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "row:create": (given) => written(given, "POST", tableOf(given)),
  "row:update": (given) => written(given, "PATCH", rowOf(given)),
  "row:get": (given) => ({ steps: [{ method: "GET", url: rowOf(given), query: NAMED }] }),
  "row:delete": (given) => ({
    steps: [{ what: "request", method: "DELETE", url: rowOf(given) }, { code: "return { success: true };" }],
  }),
};

/** An id in an address. */
function idOf(value: Json): Json {
  if (typeof value === "number" || isExpression(value) || /^\w+$/.test(String(value))) return value;
  throw new NoEquivalent("its id is no id");
}

function addressOf(...ids: Json[]): string {
  const path = ids.map((id) => (isExpression(id) ? id.slice(1) : String(id))).join("/");
  return `${ids.some(isExpression) ? "=" : ""}${AT}/${path}/`;
}

const tableOf = (given: Given): string => addressOf(idOf(given.need("tableId", "table")));
const rowOf = (given: Given): string =>
  addressOf(idOf(given.need("tableId", "table")), idOf(given.need("rowId", "row")));

/** The row is read again with the names of its fields. */
function written(given: Given, method: "POST" | "PATCH", url: string): AppPlan {
  if (given.or("dataToSend", "defineBelow") !== "defineBelow")
    throw new NoEquivalent("it sends all fields of its item, by names that only the table knows the ids of");
  given.skip("inputsToIgnore");
  const body: JsonObject = {};
  for (const field of given.list("fieldsUi", "fieldValues")) {
    const id = field.need("fieldId", "field");
    if (isExpression(id)) throw new NoEquivalent("which field it writes is computed");
    body[`field_${String(id)}`] = field.or("fieldValue", "");
  }
  return {
    steps: [
      { what: "request", method, url, body },
      { method: "GET", url: addressOf(idOf(given.need("tableId", "table")), MADE), query: NAMED },
    ],
  };
}
