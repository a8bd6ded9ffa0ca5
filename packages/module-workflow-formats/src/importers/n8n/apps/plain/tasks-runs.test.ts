import { afterAll, beforeAll, expect, it } from "vitest";
import { type AppStory, startApps } from "../../testing/app-story.ts";
import { type PlainRow, runRow, runRows } from "../../testing/plain-story.ts";

let story: AppStory;
beforeAll(async () => {
  story = await startApps();
});
afterAll(() => story.stop());

const ONE: readonly PlainRow[] = [
  {
    node: ["asana", 1, { name: "={{ $json.n }}", workspace: "w1", otherProperties: { notes: "Hi", projects: ["p"] } }],
    input: { n: "Call" },
    answers: [{ data: { gid: "7" } }],
    reads: "={{ $json.gid }}",
    read: "7",
    asked: [
      {
        method: "POST",
        url: "https://app.asana.com/api/1.0/tasks",
        authorization: "Bearer secret of asana",
        body: { data: { name: "Call", notes: "Hi", projects: ["p"], workspace: "w1" } },
      },
    ],
  },
  {
    node: ["asana", 1, { operation: "update", id: "={{ $json.id }}", otherProperties: { due_on: "2026-01-02" } }],
    input: { id: "9" },
    answers: [{ data: { gid: "9" } }],
    reads: "={{ $json.gid }}",
    read: "9",
    asked: [
      {
        method: "PUT",
        url: "https://app.asana.com/api/1.0/tasks/9",
        authorization: "Bearer secret of asana",
        body: { data: { due_on: "2026-01-02" } },
      },
    ],
  },
  {
    node: [
      "asana",
      1,
      {
        resource: "taskComment",
        id: "4",
        text: "={{ $json.t }}",
        isTextHtml: true,
        additionalFields: { is_pinned: true },
      },
    ],
    input: { t: "<b>x</b>" },
    answers: [{ data: { gid: "5" } }],
    reads: "={{ $json.gid }}",
    read: "5",
    asked: [
      {
        method: "POST",
        url: "https://app.asana.com/api/1.0/tasks/4/stories",
        authorization: "Bearer secret of asana",
        body: { data: { html_text: "<b>x</b>", is_pinned: true } },
      },
    ],
  },
  {
    node: [
      "clickUp",
      1,
      {
        team: "1",
        space: "2",
        folderless: true,
        list: "={{ $json.l }}",
        name: "Do",
        additionalFields: { content: "c", priority: 3, dueDate: "2026-01-02T00:00:00Z", notifyAll: false },
      },
    ],
    input: { l: "55" },
    answers: [{ id: "t1" }],
    reads: "={{ $json.id }}",
    read: "t1",
    asked: [
      {
        method: "POST",
        url: "https://api.clickup.com/api/v2/list/55/task",
        authorization: "secret of clickup",
        body: { name: "Do", content: "c", due_date: 1767312000000, priority: 3 },
      },
    ],
  },
  {
    node: ["clickUp", 1, { operation: "update", id: "t9", updateFields: { status: "={{ $json.s }}" } }],
    input: { s: "done" },
    answers: [{ id: "t9" }],
    reads: "={{ $json.id }}",
    read: "t9",
    asked: [
      {
        method: "PUT",
        url: "https://api.clickup.com/api/v2/task/t9",
        authorization: "secret of clickup",
        body: { status: "done", assignees: { add: [], rem: [] } },
      },
    ],
  },
  {
    node: ["clockify", 1, { workspaceId: "w", name: "={{ $json.n }}", additionalFields: { billable: false } }],
    input: { n: "P" },
    answers: [{ id: "c1" }],
    reads: "={{ $json.id }}",
    read: "c1",
    asked: [
      {
        method: "POST",
        url: "https://api.clockify.me/api/v1/workspaces/w/projects",
        body: { name: "P", billable: false },
      },
    ],
  },
  {
    node: [
      "todoist",
      2.1,
      {
        project: { __rl: true, mode: "list", value: "p7" },
        labels: ["x"],
        content: "={{ $json.c }}",
        options: { priority: "={{ $json.p }}", dueString: "today" },
      },
    ],
    input: { c: "Buy", p: "4" },
    answers: [{ id: "1" }],
    reads: "={{ $json.id }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://api.todoist.com/rest/v2/tasks",
        authorization: "Bearer secret of todoist",
        body: { labels: ["x"], content: "Buy", priority: 4, due_string: "today", project_id: "p7" },
      },
    ],
  },
  {
    node: ["todoist", 2.1, { operation: "close", taskId: "={{ $json.t }}" }],
    input: { t: "33" },
    answers: [{}],
    reads: "={{ $json.success }}",
    read: "true",
    asked: [
      {
        method: "POST",
        url: "https://api.todoist.com/rest/v2/tasks/33/close",
        authorization: "Bearer secret of todoist",
      },
    ],
  },
  {
    node: ["trello", 1, { listId: "l", name: "={{ $json.n }}", description: "", additionalFields: { pos: "top" } }],
    input: { n: "Card" },
    answers: [{ id: "k" }],
    reads: "={{ $json.id }}",
    read: "k",
    asked: [
      {
        method: "POST",
        url: "https://api.trello.com/1/cards?key=secret%20of%20trello-key&token=secret%20of%20trello-token",
        body: { pos: "top", desc: "", name: "Card", idList: "l" },
      },
    ],
  },
  {
    node: ["googleTasks", 1, { task: "L", title: "={{ $json.t }}", additionalFields: { notes: "n", parent: "p1" } }],
    input: { t: "Do" },
    answers: [{ id: "g" }],
    reads: "={{ $json.id }}",
    read: "g",
    asked: [
      {
        method: "POST",
        url: "https://www.googleapis.com/tasks/v1/lists/L/tasks?parent=p1",
        authorization: "Bearer secret of google-tasks",
        body: { notes: "n", title: "Do" },
      },
    ],
  },
  {
    node: ["linear", 1, { teamId: "T", title: "={{ $json.t }}", additionalFields: { priorityId: 2 } }],
    input: { t: "Bug" },
    answers: [{ data: { issueCreate: { issue: { id: "i" } } } }],
    reads: "={{ $json.id }}",
    read: "i",
    asked: [
      {
        method: "POST",
        url: "https://api.linear.app/graphql",
        authorization: "secret of linear",
        body: {
          query:
            "mutation ($title: String!, $teamId: String!, $description: String, $assigneeId: String, $priorityId: Int, $stateId: String) { issueCreate(input: { title: $title, description: $description, teamId: $teamId, assigneeId: $assigneeId, priority: $priorityId, stateId: $stateId }) { success issue { id identifier title priority archivedAt assignee { id displayName } state { id name } createdAt creator { id displayName } description dueDate cycle { id name } } } }",
          variables: { title: "Bug", teamId: "T", priorityId: 2 },
        },
      },
    ],
  },
  {
    node: ["linear", 1, { operation: "update", issueId: "={{ $json.i }}", updateFields: { teamId: "T2" } }],
    input: { i: "i1" },
    answers: [{ data: { issueUpdate: { issue: { id: "i1" } } } }],
    reads: "={{ $json.id }}",
    read: "i1",
    asked: [
      {
        method: "POST",
        url: "https://api.linear.app/graphql",
        authorization: "secret of linear",
        body: {
          query:
            "mutation ($issueId: String!, $title: String, $teamId: String, $description: String, $assigneeId: String, $priorityId: Int, $stateId: String) { issueUpdate(id: $issueId, input: { title: $title, description: $description, teamId: $teamId, assigneeId: $assigneeId, priority: $priorityId, stateId: $stateId }) { success issue { id identifier title priority archivedAt assignee { id displayName } state { id name } createdAt creator { id displayName } description dueDate cycle { id name } } } }",
          variables: { teamId: "T2", issueId: "i1" },
        },
      },
    ],
  },
  {
    node: [
      "mondayCom",
      1,
      {
        resource: "boardItem",
        boardId: "5",
        groupId: "g",
        name: "={{ $json.n }}",
        additionalFields: { columnValues: '={ "text": "{{ $json.n }}" }' },
      },
    ],
    input: { n: "Ann" },
    answers: [{ data: { create_item: { id: "1" } } }],
    reads: "={{ $json.id }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://api.monday.com/v2/",
        authorization: "Bearer secret of monday",
        body: {
          query:
            "mutation ($boardId: ID!, $groupId: String!, $itemName: String!, $columnValues: JSON) { create_item(board_id: $boardId, group_id: $groupId, item_name: $itemName, column_values: $columnValues) { id } }",
          variables: { boardId: "5", groupId: "g", itemName: "Ann", columnValues: '{"text":"Ann"}' },
        },
      },
    ],
  },
];

