import type { CataloguedService } from "@oven/contract/api";

export const bitbucket: CataloguedService = {
  slug: "bitbucket",
  name: "Bitbucket",
  category: "development",
  description: "Repositories, pull requests and their reviews at Bitbucket Cloud.",
  documentation: "https://developer.atlassian.com/cloud/bitbucket/rest/intro/",
  source: {
    type: "url",
    url: "https://api.bitbucket.org/swagger.json",
  },
  serverUrl: "https://api.bitbucket.org/2.0",
  auth: {
    type: "bearer",
  },
  steps: [
    "In the settings of the workspace or repository, create an access token with the scopes that are needed, such as pullrequest.",
  ],
  operations: [
    "GET /user",
    "GET /repositories/{workspace}",
    "GET /repositories/{workspace}/{repo_slug}",
    "GET /repositories/{workspace}/{repo_slug}/pullrequests",
    "GET /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}",
    "GET /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/diff",
    "POST /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
