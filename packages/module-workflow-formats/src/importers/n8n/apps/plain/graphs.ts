import type { Json, JsonObject } from "@oven/contract";
import type { Given } from "../app-given.ts";
import { type App, type AppPlan, listOf } from "../app-steps.ts";
import { computed, js } from "../app-values.ts";
import { plainApp, settingOf } from "../plain-app.ts";

/** Apps that are asked in GraphQL. n8n fails where an answer has errors. */
const FAILED =
  'if ($json.errors !== undefined) throw new Error("GraphQL: " + String($json.errors[0]?.message ?? "no success"));';

interface Question {
  url: string;
  headers?: JsonObject;
  query: string;
  variables: JsonObject;
  /** What of the answer is handed on, in JavaScript. */
  take: string;
  isList?: boolean;
}

function ask({ url, headers, query, variables, take, isList = false }: Question): AppPlan {
  // Braces in a text would end the expression that n8n reads.
  const request = {
    ...{ what: "request", method: "POST" as const, url, body: { query, variables } },
    ...(headers === undefined ? {} : { headers }),
  };
  const failed = FAILED.replaceAll("$json", "answer");
  return { steps: [request, isList ? listOf(take, failed) : { code: `${FAILED}\nreturn ${take};` }] };
}

const LINEAR_ISSUE =
  "issue { id identifier title priority archivedAt assignee { id displayName } state { id name } createdAt creator { id displayName } description dueDate cycle { id name } }";
const linear = (query: string, variables: JsonObject, take: string): AppPlan =>
  ask({ url: "https://api.linear.app/graphql", query, variables, take });

/** Fields of an issue, by the names that n8n gives to their variables. */
function issueOf(group: Given, names: readonly string[]): JsonObject {
  const values = names.map((name): [string, Json | undefined] => [name, group.get(name)]);
  return Object.fromEntries(values.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

const FIELDS = "$description: String, $assigneeId: String, $priorityId: Int, $stateId: String";
const INPUT =
  "title: $title, description: $description, teamId: $teamId, assigneeId: $assigneeId, priority: $priorityId, stateId: $stateId";

export const LINEAR: App = plainApp({
  ...{ title: "Linear", credential: "linearApi", oauth: "linearOAuth2Api", secret: "linear", base: "" },
  resource: "issue",
  operation: { issue: "create", comment: "addComment" },
  operations: {
    "issue:create": (given) =>
      linear(
        `mutation ($title: String!, $teamId: String!, ${FIELDS}) { issueCreate(input: { ${INPUT} }) { success ${LINEAR_ISSUE} } }`,
        {
          ...{ teamId: given.need("teamId"), title: given.need("title") },
          ...issueOf(given.group("additionalFields"), ["description", "assigneeId", "priorityId", "stateId"]),
        },
        "$json.data.issueCreate.issue",
      ),
    "issue:update": (given) =>
      linear(
        `mutation ($issueId: String!, $title: String, $teamId: String, ${FIELDS}) { issueUpdate(id: $issueId, input: { ${INPUT} }) { success ${LINEAR_ISSUE} } }`,
        {
          issueId: given.need("issueId"),
          ...issueOf(given.group("updateFields"), [
            ...["title", "teamId", "description", "assigneeId", "priorityId", "stateId"],
          ]),
        },
        "$json.data.issueUpdate.issue",
      ),
    "issue:get": (given) =>
      linear(
        `query ($issueId: String!) { ${LINEAR_ISSUE.replace("issue {", "issue(id: $issueId) {")} }`,
        { issueId: given.need("issueId") },
        "$json.data.issue",
      ),
    "issue:delete": (given) =>
      linear(
        "mutation ($issueId: String!) { issueDelete(id: $issueId) { success } }",
        { issueId: given.need("issueId") },
        "$json.data.issueDelete",
      ),
    "comment:addComment": (given) => {
      const parent = given.group("additionalFields").get("parentId");
      return linear(
        "mutation ($issueId: String!, $body: String!, $parentId: String) { commentCreate(input: { issueId: $issueId, body: $body, parentId: $parentId }) { success comment { id } } }",
        {
          ...{ issueId: given.need("issueId"), body: given.need("comment") },
          ...(parent === undefined ? {} : { parentId: parent }),
        },
        "$json.data.commentCreate",
      );
    },
  },
});

const COLUMNS = "column_values { id text type value column { title archived description settings_str } }";
const ITEM = `id name created_at state ${COLUMNS}`;

const monday = (query: string, variables: JsonObject, take: string, isList = false): AppPlan =>
  ask({
    ...{ url: "https://api.monday.com/v2/", headers: { "API-Version": "2023-10" } },
    ...{ query, variables, take, isList },
  });

/** A text that must be JSON, written as such. */
const jsonText = (value: Json): string => computed(`(({ parse, stringify }) => stringify(parse(${js(value)})))(JSON)`);

export const MONDAY: App = plainApp({
  ...{ title: "monday.com", credential: "mondayComApi", oauth: "mondayComOAuth2Api", secret: "monday", base: "" },
  resource: "board",
  operation: { board: "create", boardItem: "create", boardGroup: "create" },
  operations: {
    "board:get": (given) =>
      monday(
        "query ($id: [ID!]) { boards(ids: $id) { id name description state board_folder_id board_kind owners { id } } }",
        { id: settingOf(given, "boardId") },
        "answer.data.boards",
        true,
      ),
    "boardItem:create": (given) => {
      const columns = given.group("additionalFields").get("columnValues");
      return monday(
        "mutation ($boardId: ID!, $groupId: String!, $itemName: String!, $columnValues: JSON) { create_item(board_id: $boardId, group_id: $groupId, item_name: $itemName, column_values: $columnValues) { id } }",
        {
          ...{ boardId: settingOf(given, "boardId"), groupId: settingOf(given, "groupId") },
          itemName: given.need("name"),
          ...(columns === undefined ? {} : { columnValues: jsonText(columns) }),
        },
        "$json.data.create_item",
      );
    },
    "boardItem:get": (given) =>
      monday(
        `query ($itemId: [ID!]) { items(ids: $itemId) { ${ITEM} } }`,
        { itemId: computed(`String(${js(given.need("itemId"))}).split(",")`) },
        "answer.data.items",
        true,
      ),
    "boardItem:addUpdate": (given) =>
      monday(
        "mutation ($itemId: ID!, $value: String!) { create_update(item_id: $itemId, body: $value) { id } }",
        { itemId: given.need("itemId"), value: given.need("value") },
        "$json.data.create_update",
      ),
    "boardItem:changeMultipleColumnValues": (given) =>
      monday(
        "mutation ($boardId: ID!, $itemId: ID!, $columnValues: JSON!) { change_multiple_column_values(board_id: $boardId, item_id: $itemId, column_values: $columnValues) { id } }",
        {
          ...{ boardId: settingOf(given, "boardId"), itemId: given.need("itemId") },
          columnValues: jsonText(given.need("columnValues")),
        },
        "$json.data.change_multiple_column_values",
      ),
  },
});
