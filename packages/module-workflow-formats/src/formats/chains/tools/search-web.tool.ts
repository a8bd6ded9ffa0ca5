import { OvenError } from "@oven/contract";
import { defineTool } from "@oven/module-registry";
import { z } from "zod";
import { readServiceAnswer } from "./python.tool.ts";

const AnswerSchema = z.object({
  results: z.array(z.object({ title: z.string().default(""), url: z.string(), content: z.string().default("") })),
});

/** Asks a search service that speaks as SearXNG does: `GET /search?q=…&format=json`. */
export const searchWebTool = defineTool({
  id: "search_web",
  title: "Search the web",
  description: "Searches the web and answers titles, addresses and excerpts",
  input: z.strictObject({
    query: z.string().min(1).max(500),
    limit: z.int().min(1).max(50).default(10).describe("How many results"),
  }),
  output: z.strictObject({
    results: z.array(z.strictObject({ title: z.string(), url: z.string(), content: z.string() })),
  }),
  effect: "idempotent",
  permission: "chain-tools.use",
  tags: ["outside-content", "outbound"],
  timeoutMs: 30_000,
  async run({ input: { query, limit }, principal, services, signal }) {
    const { value } = await services.config.resolve({
      module: "module-workflow-formats",
      key: "SEARCH_URL",
      tenantId: principal.tenantId,
    });
    if (value === "") {
      throw new OvenError("SEARCH_MISSING", "The web cannot be searched: no search service is configured", {
        status: 503,
        fix: "An operator sets SEARCH_URL of module-workflow-formats to the address of a SearXNG server.",
      });
    }
    const url = new URL("search", String(value).replace(/\/?$/, "/"));
    url.search = new URLSearchParams({ q: query, format: "json" }).toString();
    const response = await services.outbound.fetch(url, { headers: { accept: "application/json" }, signal });
    const { results } = await readServiceAnswer(response, AnswerSchema, "search service");
    return { results: results.slice(0, limit) };
  },
});
