import type { CataloguedService } from "@oven/contract/api";

export const googleCalendar: CataloguedService = {
  slug: "google-calendar",
  name: "Google Calendar",
  category: "communication",
  description: "Calendars, events and free times.",
  documentation: "https://developers.google.com/workspace/calendar/api/v3/reference",
  source: {
    type: "url",
    url: "https://api.apis.guru/v2/specs/googleapis.com/calendar/v3/openapi.json",
  },
  serverUrl: "https://www.googleapis.com/calendar/v3",
  auth: {
    type: "oauth",
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    scope:
      "https://www.googleapis.com/auth/calendar.events https://www.googleapis.com/auth/calendar.calendarlist.readonly https://www.googleapis.com/auth/calendar.freebusy",
    clientIn: "body",
    parameters: {
      access_type: "offline",
      prompt: "consent",
    },
  },
  steps: [
    "In the Google Cloud console, enable this API for a project, and create an OAuth client of the type web application.",
    "Add the scope below to the consent screen; people outside of your organization need an app that Google has verified.",
  ],
  operations: [
    "GET /users/me/calendarList",
    "GET /calendars/{calendarId}/events",
    "GET /calendars/{calendarId}/events/{eventId}",
    "POST /calendars/{calendarId}/events",
    "PATCH /calendars/{calendarId}/events/{eventId}",
    "POST /freeBusy",
  ],
  notes: ["Google publishes no OpenAPI document of its own; this one is converted by APIs.guru."],
  checkedAt: "2026-11-29",
};