/** Nodes that hand on a list: what follows runs once for each entry. */
const LISTS: readonly PlainRow[] = [
  {
    node: [
      "clockify",
      1,
      { resource: "client", operation: "getAll", workspaceId: "w", limit: 1, additionalFields: {} },
    ],
    answers: [[{ id: "a" }, { id: "b" }]],
    reads: "={{ $json.id }}",
    read: [{ output: { u: "a" } }],
    asked: [{ method: "GET", url: "https://api.clockify.me/api/v1/workspaces/w/clients?page=1&page-size=50" }],
  },
  {
    node: ["todoist", 2, { operation: "getAll", returnAll: true, filters: { filter: "today" } }],
    answers: [[{ id: "a" }]],
    reads: "={{ $json.id }}",
    read: [{ output: { u: "a" } }],
    asked: [
      {
        method: "GET",
        url: "https://api.todoist.com/rest/v2/tasks?filter=today",
        authorization: "Bearer secret of todoist",
      },
    ],
  },
  {
    node: [
      "trello",
      1,
      { resource: "list", operation: "getCards", id: "l1", limit: 2, additionalFields: { fields: "name" } },
    ],
    answers: [[{ id: "a" }, { id: "b" }]],
    reads: "={{ $json.id }}",
    read: [{ output: { u: "a" } }, { output: { u: "b" } }],
    asked: [
      {
        method: "GET",
        url: "https://api.trello.com/1/lists/l1/cards?key=secret+of+trello-key&token=secret+of+trello-token&limit=2&fields=name",
      },
    ],
  },
  {
    node: [
      "googleTasks",
      1,
      { operation: "getAll", task: "L", returnAll: true, additionalFields: { showHidden: true } },
    ],
    answers: [{ items: [{ id: "x" }] }],
    reads: "={{ $json.id }}",
    read: [{ output: { u: "x" } }],
    asked: [
      {
        method: "GET",
        url: "https://www.googleapis.com/tasks/v1/lists/L/tasks?maxResults=100&showHidden=true&showDeleted=false&showCompleted=true",
        authorization: "Bearer secret of google-tasks",
      },
    ],
  },
  {
    node: ["mondayCom", 1, { operation: "get", boardId: "5" }],
    answers: [{ data: { boards: [{ id: "5", name: "B" }] } }],
    reads: "={{ $json.name }}",
    read: [{ output: { u: "B" } }],
    asked: [
      {
        method: "POST",
        url: "https://api.monday.com/v2/",
        authorization: "Bearer secret of monday",
        body: {
          query:
            "query ($id: [ID!]) { boards(ids: $id) { id name description state board_folder_id board_kind owners { id } } }",
          variables: { id: "5" },
        },
      },
    ],
  },
];

it("nodes of these apps ask what they ask in n8n, and hand on what they hand on there", async () => {
  const { status, error, output, asked } = await runRows(story, ONE);
  expect([status, error]).toEqual(["completed", null]);
  expect(asked).toEqual(ONE.flatMap((row) => row.asked));
  expect(output).toEqual(Object.fromEntries(ONE.map(({ read }, index) => [`r${index}`, read])));
});

it.each(LISTS)("$node hands on a list", async (row) => {
  const { status, error, output, asked } = await runRow(story, row);
  expect([status, error]).toEqual(["completed", null]);
  expect(asked).toEqual(row.asked);
  expect(output).toMatchObject({ items: row.read });
});
