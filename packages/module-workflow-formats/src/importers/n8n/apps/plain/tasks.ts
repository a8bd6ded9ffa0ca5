import type { JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../../importing/no-equivalent.ts";
import type { Given } from "../app-given.ts";
import type { App } from "../app-steps.ts";
import { computed, isExpression, js } from "../app-values.ts";
import { type Operation, type PlainOperation, plainApp, SUCCESS } from "../plain-app.ts";

const DATA = "$json.data";

export const ASANA: App = plainApp({
  ...{ title: "Asana", credential: "asanaApi", oauth: "asanaOAuth2Api", secret: "asana" },
  base: "https://app.asana.com/api/1.0",
  resource: "task",
  operation: { task: "create", subtask: "create", taskComment: "add" },
  operations: {
    "task:create": {
      ...{ method: "POST", path: "/tasks", fields: "name workspace", all: ["otherProperties"] },
      ...{ wrap: "data", take: DATA },
    },
    "task:get": { method: "GET", path: "/tasks/:id", take: DATA },
    "task:getAll": (given) => {
      const filters = given.group("filters");
      const since = filters.get("completed_since");
      const bound: JsonObject =
        since === undefined ? {} : { completed_since: computed(`DateTime.fromISO(String(${js(since)})).toISO()`) };
      return {
        ...{ method: "GET", path: "/tasks", list: "answer.data" },
        more: { filters: "assignee project section workspace" },
        queryFixed: bound,
        paged: { count: "limit", most: 100, isMore: "(answer.next_page ?? null) !== null", limit: 100 },
      };
    },
    "task:update": { method: "PUT", path: "/tasks/:id", all: ["otherProperties"], wrap: "data", take: DATA },
    "task:delete": { method: "DELETE", path: "/tasks/:id", take: DATA },
    "task:move": {
      ...{ method: "POST", path: "/sections/:section/addTask", fields: "task=id", wrap: "data", take: SUCCESS },
      skip: "projectId",
    },
    "subtask:create": {
      ...{ method: "POST", path: "/tasks/:taskId/subtasks", fields: "name", all: ["otherProperties"] },
      ...{ wrap: "data", take: DATA },
    },
    "taskComment:add": (given) => ({
      ...{ method: "POST", path: "/tasks/:id/stories", wrap: "data", take: DATA, all: ["additionalFields"] },
      fields: given.flag("isTextHtml") ? "html_text=text" : "text",
    }),
  },
});

/** Instants are sent in milliseconds. */
const inMs = (group: Given, name: string) => {
  const value = group.get(name);
  return value === undefined ? undefined : computed(`new Date(${js(value)}).getTime()`);
};

const CLICKUP_TASK = "content! assignees! tags! status! priority! due_date_time=dueDateTime!";
const CLICKUP_MORE = " start_date_time=startDateTime! notify_all=notifyAll! parent=parentId!";

function clickUpDates(group: Given) {
  if (group.get("markdownContent") !== undefined || group.get("timeEstimate") !== undefined)
    throw new NoEquivalent("it sends Markdown or an estimate of time");
  const [due, start] = [inMs(group, "dueDate"), inMs(group, "startDate")];
  return { ...(due === undefined ? {} : { due_date: due }), ...(start === undefined ? {} : { start_date: start }) };
}

export const CLICKUP: App = plainApp({
  ...{ title: "ClickUp", credential: "clickUpApi", oauth: "clickUpOAuth2Api", secret: "clickup" },
  base: "https://api.clickup.com/api/v2",
  resource: "task",
  operation: { task: "create", comment: "create", folder: "create" },
  operations: {
    "task:create": (given) => ({
      ...{ method: "POST", path: "/list/:list/task", fields: "name", skip: "team space folder folderless" },
      more: { additionalFields: CLICKUP_TASK + CLICKUP_MORE },
      fixed: clickUpDates(given.group("additionalFields")),
    }),
    "task:update": (given) => ({
      ...{ method: "PUT", path: "/task/:id" },
      more: {
        updateFields: `name! content! status! priority! due_date_time=dueDateTime!${CLICKUP_MORE}`,
      },
      fixed: { assignees: { add: [], rem: [] }, ...clickUpDates(given.group("updateFields")) },
    }),
    "task:delete": { method: "DELETE", path: "/task/:id", take: SUCCESS },
    "folder:create": { method: "POST", path: "/space/:space/folder", fields: "name", skip: "team" },
  },
});

/** Clockify hands on whole lists, page by page. */
const clockifyList = (path: string): Operation => ({
  ...{ method: "GET", path, list: "answer", isList: true, more: { additionalFields: "archived name" } },
  queryFixed: { page: 1, "page-size": 50 },
  paged: { most: 50, isMore: "answer.length >= 50", isCut: true, limit: 100 },
});

export const CLOCKIFY: App = plainApp({
  ...{ title: "Clockify", credential: "clockifyApi", secret: "clockify", base: "https://api.clockify.me/api/v1" },
  resource: "project",
  operation: { client: "create", project: "create", tag: "create", task: "create", workspace: "getAll" },
  operations: {
    "client:create": { method: "POST", path: "/workspaces/:workspaceId/clients", fields: "name" },
    "client:delete": { method: "DELETE", path: "/workspaces/:workspaceId/clients/:clientId" },
    "client:get": { method: "GET", path: "/workspaces/:workspaceId/clients/:clientId" },
    "project:create": (given) => {
      const more = given.group("additionalFields");
      if (more.get("estimateUi") !== undefined) throw new NoEquivalent("it sends an estimate of a project");
      const all = ["additionalFields"];
      return { method: "POST", path: "/workspaces/:workspaceId/projects", fields: "name", all };
    },
    "project:get": { method: "GET", path: "/workspaces/:workspaceId/projects/:projectId" },
    "project:delete": { method: "DELETE", path: "/workspaces/:workspaceId/projects/:projectId" },
    "tag:create": { method: "POST", path: "/workspaces/:workspaceId/tags", fields: "name" },
    "tag:delete": { method: "DELETE", path: "/workspaces/:workspaceId/tags/:tagId", take: SUCCESS },
    "workspace:getAll": {
      ...{ method: "GET", path: "/workspaces", list: "answer", isList: true },
      paged: { most: 1_000, isMore: "answer.length > 1000", isCut: true, limit: 100 },
    },
    "client:getAll": clockifyList("/workspaces/:workspaceId/clients"),
  },
});

const TODOIST_TASK = "description! due_string=dueString! due_lang=dueLang!";

/** @throws NoEquivalent for an instant that n8n writes in a way of its own */
function todoistFixed(group: Given): JsonObject {
  if (group.get("dueDateTime") !== undefined) throw new NoEquivalent("it writes the instant when a task is due");
  const priority = group.get("priority");
  if (priority === undefined) return {};
  return { priority: isExpression(priority) ? computed(`Number.parseInt(${js(priority)}, 10)`) : Number(priority) };
}

export const TODOIST: App = plainApp({
  ...{ title: "Todoist", credential: "todoistApi", oauth: "todoistOAuth2Api", secret: "todoist" },
  base: "https://api.todoist.com/rest/v2",
  resource: "task",
  operation: "create",
  operations: {
    "task:create": (given) => {
      const labels = given.or("labels", []);
      return {
        ...{ method: "POST", path: "/tasks", fields: "content project_id=project" },
        more: { options: `${TODOIST_TASK} section_id=section! parent_id=parentId!` },
        fixed: {
          ...{ priority: 1, ...todoistFixed(given.group("options")) },
          ...(Array.isArray(labels) && labels.length === 0 ? {} : { labels }),
        },
      };
    },
    "task:update": (given) => {
      const fields = given.group("updateFields");
      const labels = fields.or("labels", []);
      return {
        ...{ method: "POST", path: "/tasks/:taskId", take: SUCCESS },
        more: { updateFields: `content! ${TODOIST_TASK}` },
        fixed: { ...todoistFixed(fields), ...(Array.isArray(labels) && labels.length > 0 ? { labels } : {}) },
      };
    },
    "task:get": { method: "GET", path: "/tasks/:taskId" },
    "task:close": { method: "POST", path: "/tasks/:taskId/close", take: SUCCESS },
    "task:reopen": { method: "POST", path: "/tasks/:taskId/reopen", take: SUCCESS },
    "task:delete": { method: "DELETE", path: "/tasks/:taskId", take: SUCCESS },
    "task:getAll": {
      ...{ method: "GET", path: "/tasks", list: "answer", isList: true },
      more: { filters: "project_id=projectId! section_id=sectionId! label=labelId! filter! lang! ids!" },
      // All of them are in one answer.
      paged: { most: 100_000, isMore: "answer.length > 100000", isCut: true },
    },
  },
});

const TRELLO_LIST = (path: string, group: string): PlainOperation => ({
  ...{ method: "GET", path, list: "answer", isList: true, all: [group] },
  paged: { count: "limit", most: 1_000, isMore: "answer.length >= 1000", limit: 20 },
});

export const TRELLO: App = plainApp({
  ...{ title: "Trello", credential: "trelloApi", secret: "trello", base: "https://api.trello.com/1" },
  resource: "card",
  operation: { board: "create", card: "create", cardComment: "create", list: "create" },
  operations: Object.fromEntries(
    Object.entries<PlainOperation>({
      "board:create": {
        ...{ method: "POST", path: "/boards", fields: "name desc=description~", all: ["additionalFields"] },
      },
      "board:get": { method: "GET", path: "/boards/:id", all: ["additionalFields"] },
      "card:create": {
        ...{ method: "POST", path: "/cards", fields: "idList=listId name desc=description~" },
        all: ["additionalFields"],
      },
      "card:get": { method: "GET", path: "/cards/:id", all: ["additionalFields"] },
      "card:delete": { method: "DELETE", path: "/cards/:id" },
      "cardComment:create": { method: "POST", path: "/cards/:cardId/actions/comments", fields: "text" },
      "list:create": { method: "POST", path: "/lists", fields: "idBoard name", all: ["additionalFields"] },
      "list:get": { method: "GET", path: "/lists/:id", all: ["additionalFields"] },
      "list:getAll": TRELLO_LIST("/boards/:id/lists", "additionalFields"),
      "list:getCards": TRELLO_LIST("/lists/:id/cards", "additionalFields"),
    }).map(([name, operation]) => [name, signed(operation)]),
  ),
});

/** Trello signs in by a key and a token in the address. */
function signed(operation: PlainOperation): PlainOperation {
  if (typeof operation === "function") return operation;
  return { ...operation, path: `${operation.path}?key={key}&token={token}` };
}

export const GOOGLE_TASKS: App = plainApp({
  ...{ title: "Google Tasks", credential: "googleTasksOAuth2Api", secret: "google-tasks" },
  base: "https://www.googleapis.com/tasks/v1/lists",
  resource: "task",
  operation: "create",
  operations: {
    "task:create": {
      ...{ method: "POST", path: "/:task/tasks", fields: "title~" },
      more: { additionalFields: "status! notes! due=dueDate! completed! deleted!" },
      query: "additionalFields.parent! additionalFields.previous!",
    },
    "task:get": { method: "GET", path: "/:task/tasks/:taskId" },
    "task:delete": { method: "DELETE", path: "/:task/tasks/:taskId", take: SUCCESS },
    "task:update": {
      ...{ method: "PATCH", path: "/:task/tasks/:taskId", query: "updateFields.previous!" },
      more: { updateFields: "status! notes! title! due=dueDate! completed! deleted!" },
    },
    "task:getAll": {
      ...{ method: "GET", path: "/:task/tasks", list: "answer.items ?? []" },
      queryFixed: { showCompleted: true, showDeleted: false, showHidden: false },
      more: {
        additionalFields:
          "showCompleted showDeleted showHidden completedMax! completedMin! dueMin! dueMax! updatedMin!",
      },
      paged: { count: "maxResults", most: 100, isMore: "answer.nextPageToken !== undefined", limit: 20 },
    },
  },
});
