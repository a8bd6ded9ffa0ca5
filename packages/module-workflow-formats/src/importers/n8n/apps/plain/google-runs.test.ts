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
      "googleCalendar",
      1.3,
      {
        calendar: { __rl: true, mode: "id", value: "a@b.c" },
        start: "={{ $json.s }}",
        end: "2026-01-02T11:00:00+01:00",
        additionalFields: { summary: "S", attendees: ["x@y.z, q@r.s"], sendUpdates: "all" },
      },
    ],
    input: { s: "2026-01-02 09:00" },
    answers: [{ id: "e" }],
    reads: "={{ $json.id }}",
    read: "e",
    asked: [
      {
        method: "POST",
        url: "https://www.googleapis.com/calendar/v3/calendars/a%40b.c/events?sendUpdates=all",
        authorization: "Bearer secret of google-calendar",
        body: {
          end: { dateTime: "2026-01-02T10:00:00.000Z" },
          start: { dateTime: "2026-01-02T09:00:00.000Z" },
          summary: "S",
          attendees: [{ email: "x@y.z" }, { email: "q@r.s" }],
        },
      },
    ],
  },
  {
    node: [
      "googleCalendar",
      1,
      {
        calendar: "c1",
        start: "2026-01-02T09:00:00Z",
        end: "2026-01-03T09:00:00Z",
        useDefaultReminders: false,
        remindersUi: { remindersValues: [{ method: "popup", minutes: 10 }] },
        additionalFields: { allday: "yes" },
      },
    ],
    answers: [{ id: "e" }],
    reads: "={{ $json.id }}",
    read: "e",
    asked: [
      {
        method: "POST",
        url: "https://www.googleapis.com/calendar/v3/calendars/c1/events",
        authorization: "Bearer secret of google-calendar",
        body: {
          end: { date: "2026-01-03" },
          start: { date: "2026-01-02" },
          reminders: { overrides: [{ method: "popup", minutes: 10 }], useDefault: false },
        },
      },
    ],
  },
  {
    node: [
      "googleCalendar",
      1.1,
      {
        operation: "update",
        calendar: "c1",
        eventId: "={{ $json.e }}",
        updateFields: { summary: "New", start: "2026-01-02T09:00:00Z" },
      },
    ],
    input: { e: "e7" },
    answers: [{ id: "e7" }],
    reads: "={{ $json.id }}",
    read: "e7",
    asked: [
      {
        method: "PATCH",
        url: "https://www.googleapis.com/calendar/v3/calendars/c1/events/e7",
        authorization: "Bearer secret of google-calendar",
        body: { start: { dateTime: "2026-01-02T09:00:00.000Z" }, summary: "New" },
      },
    ],
  },
  {
    node: ["googleCalendar", 1, { operation: "delete", calendar: "c1", eventId: "e7", options: {} }],
    answers: [{}],
    reads: "={{ $json.success }}",
    read: "true",
    asked: [
      {
        method: "DELETE",
        url: "https://www.googleapis.com/calendar/v3/calendars/c1/events/e7",
        authorization: "Bearer secret of google-calendar",
      },
    ],
  },
  {
    node: [
      "googleCalendar",
      1.3,
      {
        resource: "calendar",
        calendar: { __rl: true, mode: "id", value: "c1" },
        timeMin: "2026-01-02T00:00:00Z",
        timeMax: "2026-01-03T00:00:00Z",
        options: {},
      },
    ],
    answers: [{ calendars: { c1: { busy: [] } } }],
    reads: "={{ $json.available }}",
    read: "true",
    asked: [
      {
        method: "POST",
        url: "https://www.googleapis.com/calendar/v3/freeBusy",
        authorization: "Bearer secret of google-calendar",
        body: { items: [{ id: "c1" }], timeMax: "2026-01-03T00:00:00.000Z", timeMin: "2026-01-02T00:00:00.000Z" },
      },
    ],
  },
  {
    node: [
      "googleAnalytics",
      2,
      {
        propertyId: { __rl: true, mode: "id", value: "46" },
        dateRange: "custom",
        startDate: "2026-01-01",
        endDate: "2026-01-02",
        returnAll: true,
        simple: false,
        additionalFields: {},
      },
    ],
    answers: [{ rowCount: 1, rows: [] }],
    reads: "={{ $json.rowCount }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://analyticsdata.googleapis.com/v1beta/properties/46:runReport",
        authorization: "Bearer secret of google-analytics",
        body: {
          limit: 100000,
          metrics: [{ name: "totalUsers" }],
          dateRanges: [{ endDate: "2026-01-02", startDate: "2026-01-01" }],
          dimensions: [{ name: "date" }],
        },
      },
    ],
  },
  {
    node: ["googleTranslate", 2, { text: "={{ $json.t }}", translateTo: "de" }],
    input: { t: "Hello" },
    answers: [{ data: { translations: [{ translatedText: "Hallo" }] } }],
    reads: "={{ $json.translatedText }}",
    read: "Hallo",
    asked: [
      {
        method: "POST",
        url: "https://translation.googleapis.com/language/translate/v2",
        authorization: "Bearer secret of google-translate",
        body: { q: "Hello", target: "de" },
      },
    ],
  },
  {
    node: ["googleCloudNaturalLanguage", 1, { content: "={{ $json.t }}", options: { language: "en" } }],
    input: { t: "Good" },
    answers: [{ documentSentiment: { score: 0.5 } }],
    reads: "={{ $json.documentSentiment.score }}",
    read: "0.5",
    asked: [
      {
        method: "POST",
        url: "https://language.googleapis.com/v1/documents:analyzeSentiment",
        authorization: "Bearer secret of google-natural-language",
        body: { document: { type: "PLAIN_TEXT", content: "Good", language: "en" }, encodingType: "UTF16" },
      },
    ],
  },
  {
    node: [
      "googlePerspective",
      1,
      {
        text: "={{ $json.t }}",
        options: { languages: "en" },
        requestedAttributesUi: {
          requestedAttributesValues: [{ attributeName: "threat" }, { attributeName: "toxicity", scoreThreshold: 0.3 }],
        },
      },
    ],
    input: { t: "Hm" },
    answers: [{ attributeScores: { THREAT: 1 } }],
    reads: "={{ $json.attributeScores.THREAT }}",
    read: "1",
    asked: [
      {
        method: "POST",
        url: "https://commentanalyzer.googleapis.com/v1alpha1/comments:analyze",
        authorization: "Bearer secret of google-perspective",
        body: {
          comment: { text: "Hm", type: "PLAIN_TEXT" },
          languages: "en",
          requestedAttributes: {
            THREAT: { scoreType: "probability", scoreThreshold: 0 },
            TOXICITY: { scoreType: "probability", scoreThreshold: 0.3 },
          },
        },
      },
    ],
  },
  {
    node: [
      "googleDocs",
      2,
      {
        operation: "update",
        documentURL: "https://docs.google.com/document/d/abc/edit",
        actionsUi: {
          actionFields: [
            { action: "insert", text: "={{ $json.t }}" },
            { action: "replaceAll", text: "a", replaceText: "b", matchCase: true },
          ],
        },
      },
    ],
    input: { t: "Hi" },
    answers: [{ documentId: "abc", replies: [{}] }],
    reads: "={{ $json.documentId }}",
    read: "abc",
    asked: [
      {
        method: "POST",
        url: "https://docs.googleapis.com/v1/documents/abc:batchUpdate",
        authorization: "Bearer secret of google-docs",
        body: {
          requests: [
            { insertText: { text: "Hi", endOfSegmentLocation: { segmentId: "" } } },
            { replaceAllText: { replaceText: "b", containsText: { text: "a", matchCase: true } } },
          ],
        },
      },
    ],
  },
  {
    node: [
      "gmail",
      1,
      {
        resource: "message",
        toList: ["a@b.c", "={{ $json.to }}"],
        subject: "S",
        message: "={{ $json.m }}",
        additionalFields: {},
      },
    ],
    input: { to: "d@e.f", m: "Hello" },
    answers: [{ id: "m" }],
    reads: "={{ $json.id }}",
    read: "m",
    asked: [
      {
        method: "POST",
        url: "https://gmail.googleapis.com/gmail/v1/users/me/messages/send",
        authorization: "Bearer secret of gmail",
        body: {
          raw: "VG86IDxhQGIuYz4sIDxkQGUuZj4NClN1YmplY3Q6IFMNCk1JTUUtVmVyc2lvbjogMS4wDQpDb250ZW50LVR5cGU6IHRleHQvcGxhaW47IGNoYXJzZXQ9dXRmLTgNCkNvbnRlbnQtVHJhbnNmZXItRW5jb2Rpbmc6IGJhc2U2NA0KDQpTR1ZzYkc4PQ",
        },
      },
    ],
  },
];

