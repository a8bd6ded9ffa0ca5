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
    node: [
      "zendesk",
      1,
      {
        description: "={{ $json.d }}",
        additionalFields: {
          subject: "S",
          tags: ["a"],
          customFieldsUi: { customFieldsValues: [{ id: 5, value: "v" }] },
        },
      },
    ],
    input: { d: "Help" },
    answers: [{ ticket: { id: 3 } }],
    reads: "={{ $json.id }}",
    read: "3",
    asked: [
      {
        method: "POST",
        url: "https://zendesk.invalid/api/v2/tickets.json",
        authorization: "Basic secret of zendesk",
        body: {
          ticket: { tags: ["a"], comment: { body: "Help" }, subject: "S", custom_fields: [{ id: 5, value: "v" }] },
        },
      },
    ],
  },
  {
    node: [
      "zendesk",
      1,
      { operation: "update", id: "={{ $json.i }}", updateFields: { status: "solved", internalNote: "<p>n</p>" } },
    ],
    input: { i: 8 },
    answers: [{ ticket: { id: 8 } }],
    reads: "={{ $json.id }}",
    read: "8",
    asked: [
      {
        method: "PUT",
        url: "https://zendesk.invalid/api/v2/tickets/8.json",
        authorization: "Basic secret of zendesk",
        body: { ticket: { status: "solved", comment: { public: false, html_body: "<p>n</p>" } } },
      },
    ],
  },
  {
    node: ["zendesk", 1, { operation: "get", id: "4" }],
    answers: [{ ticket: { id: 4 } }],
    reads: "={{ $json.id }}",
    read: "4",
    asked: [
      { method: "GET", url: "https://zendesk.invalid/api/v2/tickets/4.json", authorization: "Basic secret of zendesk" },
    ],
  },
  {
    node: [
      "mautic",
      1,
      {
        email: "={{ $json.e }}",
        firstName: "Ann",
        additionalFields: { mobile: "1", addressUi: { addressValues: { city: "Bern", zipCode: "3000" } } },
        options: { rawData: false },
      },
    ],
    input: { e: "a@b.c" },
    answers: [{ contact: { id: 1, fields: { all: { id: 9 } } } }],
    reads: "={{ $json.id }}",
    read: "9",
    asked: [
      {
        method: "POST",
        url: "https://mautic.invalid/api/contacts/new",
        authorization: "Basic secret of mautic",
        body: {
          city: "Bern",
          email: "a@b.c",
          title: "",
          mobile: "1",
          company: "",
          zipcode: "3000",
          lastname: "",
          position: "",
          firstname: "Ann",
        },
      },
    ],
  },
  {
    node: [
      "mautic",
      1,
      {
        operation: "update",
        contactId: "={{ $json.c }}",
        updateFields: { lastName: "B", customFieldsUi: { customFieldValues: [{ fieldId: "k", fieldValue: "v" }] } },
        options: {},
      },
    ],
    input: { c: 4 },
    answers: [{ contact: { id: 4 } }],
    reads: "={{ $json.id }}",
    read: "4",
    asked: [
      {
        method: "PATCH",
        url: "https://mautic.invalid/api/contacts/4/edit",
        authorization: "Basic secret of mautic",
        body: { k: "v", lastname: "B" },
      },
    ],
  },
  {
    node: ["mautic", 1, { resource: "contactSegment", segmentId: 2, contactId: "={{ $json.c }}" }],
    input: { c: 4 },
    answers: [{ success: 1 }],
    reads: "={{ $json.success }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://mautic.invalid/api/segments/2/contact/4/add",
        authorization: "Basic secret of mautic",
      },
    ],
  },
  {
    node: [
      "freshdesk",
      1,
      { status: "open", requester: "email", requesterIdentificationValue: "={{ $json.e }}", options: { subject: "S" } },
    ],
    input: { e: "a@b.c" },
    answers: [{ id: 2 }],
    reads: "={{ $json.id }}",
    read: "2",
    asked: [
      {
        method: "POST",
        url: "https://freshdesk.invalid/api/v2/tickets",
        authorization: "Basic secret of freshdesk",
        body: { email: "a@b.c", source: 2, status: 2, subject: "S", priority: 1, description: "null" },
      },
    ],
  },
  {
    node: ["affinity", 1, { name: "={{ $json.n }}", domain: "a.b", additionalFields: { persons: [1] } }],
    input: { n: "Acme" },
    answers: [{ id: 2 }],
    reads: "={{ $json.id }}",
    read: "2",
    asked: [
      {
        method: "POST",
        url: "https://api.affinity.co/organizations",
        authorization: "Basic secret of affinity",
        body: { name: "Acme", domain: "a.b", person_ids: [1] },
      },
    ],
  },
  {
    node: [
      "activeCampaign",
      1,
      { email: "={{ $json.e }}", updateIfExists: true, additionalFields: { firstName: "Ann" } },
    ],
    input: { e: "a@b.c" },
    answers: [{ contact: { id: "7" } }],
    reads: "={{ $json.id }}",
    read: "7",
    asked: [
      {
        method: "POST",
        url: "https://activecampaign.invalid/api/3/contact/sync",
        body: { contact: { email: "a@b.c", firstName: "Ann" } },
      },
    ],
  },
  {
    node: [
      "demio",
      1,
      { operation: "register", eventId: 3, firstName: "={{ $json.f }}", email: "a@b.c", additionalFields: {} },
    ],
    input: { f: "Ann" },
    answers: [{ hash: "h" }],
    reads: "={{ $json.hash }}",
    read: "h",
    asked: [
      {
        method: "PUT",
        url: "https://my.demio.com/api/v1/event/register",
        body: { id: 3, name: "Ann", email: "a@b.c" },
      },
    ],
  },
  {
    node: ["drift", 1, { email: "={{ $json.e }}", additionalFields: { name: "Ann" } }],
    input: { e: "a@b.c" },
    answers: [{ data: { id: 1 } }],
    reads: "={{ $json.id }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://driftapi.com/contacts",
        authorization: "Bearer secret of drift",
        body: { attributes: { name: "Ann", email: "a@b.c" } },
      },
    ],
  },
];

/** Nodes that hand on a list: what follows runs once for each entry. */
const LISTS: readonly PlainRow[] = [
  {
    node: [
      "zendesk",
      1,
      { operation: "getAll", returnAll: true, options: { query: "={{ $json.q }}", status: "open" } },
    ],
    input: { q: "assignee:none" },
    answers: [{ results: [{ id: 1 }], next_page: null }],
    reads: "={{ $json.id }}",
    read: [{ output: { u: "1" } }],
    asked: [
      {
        method: "GET",
        url: "https://zendesk.invalid/api/v2/search.json?query=type%3Aticket+assignee%3Anone+status%3Aopen&per_page=100",
        authorization: "Basic secret of zendesk",
      },
    ],
  },
  {
    node: ["mautic", 1, { operation: "getAll", limit: 2, options: { search: "x" } }],
    answers: [{ contacts: { "5": { id: 5 }, "6": { id: 6 } } }],
    reads: "={{ $json.id }}",
    read: [{ output: { u: "5" } }, { output: { u: "6" } }],
    asked: [
      {
        method: "GET",
        url: "https://mautic.invalid/api/contacts?limit=2&start=0&search=x",
        authorization: "Basic secret of mautic",
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
