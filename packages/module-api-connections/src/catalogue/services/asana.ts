import type { CataloguedService } from "@oven/contract/api";

export const asana: CataloguedService = {
  slug: "asana",
  name: "Asana",
  category: "work",
  description: "Tasks, projects and comments.",
  documentation: "https://developers.asana.com/reference/rest-api-reference",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/Asana/openapi/master/defs/asana_oas.yaml",
  },
  serverUrl: "https://app.asana.com/api/1.0",
  auth: {
    type: "bearer",
  },
  steps: [
    "Open app.asana.com/0/my-apps and create a personal access token.",
    "It sees what its owner sees: take an account for OVEN alone.",
  ],
  operations: [
    "GET /workspaces",
    "GET /projects",
    "GET /projects/{project_gid}/tasks",
    "GET /tasks/{task_gid}",
    "POST /tasks",
    "PUT /tasks/{task_gid}",
    "POST /tasks/{task_gid}/stories",
    "GET /workspaces/{workspace_gid}/tasks/search",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
