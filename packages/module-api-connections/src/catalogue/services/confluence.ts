import type { CataloguedService } from "@oven/contract/api";

export const confluence: CataloguedService = {
  slug: "confluence",
  name: "Confluence",
  category: "work",
  description: "Pages of Confluence, and issues of Jira, by Atlassian's MCP server.",
  documentation:
    "https://support.atlassian.com/atlassian-rovo-mcp-server/docs/getting-started-with-the-atlassian-remote-mcp-server/",
  source: {
    type: "mcp",
    url: "https://mcp.atlassian.com/v1/mcp",
    auth: "oauth",
  },
  steps: [
    "Choose OAuth and test the connection; OVEN registers itself there.",
    "Sign in at the service's page once the connection is saved, with an account that sees no more than agents need.",
  ],
  notes: ["An administrator of the Atlassian site may have to allow the address of your OVEN."],
  checkedAt: "2026-11-29",
};