/** Nodes that hand on a list: what follows runs once for each entry. */
const LISTS: readonly PlainRow[] = [
  {
    node: [
      "googleCalendar",
      1,
      {
        operation: "getAll",
        calendar: "c1",
        options: { timeMin: "2026-01-02T00:00:00Z", singleEvents: true, orderBy: "startTime" },
        limit: 3,
      },
    ],
    answers: [{ items: [{ id: "1" }, { id: "2" }] }],
    reads: "={{ $json.id }}",
    read: [{ output: { u: "1" } }, { output: { u: "2" } }],
    asked: [
      {
        method: "GET",
        url: "https://www.googleapis.com/calendar/v3/calendars/c1/events?orderBy=startTime&timeMin=2026-01-02T00%3A00%3A00.000Z&maxResults=3&singleEvents=true",
        authorization: "Bearer secret of google-calendar",
      },
    ],
  },
  {
    node: [
      "googleAnalytics",
      2,
      {
        propertyId: { __rl: true, mode: "id", value: "46" },
        dateRange: "custom",
        startDate: "2026-01-01",
        endDate: "={{ $json.e }}",
        metricsGA4: { metricValues: [{ listName: "other", name: "views" }, { listName: "sessions" }] },
        limit: 9,
        additionalFields: {},
      },
    ],
    input: { e: "2026-01-08T10:00:00Z" },
    answers: [
      {
        dimensionHeaders: [{ name: "date" }],
        metricHeaders: [{ name: "views" }, { name: "sessions" }],
        rows: [{ dimensionValues: [{ value: "d1" }], metricValues: [{ value: "3" }, { value: "4" }] }],
      },
    ],
    reads: "={{ $json.date }} {{ $json.views }} {{ $json.sessions }}",
    read: [{ output: { u: "d1 3 4" } }],
    asked: [
      {
        method: "POST",
        url: "https://analyticsdata.googleapis.com/v1beta/properties/46:runReport",
        authorization: "Bearer secret of google-analytics",
        body: {
          limit: 9,
          metrics: [{ name: "views" }, { name: "sessions" }],
          dateRanges: [{ endDate: "2026-01-08", startDate: "2026-01-01" }],
          dimensions: [{ name: "date" }],
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
