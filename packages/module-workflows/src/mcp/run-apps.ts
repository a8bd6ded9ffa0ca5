import { readFile } from "node:fs/promises";
import { CLIENT_CAPABILITIES_META_KEY, type McpServer } from "@modelcontextprotocol/server";
import { type JsonObject, OvenError } from "@oven/contract";
import {
  APP_MEDIA_TYPE,
  APPS_EXTENSION,
  DECIDE_VIEW_TOOL,
  McpRunViewSchema,
  type McpToolDefinition,
  RUN_VIEW_TOOL,
} from "@oven/contract/mcp";
import { z } from "zod";
import { toJsonSchema } from "../nodes/node-catalog.ts";
import { isNameOfViewer } from "./open-calls.ts";
import { ANY_ENVELOPE, AnswerReviewSchema, GetRunViewSchema } from "./tool-definitions.ts";

/** Where `build` puts the page of the views: one file, for they load nothing. */
const BUILT = new URL("../../dist/view.html", import.meta.url);

const VIEWS = [
  {
    view: "run",
    uri: "ui://oven/run",
    title: "Run",
    description: "The steps of a run as it goes on, what it waits for, and its result",
  },
  {
    view: "review",
    uri: "ui://oven/review",
    title: "Review",
    description: "What a run asks a person to decide, with its reasons, and the form to decide it",
  },
] as const;

const [RUN_VIEW, REVIEW_VIEW] = VIEWS;

/** Nothing may be loaded, and nothing sent but through the host. */
const UI_META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: false } };

/** What views ask for themselves. It changes nothing, and shows what `get_run` and the inbox show. */
const RUN_VIEW_DEFINITION: McpToolDefinition = {
  name: RUN_VIEW_TOOL,
  title: "Show a run",
  description: "A run with its steps and open reviews, for the views of this server.",
  inputSchema: toJsonSchema(GetRunViewSchema, "input"),
  outputSchema: toJsonSchema(McpRunViewSchema, "output"),
  annotations: { readOnlyHint: true, openWorldHint: false },
  source: { kind: "runs" },
};

/** What a person decides in a view. Models are not offered it, so it takes reviews of runs that the person has started, too. */
const DECIDE_VIEW_DEFINITION: McpToolDefinition = {
  name: DECIDE_VIEW_TOOL,
  title: "Decide a review",
  description: "Sends what a person decides in a view of this server.",
  inputSchema: toJsonSchema(AnswerReviewSchema, "input"),
  outputSchema: ANY_ENVELOPE,
  annotations: { readOnlyHint: false },
  source: { kind: "runs" },
};

/** Tools that only views are offered. */
export const VIEW_TOOLS: readonly McpToolDefinition[] = [RUN_VIEW_DEFINITION, DECIDE_VIEW_DEFINITION];

export function isViewTool(tool: string): boolean {
  return VIEW_TOOLS.some(({ name }) => name === tool);
}

/** Which view shows what a tool of the server answers; undefined: none. */
export function viewMetaOf(tool: string, kind: "workflow" | "runs"): JsonObject | undefined {
  if (isViewTool(tool)) return { ui: { visibility: ["app"] } };
  if (tool === "answer_review") return { ui: { resourceUri: REVIEW_VIEW.uri } };
  return kind === "workflow" || tool === "get_run" ? { ui: { resourceUri: RUN_VIEW.uri } } : undefined;
}

/** The views as resources of a server. Only servers of clients that show views have them. */
export function registerViews(server: McpServer): void {
  for (const { view, uri, title, description } of VIEWS)
    server.registerResource(
      `${view}-view`,
      uri,
      { title, description, mimeType: APP_MEDIA_TYPE, _meta: UI_META },
      async () => ({
        contents: [{ uri, mimeType: APP_MEDIA_TYPE, text: await readView(view, title), _meta: UI_META }],
      }),
    );
}

/** @throws OvenError VIEW_NOT_BUILT 500 */
async function readView(view: string, title: string): Promise<string> {
  try {
    const page = await readFile(BUILT, "utf8");
    // Each stands before the script, which is the same in all views.
    return page.replace("{{view}}", view).replace("{{title}}", title);
  } catch (error) {
    throw new OvenError("VIEW_NOT_BUILT", "The views for MCP clients are not built", {
      status: 500,
      fix: "Run `pnpm turbo run build` on the server.",
      cause: error,
    });
  }
}

const SettingsSchema = z.object({ mimeTypes: z.array(z.string()) });
const ExtensionsSchema = z.object({ extensions: z.object({ [APPS_EXTENSION]: SettingsSchema }) });
const DeclaringSchema = z.object({
  params: z.union([
    z.object({ _meta: z.object({ [CLIENT_CAPABILITIES_META_KEY]: ExtensionsSchema }) }),
    z.object({ capabilities: ExtensionsSchema }),
  ]),
});

/**
 * Whether the client of a request shows views. Since revision 2026-07-28 each request says so; before, `initialize` does, and what follows
 * carries the name that the client got then.
 */
export function showsViews(body: unknown, request: Pick<Request, "headers">): boolean {
  const declaring = DeclaringSchema.safeParse(body).data;
  if (declaring === undefined) return isNameOfViewer(request);
  const { params } = declaring;
  const { extensions } = "capabilities" in params ? params.capabilities : params._meta[CLIENT_CAPABILITIES_META_KEY];
  return extensions[APPS_EXTENSION].mimeTypes.includes(APP_MEDIA_TYPE);
}
