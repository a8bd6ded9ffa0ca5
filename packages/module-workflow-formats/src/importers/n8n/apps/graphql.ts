import type { JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { Given } from "./app-given.ts";
import type { App, AppPlan } from "./app-steps.ts";
import { computed, js } from "./app-values.ts";

/** n8n fails where an answer has errors, though its status is that of success. */
const ANSWER = [
  "const { errors } = $json;",
  'if (Array.isArray(errors)) throw new Error(errors.map(({ message }) => message).join(", "));',
  "return $json;",
].join("\n");

/** Requests to a GraphQL API, which signs in as an HTTP request does. */
export const GRAPHQL: App = {
  title: "GraphQL",
  credential: "none",
  secret: "graphql",
  plan: (given) => {
    if (given.choice("responseFormat", "json", ["json", "string"]) === "string")
      throw new NoEquivalent("it hands on its answer as a text");
    given.skip("dataPropertyName");
    if (given.flag("allowUnauthorizedCerts")) throw new NoEquivalent("it calls a server without a valid certificate");
    return { steps: [requestOf(given), { code: ANSWER }] };
  },
};

function requestOf(given: Given): AppPlan["steps"][number] {
  const url = String(given.need("endpoint"));
  const query = given.need("query");
  const own: JsonObject = {};
  for (const header of given.list("headerParametersUi", "parameter")) {
    const name = header.need("name", "header");
    if (typeof name !== "string" || name.startsWith("=")) throw new NoEquivalent("the name of a header is computed");
    own[name] = header.or("value", "");
  }
  if (given.choice("requestMethod", "POST", ["POST", "GET"]) === "GET") {
    given.skip("requestFormat", "variables", "operationName");
    return { what: "request", method: "GET", url, headers: own, query: { query } };
  }
  const format = given.choice("requestFormat", given.version > 1 ? "json" : "graphql", ["json", "graphql"]);
  const headers = { "content-type": `application/${format}`, ...own };
  if (format === "graphql") {
    given.skip("variables", "operationName");
    const body = typeof query === "string" && query.startsWith("=") ? computed(`String(${js(query)})`) : String(query);
    return { what: "request", method: "POST", url, headers, body, bodyType: "text" };
  }
  const variables = `(({ parse }) => ((value) => (typeof value === "string" ? parse(value === "" ? "{}" : value) : value))(${js(given.or("variables", "{}"))}))(JSON)`;
  const body = computed(
    `({ query: ${js(query)}, variables: ${variables}, operationName: ${js(given.or("operationName", ""))} || null })`,
  );
  return { what: "request", method: "POST", url, headers: own, body };
}
