import type { Client } from "@modelcontextprotocol/client";
import { type JsonObject, JsonObjectSchema } from "@oven/contract";
import type { McpListedTool } from "@oven/contract/mcp";
import { z } from "zod";
import { headerProblem } from "./header-parameters.ts";

export interface ListedTools {
  tools: McpListedTool[];
  /** Entries that are no tools, with why. */
  broken: { name: string; problem: string }[];
  notes: string[];
}

/** More than that no model can choose from, and nobody can approve. */
const MOST_TOOLS = 1_000;
const MOST_PAGES = 64;

const Hints = z.object({
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
const Schema = JsonObjectSchema.refine((schema) => schema.type === "object", "its type must be `object`");
const Tool = z.object({
  name: z.string().min(1),
  title: z.string().nullish(),
  description: z.string().default(""),
  inputSchema: Schema,
  outputSchema: JsonObjectSchema.nullish(),
  annotations: Hints.extend({ title: z.string().optional() }).default({}),
});
const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

type Options = { timeout: number; signal: AbortSignal };

/**
 * All tools of a server, entry by entry: one that is broken does not hide the others. A tool whose
 * header parameters cannot be sent is told as broken.
 */
export async function readTools(client: Client, options: Options): Promise<ListedTools> {
  const { entries, notes } = await readPages(client, options);
  const tools: McpListedTool[] = [];
  const broken: ListedTools["broken"] = [];
  for (const entry of entries) {
    const parsed = Tool.safeParse(storable(entry));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      broken.push({ name: nameOf(entry), problem: `${issue?.path.join(".")}: ${issue?.message}` });
      continue;
    }
    const unsendable = headerProblem(parsed.data.inputSchema);
    if (unsendable !== undefined) {
      broken.push({ name: parsed.data.name, problem: unsendable });
      continue;
    }
    const { name, title, description, inputSchema, outputSchema, annotations } = parsed.data;
    const { title: shown, ...hints } = annotations;
    tools.push({
      name,
      title: title ?? shown ?? null,
      description,
      inputSchema,
      outputSchema: outputSchema ?? null,
      hints,
    });
  }
  return { tools, broken, notes };
}

async function readPages(client: Client, options: Options): Promise<{ entries: unknown[]; notes: string[] }> {
  const entries: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const params: JsonObject = cursor === undefined ? {} : { cursor };
    const read = await client.request({ method: "tools/list", params }, Page, options);
    entries.push(...read.tools);
    if (entries.length > MOST_TOOLS) {
      const notes = [`The server lists more than ${MOST_TOOLS} tools; only the first ${MOST_TOOLS} are taken`];
      return { entries: entries.slice(0, MOST_TOOLS), notes };
    }
    if (read.nextCursor === undefined || read.nextCursor === cursor) return { entries, notes: [] };
    cursor = read.nextCursor;
  }
  return { entries, notes: [`The server's list did not end after ${MOST_PAGES} pages`] };
}

/** NUL and lone surrogates cannot be kept; what had them is shown so, and is refused where it is a name. */
function storable(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\u0000", "\uFFFD");
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [storable(key), storable(child)]));
}

function nameOf(entry: unknown): string {
  const named = z.object({ name: z.string() }).safeParse(storable(entry));
  return named.success ? named.data.name : "(without a name)";
}
