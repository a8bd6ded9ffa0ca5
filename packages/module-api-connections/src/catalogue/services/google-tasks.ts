import type { CataloguedService } from "@oven/contract/api";

export const googleTasks: CataloguedService = {
  slug: "google-tasks",
  name: "Google Tasks",
  category: "work",
  description: "Lists of tasks of a person.",
  documentation: "https://developers.google.com/workspace/tasks/reference/rest",
  source: {
    type: "url",
    url: "https://api.apis.guru/v2/specs/googleapis.com/tasks/v1/openapi.json",
  },
  serverUrl: "https://tasks.googleapis.com",
  auth: {
    type: "oauth",
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    scope: "https://www.googleapis.com/auth/tasks",
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
    "GET /tasks/v1/users/@me/lists",
    "GET /tasks/v1/lists/{tasklist}/tasks",
    "GET /tasks/v1/lists/{tasklist}/tasks/{task}",
    "POST /tasks/v1/lists/{tasklist}/tasks",
    "PATCH /tasks/v1/lists/{tasklist}/tasks/{task}",
  ],
  notes: ["Google publishes no OpenAPI document of its own; this one is converted by APIs.guru."],
  checkedAt: "2026-11-29",
};
