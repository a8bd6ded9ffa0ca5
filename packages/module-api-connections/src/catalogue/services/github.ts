import type { CataloguedService } from "@oven/contract/api";

export const github: CataloguedService = {
  slug: "github",
  name: "GitHub",
  category: "development",
  description: "Repositories, issues, pull requests and workflow runs.",
  documentation: "https://docs.github.com/rest",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/github/rest-api-description/main/descriptions/api.github.com/api.github.com.json",
  },
  serverUrl: "https://api.github.com",
  auth: {
    type: "bearer",
  },
  steps: [
    "In GitHub's settings, open Developer settings and create a fine-grained personal access token.",
    "Give it only the repositories and permissions that your workflows need, such as Issues: read and write.",
  ],
  operations: [
    "GET /search/issues",
    "GET /repos/{owner}/{repo}",
    "GET /repos/{owner}/{repo}/issues",
    "GET /repos/{owner}/{repo}/issues/{issue_number}",
    "POST /repos/{owner}/{repo}/issues",
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "GET /repos/{owner}/{repo}/pulls",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/files",
    "GET /repos/{owner}/{repo}/contents/{path}",
    "GET /repos/{owner}/{repo}/actions/runs",
  ],
  notes: ["The document is long; reading it takes a moment."],
  checkedAt: "2026-11-29",
};
