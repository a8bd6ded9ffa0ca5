import type { CataloguedService } from "@oven/contract/api";

export const jira: CataloguedService = {
  slug: "jira",
  name: "Jira",
  category: "work",
  description: "Issues, projects and transitions of Jira Cloud.",
  documentation: "https://developer.atlassian.com/cloud/jira/platform/rest/v3/",
  source: {
    type: "url",
    url: "https://developer.atlassian.com/cloud/jira/platform/swagger-v3.v3.json",
  },
  serverUrl: "https://your-domain.atlassian.net",
  auth: {
    type: "basic",
  },
  steps: [
    "Create an API token at id.atlassian.com under Security.",
    "The user is the account's email address, the password is the token.",
    "Replace your-domain in the server's address by the name of your site.",
  ],
  operations: [
    "GET /rest/api/3/myself",
    "GET /rest/api/3/project/search",
    "GET /rest/api/3/search/jql",
    "GET /rest/api/3/issue/{issueIdOrKey}",
    "POST /rest/api/3/issue",
    "PUT /rest/api/3/issue/{issueIdOrKey}",
    "POST /rest/api/3/issue/{issueIdOrKey}/comment",
    "GET /rest/api/3/issue/{issueIdOrKey}/transitions",
    "POST /rest/api/3/issue/{issueIdOrKey}/transitions",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
