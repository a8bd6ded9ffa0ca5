import type { Json, JsonObject, Principal } from "@oven/contract";
import { z } from "zod";

/** A call of a tool of the platform's own MCP server. */
export interface PlatformCall<Input> {
  input: Input;
  principal: Principal;
  /** Where the dashboard is. */
  publicUrl: string;
  /**
   * Calls a tool of the catalogue as the client: its permissions, its schemas, and the checks of the route behind it.
   * @throws OvenError as the tool does
   */
  call<T extends z.ZodType>(id: string, args: JsonObject, answer: T): Promise<z.output<T>>;
  /** As `call`; undefined where what it asks for does not exist, or is not the client's to see. */
  find<T extends z.ZodType>(id: string, args: JsonObject, answer: T): Promise<z.output<T> | undefined>;
}

/**
 * A tool of the platform's own MCP server: tools of the catalogue in words for builders. It has no way of its own to anything; what it adds is
 * one name for each id, typed filters, and answers as short as they can be.
 */
export interface PlatformTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  /** The tools of the catalogue that it calls at all events; a client that may not call one of them is not offered it. */
  calls: readonly [string, ...string[]];
  /** What clients are shown in place of the JSON Schema of `input`. The arguments are still parsed by that. */
  shownInput?: () => JsonObject;
  run(context: PlatformCall<z.output<Input>>): Promise<z.input<Output>>;
}

/** Declares a tool of the platform's own MCP server. */
export function definePlatformTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: PlatformTool<Input, Output>,
): PlatformTool {
  return tool as unknown as PlatformTool; // cast: callers parse the arguments with tool.input before run
}

/** One page of a list, as every list of this server takes it. */
export const pageInput = {
  limit: z.int().min(1).max(100).default(20),
  offset: z.int().min(0).max(1_000_000).default(0).describe("`next_offset` of the page before"),
};

export const pageOutput = { next_offset: z.int().nullable().describe("null: that is all") };

/** The parameters of a list of the catalogue for one page; one row more says whether there is another page. */
export function toListArguments(
  { limit, offset }: { limit: number; offset: number },
  filter: Record<string, Json | undefined>,
  sort: [string, "ASC" | "DESC"] = ["id", "DESC"],
): JsonObject {
  return {
    sort: JSON.stringify(sort),
    range: JSON.stringify([offset, offset + limit]),
    filter: JSON.stringify(filter),
  };
}

/** The rows of a page, and where the next one begins. */
export function toPage<Row>(
  { limit, offset }: { limit: number; offset: number },
  rows: readonly Row[],
): { rows: Row[]; next_offset: number | null } {
  return { rows: rows.slice(0, limit), next_offset: rows.length > limit ? offset + limit : null };
}

const MAX_SHOWN = 400;

/** A value as it is where it is short, else its beginning as text. */
export function toPreview(value: Json, whole: string): Json {
  const text = JSON.stringify(value) ?? "null";
  return text.length <= MAX_SHOWN
    ? value
    : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters; ${whole} has all of it)`;
}

/** The first sentence of a description. */
export function toAbout(text: string, max = 200): string {
  const [line = ""] = text.split("\n", 1);
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  return sentence.length > max ? `${sentence.slice(0, max - 1)}…` : sentence;
}

export const WorkflowIdSchema = z
  .union([z.int().positive(), z.string().min(1).max(63)])
  .describe("Id or slug of an agent workflow");
export const RunIdSchema = z.int().positive().describe("Id of a run");
