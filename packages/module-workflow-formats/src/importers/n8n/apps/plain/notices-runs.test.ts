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
      "signl4",
      1,
      {
        message: "={{ $json.m }}",
        additionalFields: {
          title: "T",
          externalId: "w",
          locationFieldsUi: { locationFieldsValues: { latitude: "={{ $json.lat }}", longitude: "7" } },
        },
      },
    ],
    input: { m: "Hot", lat: "47" },
    answers: [{ eventId: "e" }],
    reads: "={{ $json.eventId }}",
    read: "e",
    asked: [
      {
        method: "POST",
        url: "https://connect.signl4.com/webhook/secret%20of%20signl4",
        body: {
          title: "T",
          message: "Hot",
          "X-S4-Status": "new",
          "X-S4-Location": "47,7",
          "X-S4-ExternalID": "w",
          "X-S4-SourceSystem": "n8n",
        },
      },
    ],
  },
  {
    node: [
      "gotify",
      1,
      { message: "={{ $json.m }}", additionalFields: { title: "T" }, options: { contentType: "text/markdown" } },
    ],
    input: { m: "Hi" },
    answers: [{ id: 1 }],
    reads: "={{ $json.id }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://gotify.invalid/message",
        body: { title: "T", extras: { "client::display": { contentType: "text/markdown" } }, message: "Hi" },
      },
    ],
  },
  {
    node: ["line", 1, { message: "={{ $json.m }}", additionalFields: { notificationDisabled: true } }],
    input: { m: "Hi" },
    answers: [{ status: 200 }],
    reads: "={{ $json.status }}",
    read: "200",
    asked: [
      {
        method: "POST",
        url: "https://notify-api.line.me/api/notify",
        authorization: "Bearer secret of line",
        body: { message: "Hi", notificationDisabled: "true" },
      },
    ],
  },
  {
    node: ["pushcut", 1, { notificationName: "My n", additionalFields: { text: "={{ $json.m }}" } }],
    input: { m: "Hi" },
    answers: [{ id: "p" }],
    reads: "={{ $json.id }}",
    read: "p",
    asked: [{ method: "POST", url: "https://api.pushcut.io/v1/notifications/My%20n", body: { text: "Hi" } }],
  },
  {
    node: ["twake", 1, { channelId: "c", content: "={{ $json.m }}", additionalFields: { senderName: "Bot" } }],
    input: { m: "Hi" },
    answers: [{ object: { id: "t" } }],
    reads: "={{ $json.id }}",
    read: "t",
    asked: [
      {
        method: "POST",
        url: "https://plugins.twake.app/plugins/n8n/actions/message/save",
        authorization: "Bearer secret of twake",
        body: {
          object: {
            content: { formatted: "Hi" },
            channel_id: "c",
            hidden_data: { allow_delete: "everyone", custom_title: "Bot" },
          },
        },
      },
    ],
  },
  {
    node: [
      "pagerDuty",
      1,
      { title: "={{ $json.t }}", serviceId: "S", email: "a@b.c", additionalFields: { details: "d", priorityId: "P" } },
    ],
    input: { t: "Down" },
    answers: [{ incident: { id: "I" } }],
    reads: "={{ $json.id }}",
    read: "I",
    asked: [
      {
        method: "POST",
        url: "https://api.pagerduty.com/incidents",
        authorization: "Token token=secret of pagerduty",
        body: {
          incident: {
            body: { type: "incident_body", details: "d" },
            type: "incident",
            title: "Down",
            service: { id: "S", type: "service_reference" },
            priority: { id: "P", type: "priority_reference" },
          },
        },
      },
    ],
  },
  {
    node: [
      "pagerDuty",
      1,
      { operation: "update", incidentId: "={{ $json.i }}", email: "a@b.c", updateFields: { status: "acknowledged" } },
    ],
    input: { i: "I1" },
    answers: [{ incident: { id: "I1" } }],
    reads: "={{ $json.id }}",
    read: "I1",
    asked: [
      {
        method: "PUT",
        url: "https://api.pagerduty.com/incidents/I1",
        authorization: "Token token=secret of pagerduty",
        body: { incident: { type: "incident", status: "acknowledged" } },
      },
    ],
  },
  {
    node: [
      "rocketchat",
      1,
      { channel: "#general", text: "={{ $json.m }}", options: { alias: "Bot" }, attachments: [] },
    ],
    input: { m: "Hi" },
    answers: [{ success: true }],
    reads: "={{ $json.success }}",
    read: "true",
    asked: [
      {
        method: "POST",
        url: "https://rocketchat.invalid/api/v1/chat.postMessage",
        body: { text: "Hi", alias: "Bot", channel: "#general" },
      },
    ],
  },
  {
    node: ["zulip", 1, { to: ["a@b.c", "={{ $json.to }}"], content: "Hi" }],
    input: { to: "d@e.f" },
    answers: [{ id: 3 }],
    reads: "={{ $json.id }}",
    read: "3",
    asked: [
      {
        method: "POST",
        url: "https://zulip.invalid/api/v1/messages",
        authorization: "Basic secret of zulip",
        body: { to: "a@b.c,d@e.f", type: "private", content: "Hi" },
      },
    ],
  },
  {
    node: ["zulip", 1, { operation: "sendStream", stream: "s", topic: "t", content: "={{ $json.m }}" }],
    input: { m: "Hi" },
    answers: [{ id: 3 }],
    reads: "={{ $json.id }}",
    read: "3",
    asked: [
      {
        method: "POST",
        url: "https://zulip.invalid/api/v1/messages",
        authorization: "Basic secret of zulip",
        body: { to: "s", type: "stream", topic: "t", content: "Hi" },
      },
    ],
  },
  {
    node: [
      "slack",
      2.1,
      {
        operation: "delete",
        select: "channel",
        channelId: { __rl: true, mode: "id", value: "C1" },
        timestamp: "={{ $json.t }}",
      },
    ],
    input: { t: "1.2" },
    answers: [{ ok: true, ts: "1.2" }],
    reads: "={{ $json.message_timestamp }}",
    read: "1.2",
    asked: [
      {
        method: "POST",
        url: "https://slack.com/api/chat.delete",
        authorization: "Bearer secret of slack",
        body: { ts: "1.2", channel: "C1" },
      },
    ],
  },
  {
    node: ["slack", 2.1, { resource: "channel", channelId: "=#{{ $json.n }}" }],
    input: { n: "new" },
    answers: [{ ok: true, channel: { id: "C2" } }],
    reads: "={{ $json.id }}",
    read: "C2",
    asked: [
      {
        method: "POST",
        url: "https://slack.com/api/conversations.create",
        authorization: "Bearer secret of slack",
        body: { name: "new", is_private: false },
      },
    ],
  },
  {
    node: ["slack", 1, { resource: "channel", operation: "open", options: { users: ["U1", "={{ $json.u }}"] } }],
    input: { u: "U2" },
    answers: [{ ok: true, channel: { id: "D" } }],
    reads: "={{ $json.id }}",
    read: "D",
    asked: [
      {
        method: "POST",
        url: "https://slack.com/api/conversations.open",
        authorization: "Bearer secret of slack",
        body: { users: "U1,U2" },
      },
    ],
  },
];

