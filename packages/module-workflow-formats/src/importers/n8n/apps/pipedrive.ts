import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { fieldsOf, operationOf } from "./app-fields.ts";
import { type Given, limitOf } from "./app-given.ts";
import { type App, type AppPlan, listOf } from "./app-steps.ts";
import { isExpression } from "./app-values.ts";

/** n8n fails where Pipedrive says that a request had no success, and hands on its data. */
const FAILED = 'if ($json.success === false) throw new Error("Pipedrive: " + String($json.error ?? "no success"));';
const ONE = { code: `${FAILED}\nreturn $json.data;` };

export const PIPEDRIVE: App = {
  title: "Pipedrive",
  credential: "pipedriveApi",
  oauth: "pipedriveOAuth2Api",
  secret: "pipedrive",
  plan: (given) =>
    operationOf(given, OPERATIONS, {
      resource: "deal",
      operation: {
        ...{ deal: "create", activity: "create", note: "create", organization: "create", person: "create" },
        lead: "create",
      },
    })(given),
};

const OPERATIONS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "activity:create": (given) =>
    create(given, "activities", {
      ...{ subject: given.need("subject"), done: given.or("done", "0"), type: given.or("type", "") },
    }),
  "note:create": (given) => create(given, "notes", { content: given.need("content") }),
  "organization:create": (given) => create(given, "organizations", { name: given.need("name") }),
  "person:create": (given) => create(given, "persons", { name: given.need("name") }),
  "deal:create": (given) => create(given, "deals", { title: given.need("title"), ...owner(given, "org_id") }),
  "lead:create": (given) => {
    const fields = given.group("additionalFields");
    if (fields.get("value") !== undefined || fields.get("expected_close_date") !== undefined)
      throw new NoEquivalent("it sets the value or the date of a lead");
    return create(given, "leads", { title: given.need("title"), ...owner(given, "organization_id") });
  },
  "person:get": (given) => {
    if (given.flag("resolveProperties")) throw new NoEquivalent("it resolves fields of one's own");
    return { steps: [request(given, "GET", idPath("persons", given.need("personId"))), ONE] };
  },
  "person:search": (given) => search(given, "persons"),
  "organization:search": (given) => search(given, "organizations"),
};

/** The address of a request; with a token of the API, that is in it. */
function request(
  given: Given,
  method: "GET" | "POST",
  path: string,
  more: { query?: JsonObject; body?: JsonObject } = {},
) {
  const isToken = given.choice("authentication", "apiToken", ["apiToken", "oAuth2"]) === "apiToken";
  const isComputed = path.startsWith("=");
  const at = `https://api.pipedrive.com/v1/${isComputed ? path.slice(1) : path}${isToken ? "?api_token={token}" : ""}`;
  return { what: "request", method, url: isComputed ? `=${at}` : at, ...more };
}

function idPath(kind: string, id: Json): string {
  return isExpression(id) ? `=${kind}/${id.slice(1)}` : `${kind}/${encodeURIComponent(String(id))}`;
}

/** Whom a deal or a lead belongs to. */
function owner(given: Given, organization: string): JsonObject {
  const isOrganization = given.choice("associateWith", "organization", ["organization", "person"]) === "organization";
  const name = isOrganization ? organization : "person_id";
  return { [name]: given.need(name) };
}

function create(given: Given, path: string, fields: JsonObject): AppPlan {
  const more = given.group("additionalFields").all();
  if (isObject(more.customProperties) && Object.keys(more.customProperties).length > 0)
    throw new NoEquivalent("it sets fields of one's own");
  const { customProperties: _none, ...rest } = more;
  return { steps: [request(given, "POST", path, { body: { ...fields, ...rest } }), ONE] };
}

function search(given: Given, path: string): AppPlan {
  const count = limitOf(given, { limit: 100 });
  if (count === undefined) throw new NoEquivalent("it asks for all pages");
  const fields = given.group("additionalFields");
  const isRaw = fields.flag("rawData");
  const isExact = fields.flag("exactMatch") || given.flag("exactMatch");
  const query: JsonObject = {
    ...{ term: given.need("term"), limit: count },
    ...(isExact ? { exact_match: true } : {}),
    ...fieldsOf(fields, { fields: "fields", includeFields: "include_fields" }),
  };
  const found = isRaw ? "found" : "({ result_score: found.result_score, ...found.item })";
  const failed = FAILED.replaceAll("$json", "answer");
  return {
    steps: [
      request(given, "GET", `${path}/search`, { query }),
      listOf(`(answer.data?.items ?? []).map((found) => ${found})`, failed),
    ],
  };
}
