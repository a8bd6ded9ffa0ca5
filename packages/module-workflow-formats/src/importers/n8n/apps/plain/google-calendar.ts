import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../../importing/no-equivalent.ts";
import type { Given } from "../app-given.ts";
import { limitOf } from "../app-given.ts";
import { type App, type AppPlan, listOf, ONE_PAGE, refuseMore } from "../app-steps.ts";
import { computed, isExpression, js, url } from "../app-values.ts";
import { plainApp, SUCCESS } from "../plain-app.ts";

const EVENTS = "https://www.googleapis.com/calendar/v3/calendars";
const MOST = 250;

/** A time of n8n in JavaScript, as a DateTime: one without a zone is in that of the workflow. */
const timeOf = (value: Json): string =>
  `((at) => (at instanceof Date ? DateTime.fromJSDate(at) : DateTime.fromISO(String(at))))(${js(value)})`;
const instant = (value: Json): string => computed(`${timeOf(value)}.toUTC().toISO()`);
const day = (value: Json): string => computed(`${timeOf(value)}.toISODate()`);

/** The calendar in an address, encoded once. */
function calendarOf(given: Given): string {
  const id = given.locator("calendar");
  return isExpression(id)
    ? computed(`encodeURIComponent(decodeURIComponent(${js(id)}))`)
    : encodeURIComponent(decodeURIComponent(String(id)));
}

const EVENT = {
  ...{ color: "colorId", description: "description", guestsCanInviteOthers: "guestsCanInviteOthers" },
  ...{ guestsCanModify: "guestsCanModify", guestsCanSeeOtherGuests: "guestsCanSeeOtherGuests", id: "id" },
  ...{ location: "location", summary: "summary", showMeAs: "transparency", visibility: "visibility" },
};
const REPEATING = ["rrule", "repeatFrecuency", "repeatHowManyTimes", "repeatUntil", "conferenceDataUi", "timezone"];

/** What is written of an event beside its times. @throws NoEquivalent */
function eventOf(given: Given, group: Given): { body: JsonObject; query: JsonObject } {
  for (const name of REPEATING)
    if (group.get(name) !== undefined)
      throw new NoEquivalent(
        name === "conferenceDataUi" ? "it makes a meeting in a conference" : `it sets ${name} of an event`,
      );
  const body: JsonObject = {};
  for (const [name, own] of Object.entries(EVENT)) {
    const value = group.get(name);
    if (value !== undefined && value !== false) body[own] = value;
  }
  const query: JsonObject = {};
  for (const name of ["maxAttendees", "sendNotifications", "sendUpdates"]) {
    const value = group.get(name);
    if (value !== undefined && value !== false) query[name] = value;
  }
  const attendees = group.get("attendees");
  if (attendees !== undefined) body.attendees = guests(attendees);
  if (!given.flag("useDefaultReminders", true)) {
    const own = given.group("remindersUi").get("remindersValues");
    body.reminders = { useDefault: false, ...(own === undefined ? {} : { overrides: own }) };
  }
  return { body, query };
}

const guests = (list: Json): string =>
  computed(`(${js(list)}).flatMap((one) => String(one).split(",").map((text) => ({ email: text.trim() })))`);

const INSTANTS = "An event has its instants here, and is shown in the time zone of its calendar.";

function create(given: Given): AppPlan {
  const fields = given.group("additionalFields");
  const isAllDay = fields.get("allday") === "yes";
  const isNewer = given.version >= 1.3;
  const start = isNewer ? given.or("start", "={{ $now }}") : given.need("start");
  const end = isNewer ? given.or("end", "={{ $now.plus(1, 'hour') }}") : given.need("end");
  const times: JsonObject = isAllDay
    ? { start: { date: day(start) }, end: { date: day(end) } }
    : { start: { dateTime: instant(start) }, end: { dateTime: instant(end) } };
  const { body, query } = eventOf(given, fields);
  const address = url`https://www.googleapis.com/calendar/v3/calendars/${calendarOf(given)}/events`;
  return {
    steps: [
      {
        ...{ method: "POST", url: address, body: { ...times, ...body } },
        ...(Object.keys(query).length === 0 ? {} : { query }),
      },
    ],
    notes: isAllDay ? [] : [INSTANTS],
  };
}

function update(given: Given): AppPlan {
  const fields = given.group("updateFields");
  given.choice("modifyTarget", "instance", ["instance"]);
  if (fields.get("attendeesUi") !== undefined) throw new NoEquivalent("it adds guests to those that an event has");
  const [start, end] = [fields.get("start"), fields.get("end")];
  const isAllDay = fields.get("allday") === "yes" && start !== undefined && end !== undefined;
  const asTime = (value: Json): JsonObject => (isAllDay ? { date: day(value) } : { dateTime: instant(value) });
  const { body, query } = eventOf(given, fields);
  return {
    steps: [
      {
        method: "PATCH",
        url: eventAt(given),
        body: {
          ...(start === undefined ? {} : { start: asTime(start) }),
          ...(end === undefined ? {} : { end: asTime(end) }),
          ...body,
        },
        ...(Object.keys(query).length === 0 ? {} : { query }),
      },
    ],
    notes: (start === undefined && end === undefined) || isAllDay ? [] : [INSTANTS],
  };
}

