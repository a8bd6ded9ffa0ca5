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
    node: ["shopify", 1, { operation: "update", orderId: "={{ $json.o }}", updateFields: { tags: "x" } }],
    input: { o: "5" },
    answers: [{ order: { id: 5 } }],
    reads: "={{ $json.id }}",
    read: "5",
    asked: [
      {
        method: "PUT",
        url: "https://shopify.invalid/admin/api/2024-07/orders/5.json",
        authorization: "Basic secret of shopify",
        body: { order: { tags: "x" } },
      },
    ],
  },
  {
    node: [
      "mailchimp",
      1,
      {
        list: "l1",
        email: "={{ $json.e }}",
        status: "subscribed",
        options: { tags: "a,b" },
        mergeFieldsUi: { mergeFieldsValues: [{ name: "FNAME", value: "Ann" }] },
      },
    ],
    input: { e: "a@b.c" },
    answers: [{ id: "m" }],
    reads: "={{ $json.id }}",
    read: "m",
    asked: [
      {
        method: "POST",
        url: "https://mailchimp.invalid/3.0/lists/l1/members",
        authorization: "apikey secret of mailchimp",
        body: {
          tags: ["a", "b"],
          listId: "l1",
          status: "subscribed",
          merge_fields: { FNAME: "Ann" },
          email_address: "a@b.c",
        },
      },
    ],
  },
  {
    node: [
      "mailchimp",
      1,
      { resource: "memberTag", list: "l1", email: "a@b.c", tags: ["={{ $json.t }}"], options: {} },
    ],
    input: { t: "vip" },
    answers: [{}],
    reads: "={{ $json.success }}",
    read: "true",
    asked: [
      {
        method: "POST",
        url: "https://mailchimp.invalid/3.0/lists/l1/members/a%40b.c/tags",
        authorization: "apikey secret of mailchimp",
        body: { tags: [{ name: "vip", status: "active" }] },
      },
    ],
  },
  {
    node: [
      "sendGrid",
      1,
      {
        resource: "contact",
        email: "={{ $json.e }}",
        additionalFields: { firstName: "Ann", listIdsUi: { listIdValues: { listIds: ["l"] } } },
      },
    ],
    input: { e: "a@b.c" },
    answers: [{ job_id: "j" }],
    reads: "={{ $json.job_id }}",
    read: "j",
    asked: [
      {
        method: "PUT",
        url: "https://api.sendgrid.com/v3/marketing/contacts",
        authorization: "Bearer secret of sendgrid",
        body: { contacts: [{ email: "a@b.c", first_name: "Ann" }], list_ids: ["l"] },
      },
    ],
  },
  {
    node: [
      "mailerLite",
      2,
      {
        email: "={{ $json.e }}",
        additionalFields: {
          status: "active",
          customFieldsUi: { customFieldsValues: [{ fieldId: "country", value: "CH" }] },
        },
      },
    ],
    input: { e: "a@b.c" },
    answers: [{ data: { id: "1" } }],
    reads: "={{ $json.id }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://connect.mailerlite.com/api/subscribers",
        authorization: "Bearer secret of mailerlite",
        body: { email: "a@b.c", fields: { country: "CH" }, status: "active" },
      },
    ],
  },
  {
    node: [
      "mailgun",
      1,
      { fromEmail: "a@b.c", toEmail: "={{ $json.to }}", subject: "S", text: "T", bccEmail: "x@y.z" },
    ],
    input: { to: "d@e.f" },
    answers: [{ id: "<1>" }],
    reads: "={{ $json.id }}",
    read: "<1>",
    asked: [
      {
        method: "POST",
        url: "https://mailgun.invalid/messages",
        authorization: "Basic secret of mailgun",
        body: { to: "d@e.f", bcc: "x@y.z", from: "a@b.c", html: "", text: "T", subject: "S" },
      },
    ],
  },
];

/** Nodes that hand on a list: what follows runs once for each entry. */
const LISTS: readonly PlainRow[] = [
  {
    node: [
      "shopify",
      1,
      {
        authentication: "accessToken",
        operation: "getAll",
        returnAll: true,
        options: { fulfillmentStatus: "unfulfilled" },
      },
    ],
    answers: [{ orders: [{ id: 1 }, { id: 2 }] }],
    reads: "={{ $json.id }}",
    read: [{ output: { u: "1" } }, { output: { u: "2" } }],
    asked: [
      {
        method: "GET",
        url: "https://shopify.invalid/admin/api/2024-07/orders.json?limit=250&fulfillment_status=unfulfilled",
        authorization: "Basic secret of shopify",
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