/** Nodes that hand on a list: what follows runs once for each entry. */
const LISTS: readonly PlainRow[] = [
  {
    node: ["vonage", 1, { from: "V", to: "={{ $json.to }}", message: "Hi", additionalFields: {} }],
    input: { to: "49" },
    answers: [{ messages: [{ status: "0" }] }],
    reads: "={{ $json.status }}",
    read: [{ output: { u: "0" } }],
    asked: [
      {
        method: "POST",
        url: "https://rest.nexmo.com/sms/json?api_key=secret%20of%20vonage-key&api_secret=secret%20of%20vonage-secret",
        body: { to: "49", from: "V", text: "Hi", type: "text" },
      },
    ],
  },
  {
    node: [
      "homeAssistant",
      1,
      {
        resource: "service",
        operation: "call",
        domain: "light",
        service: "turn_on",
        serviceAttributes: { attributes: [{ name: "entity_id", value: "={{ $json.e }}" }] },
      },
    ],
    input: { e: "light.a" },
    answers: [[]],
    reads: "done",
    read: [{ output: { u: "done" } }],
    asked: [
      {
        method: "POST",
        url: "https://home_assistant.invalid/api/services/light/turn_on",
        authorization: "Bearer secret of home-assistant",
        body: { entity_id: "light.a" },
      },
    ],
  },
  {
    node: ["slack", 1, { resource: "user", operation: "getAll", limit: 5 }],
    answers: [{ ok: true, members: [{ id: "U" }] }],
    reads: "={{ $json.id }}",
    read: [{ output: { u: "U" } }],
    asked: [
      { method: "GET", url: "https://slack.com/api/users.list?limit=5", authorization: "Bearer secret of slack" },
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
