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
    node: ["box", 1, { resource: "folder", name: "={{ $json.n }}", options: { access: "open" } }],
    input: { n: "New" },
    answers: [{ id: "f" }],
    reads: "={{ $json.id }}",
    read: "f",
    asked: [
      {
        ...{ method: "POST", url: "https://api.box.com/2.0/folders", authorization: "Bearer secret of box" },
        body: { name: "New", parent: { id: 0 }, folder_upload_email: { access: "open" } },
      },
    ],
  },
  {
    node: ["messageBird", 1, { originator: "Me", recipients: "={{ $json.to }}", message: "Hi", additionalFields: {} }],
    input: { to: "491,492" },
    answers: [{ id: "m" }],
    reads: "={{ $json.id }}",
    read: "m",
    asked: [
      {
        ...{ method: "POST", url: "https://rest.messagebird.com/messages" },
        authorization: "AccessKey secret of messagebird",
        body: { originator: "Me", body: "Hi", recipients: [491, 492] },
      },
    ],
  },
];

const LISTS: readonly PlainRow[] = [
  {
    node: ["helpScout", 1, { resource: "mailbox", operation: "getAll", limit: 1 }],
    answers: [{ _embedded: { mailboxes: [{ id: 1 }, { id: 2 }] } }],
    reads: "={{ $json.id }}",
    read: [{ output: { u: "1" } }],
    asked: [
      { method: "GET", url: "https://api.helpscout.net/v2/mailboxes", authorization: "Bearer secret of help-scout" },
    ],
  },
  {
    node: [
      "asana",
      1,
      { operation: "getAll", returnAll: true, filters: { assignee: "me", completed_since: "2026-01-02T00:00:00Z" } },
    ],
    answers: [{ data: [{ gid: "1" }, { gid: "2" }], next_page: null }],
    reads: "={{ $json.gid }}",
    read: [{ output: { u: "1" } }, { output: { u: "2" } }],
    asked: [
      {
        method: "GET",
        url: "https://app.asana.com/api/1.0/tasks?limit=100&assignee=me&completed_since=2026-01-02T00%3A00%3A00.000Z",
        authorization: "Bearer secret of asana",
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

it.each(LISTS)("$node.0 hands on a list", async (row) => {
  const { status, error, output, asked } = await runRow(story, row);
  expect([status, error]).toEqual(["completed", null]);
  const parts = (url: string) => [...new URL(url).searchParams].sort();
  const [first] = row.asked as readonly { url: string }[];
  expect([asked.length, asked[0]?.url.split("?")[0]]).toEqual([1, first?.url.split("?")[0]]);
  expect(parts(asked[0]?.url ?? "")).toEqual(parts(first?.url ?? ""));
  expect(output).toMatchObject({ items: row.read });
});

it("fails where there are more records than one page has", async () => {
  const [, row] = LISTS;
  if (row === undefined) throw new Error("There is no row");
  const more = { ...row, answers: [{ data: [{ gid: "1" }], next_page: { uri: "https://x.y" } }] };
  const { status, error } = await runRow(story, more);
  expect([status, String(error)]).toEqual(["failed", expect.stringContaining("more than 100 records")]);
});