const eventAt = (given: Given): string =>
  url`https://www.googleapis.com/calendar/v3/calendars/${calendarOf(given)}/events/${given.need("eventId", "event")}`;

/** n8n says when an event that recurs takes place next, where it hands on such. */
const REFUSE_RECURRING =
  'if (event.recurrence !== undefined) throw new Error("An event recurs, and when it takes place next is not computed here");';

function options(given: Given): JsonObject {
  const group = given.group("options");
  const query: JsonObject = {};
  const named = { iCalUID: "iCalUID", maxAttendees: "maxAttendees", orderBy: "orderBy", query: "q", fields: "fields" };
  const flags = { showDeleted: "showDeleted", showHiddenInvitations: "showHiddenInvitations" };
  for (const [name, own] of Object.entries({ ...named, ...flags, singleEvents: "singleEvents" })) {
    const value = group.get(name);
    if (value !== undefined && value !== false) query[own] = value;
  }
  for (const name of ["timeMin", "timeMax", "updatedMin"]) {
    const value = group.get(name);
    if (value !== undefined) query[name] = instant(value);
  }
  const zone = group.get("timeZone") === undefined ? undefined : group.locator("timeZone");
  if (zone !== undefined) query.timeZone = zone;
  return query;
}

function getAll(given: Given): AppPlan {
  const query: JsonObject = {};
  const isNewer = given.version >= 1.3;
  if (isNewer) {
    query.timeMin = instant(given.or("timeMin", "={{ $now }}"));
    query.timeMax = instant(given.or("timeMax", "={{ $now.plus({ week: 1 }) }}"));
    given.group("options").choice("recurringEventHandling", "expand", ["expand"]);
    query.singleEvents = true;
  }
  Object.assign(query, options(given));
  const count = limitOf(given, { limit: 50 });
  query.maxResults = count ?? MOST;
  const lines = [
    ...(count === undefined ? [refuseMore("answer.nextPageToken !== undefined", MOST)] : []),
    ...(isNewer ? [] : [`for (const event of answer.items ?? []) ${REFUSE_RECURRING}`]),
  ];
  const address = url`https://www.googleapis.com/calendar/v3/calendars/${calendarOf(given)}/events`;
  return {
    steps: [{ what: "request", method: "GET", url: address, query }, listOf("answer.items ?? []", ...lines)],
    notes: count === undefined ? [ONE_PAGE(MOST)] : [],
  };
}

function availability(given: Given): AppPlan {
  const group = given.group("options");
  const format = group.choice("outputFormat", "availability", ["availability", "bookedSlots", "raw"]);
  const zone = group.get("timezone") === undefined ? undefined : group.locator("timezone");
  const id = given.locator("calendar");
  const request = {
    ...{ method: "POST" as const, url: `${EVENTS.replace(/calendars$/, "")}freeBusy` },
    body: {
      timeMin: instant(given.need("timeMin")),
      timeMax: instant(given.need("timeMax")),
      items: [{ id: isExpression(id) ? computed(`decodeURIComponent(${js(id)})`) : decodeURIComponent(String(id)) }],
      ...(zone === undefined ? {} : { timeZone: zone }),
    },
  };
  if (format === "raw") return { steps: [request] };
  const failed =
    "const [calendar] = Object.values(answer.calendars);\nif (calendar.errors !== undefined) throw new Error(JSON.stringify(calendar.errors));";
  const asked = { what: "request", ...request };
  if (format === "bookedSlots") return { steps: [asked, listOf("calendar.busy", failed)] };
  return {
    steps: [asked, { code: `const answer = $json;\n${failed}\nreturn { available: calendar.busy.length === 0 };` }],
  };
}

export const GOOGLE_CALENDAR: App = plainApp({
  ...{ title: "Google Calendar", credential: "googleCalendarOAuth2Api", secret: "google-calendar", base: "" },
  resource: "event",
  operation: { event: "create", calendar: "availability" },
  operations: {
    "event:create": create,
    "event:update": update,
    "event:getAll": getAll,
    "event:get": (given) => {
      const group = given.group("options");
      const zone = group.get("timeZone") === undefined ? undefined : group.locator("timeZone");
      const most = group.get("maxAttendees");
      const query = {
        ...(zone === undefined ? {} : { timeZone: zone }),
        ...(most === undefined ? {} : { maxAttendees: most }),
      };
      return {
        steps: [
          { what: "request", method: "GET", url: eventAt(given), query },
          { code: `const event = $json;\n${REFUSE_RECURRING}\nreturn event;` },
        ],
      };
    },
    "event:delete": (given) => {
      given.group("options").skip("sendUpdates");
      const request = { what: "request", method: "DELETE" as const, url: eventAt(given) };
      return { steps: [request, { code: `return ${SUCCESS};` }] };
    },
    "calendar:availability": availability,
  },
});
