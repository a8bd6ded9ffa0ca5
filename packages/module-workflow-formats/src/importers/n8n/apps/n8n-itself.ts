import type { JsonObject } from "@oven/contract";
import { operationOf } from "./app-fields.ts";
import { type Given, limitOf } from "./app-given.ts";
import { type App, type AppPlan, listOf, ONE_PAGE, ownAddress, refuseMore } from "./app-steps.ts";
import { computed, js, url } from "./app-values.ts";

const AT = ownAddress("n8n");
const PAGE = 100;

/** The API of an installation of n8n, which its own workflows can call. */
export const N8N_ITSELF: App = {
  title: "n8n",
  credential: "n8nApi",
  secret: "n8n",
  ownAddress: "n8n",
  plan: (given) =>
    operationOf(given, OPERATIONS, { resource: "workflow", operation: { workflow: "getAll", execution: "getAll" } })(
      given,
    ),
};

const OPERATIONS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "workflow:getAll": getAll,
  "workflow:get": (given) => ({ steps: [{ method: "GET", url: addressOf(given) }] }),
  "workflow:activate": (given) => ({ steps: [{ method: "POST", url: addressOf(given, "/activate") }] }),
  "workflow:update": (given) => ({
    steps: [
      {
        method: "PUT",
        url: addressOf(given),
        body: computed(`(({ parse }) => parse(${js(given.need("workflowObject", "workflow"))}))(JSON)`),
      },
    ],
  }),
  "workflow:create": (given) => ({
    steps: [
      {
        method: "POST",
        url: `${AT}/workflows`,
        body: computed(`(({ parse }) => parse(${js(given.need("workflowObject", "workflow"))}))(JSON)`),
      },
    ],
  }),
  "workflow:delete": (given) => ({ steps: [{ method: "DELETE", url: addressOf(given) }] }),
  "execution:get": (given) => {
    const path = url`/executions/${given.need("executionId", "execution")}`;
    const isWhole = given.group("options").flag("activeWorkflows");
    const query = isWhole ? { query: { includeData: true } } : {};
    return {
      steps: [{ method: "GET", url: path.startsWith("=") ? `=${AT}${path.slice(1)}` : `${AT}${path}`, ...query }],
    };
  },
  "workflow:deactivate": (given) => ({ steps: [{ method: "POST", url: addressOf(given, "/deactivate") }] }),
};

function addressOf(given: Given, after = ""): string {
  const path = url`/workflows/${given.locator("workflowId", { what: "workflow" })}`;
  return `${path.startsWith("=") ? `=${AT}${path.slice(1)}` : `${AT}${path}`}${after}`;
}

function getAll(given: Given): AppPlan {
  const filters = given.group("filters");
  const query: JsonObject = {};
  if (filters.get("activeWorkflows") !== undefined) query.active = filters.flag("activeWorkflows");
  for (const name of ["tags", "name", "projectId"]) {
    const value = filters.get(name);
    if (value !== undefined) query[name] = value;
  }
  const count = limitOf(given, { all: true, limit: 100 });
  const more = count === undefined ? [refuseMore('(answer.nextCursor ?? "") !== ""', PAGE)] : [];
  return {
    steps: [
      {
        what: "request",
        method: "GET",
        url: `${AT}/workflows`,
        query: { ...query, limit: Math.min(PAGE, count ?? PAGE) },
      },
      listOf("answer.data ?? []", ...more),
    ],
    notes: count === undefined ? [ONE_PAGE(PAGE)] : [],
  };
}
