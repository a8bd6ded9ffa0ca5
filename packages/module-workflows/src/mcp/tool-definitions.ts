import { type Json, type JsonObject, JsonSchema } from "@oven/contract";
import { McpEnvelopeSchema, type McpToolDefinition } from "@oven/contract/mcp";
import { ExecutionStatusSchema } from "@oven/contract/run";
import type { Workflow } from "@oven/contract/workflow";
import { z } from "zod";
import { toJsonSchema } from "../nodes/node-catalog.ts";

export const GetRunSchema = z.strictObject({
  id: z.int().positive().describe("The run's id, as `run.id` in an earlier answer"),
  wait: z.int().min(0).max(60).default(0).describe("Seconds to wait for the end or a pause"),
});

export const GetRunViewSchema = z.strictObject({ id: z.int().positive().describe("The run's id") });

export const AnswerReviewSchema = z.strictObject({
  reviewId: z.int().positive().describe("`pending.reviewId` of an earlier answer"),
  action: z.string().min(1).describe("One of `pending.actions`"),
  digest: z.string().describe("`pending.digest`: binds the decision to what was shown"),
  data: JsonSchema.optional().describe("The edited proposal, for the action edit"),
  reason: z.string().optional().describe("Why; required to reject"),
});

export const CancelRunSchema = z.strictObject({
  id: z.int().positive().describe("The run's id"),
  reason: z.string().max(2_000).optional(),
});

export const ListRunsSchema = z.strictObject({
  status: ExecutionStatusSchema.optional().describe("Only runs that are like that"),
  limit: z.int().min(1).max(50).default(20).describe("How many, the newest first"),
});

export const RunListSchema = z.strictObject({
  runs: z.array(
    z.strictObject({
      id: z.int(),
      status: ExecutionStatusSchema,
      outcome: z.string().optional(),
      error: z.string().optional(),
      startedAt: z.string().nullable(),
      completedAt: z.string().nullable(),
      url: z.string(),
    }),
  ),
});

/** The tools in addition to the one that starts runs. */
export const FOLLOWING_TOOLS: ReadonlySet<string> = new Set([
  "get_run",
  "list_runs",
  "answer_review",
  "cancel_run",
  "score_run",
]);

/** `support-reply` is called as `support_reply`; a workflow called `get-run` makes way for the tool of that name. */
export function toToolName(slug: string): string {
  const name = slug.replaceAll("-", "_");
  return FOLLOWING_TOOLS.has(name) ? `run_${name}` : name;
}

/** The tools of a workflow's own, in a fixed order: the workflow itself, then the four that follow its runs. */
export function toToolDefinitions({ slug, name, description, definition }: Workflow): McpToolDefinition[] {
  const { payloadSchema, outputSchema } = definition;
  const about = description ?? `Runs the workflow ${name}.`;
  const [start, ...following] = withFollowing({
    name: toToolName(slug),
    title: name,
    about,
    inputSchema: payloadSchema,
    outputSchema,
  });
  return start === undefined ? following : [start, ...following, LIST_RUNS];
}

const { $schema: _draft, ...ENVELOPE } = toJsonSchema(McpEnvelopeSchema, "output");

/**
 * What a tool answers, finished or paused. `output` is the workflow's own output schema, unless that has references of its
 * own, which would point elsewhere from here; then any JSON is declared.
 */
export function toEnvelopeSchema(outputSchema: JsonObject | undefined): JsonObject {
  const { $schema: _own, ...output } = outputSchema ?? {};
  const properties = isObject(ENVELOPE.properties) ? ENVELOPE.properties : {};
  const embedded = JSON.stringify(output).includes('"$ref"') ? {} : output;
  return { ...ENVELOPE, properties: { ...properties, output: embedded } };
}

const READING = { readOnlyHint: true, openWorldHint: false } as const;

/** Made once: what is made of a schema is remembered with it. */
export const ANY_ENVELOPE = toEnvelopeSchema(undefined);

const FOLLOWING: readonly McpToolDefinition[] = [
  {
    name: "get_run",
    title: "Get a run",
    description: "The state of a run: its output when it has completed, or what it waits for.",
    inputSchema: toJsonSchema(GetRunSchema, "input"),
    outputSchema: ANY_ENVELOPE,
    annotations: READING,
    source: { kind: "runs" },
  },
  {
    name: "answer_review",
    title: "Answer a review",
    description:
      "Decides what a paused run waits for. The first decision wins. Reviews of runs that the person you act for has started are decided at `pending.url`, unless the installation allows it here; requests for input are answered here.",
    inputSchema: toJsonSchema(AnswerReviewSchema, "input"),
    outputSchema: ANY_ENVELOPE,
    annotations: { readOnlyHint: false },
    source: { kind: "runs" },
  },
  {
    name: "cancel_run",
    title: "Cancel a run",
    description: "Stops a run; nothing new starts once this is answered.",
    inputSchema: toJsonSchema(CancelRunSchema, "input"),
    outputSchema: ANY_ENVELOPE,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    source: { kind: "runs" },
  },
];

const LIST_RUNS: McpToolDefinition = {
  name: "list_runs",
  title: "List runs",
  description: "The newest runs of the workflow that this client started.",
  inputSchema: toJsonSchema(ListRunsSchema, "input"),
  outputSchema: toJsonSchema(RunListSchema, "output"),
  annotations: READING,
  source: { kind: "runs" },
};

export interface StartingTool {
  name: string;
  title: string;
  about: string;
  /** JSON Schemas; anything else is taken as "any object" and "any JSON". */
  inputSchema: Json | undefined;
  outputSchema: Json | undefined;
}

/**
 * A tool of a server that was generated earlier, with what is ours of it as it is today: an answer must fit the schema that clients
 * are shown. @returns undefined when there is no such tool any more
 */
export function withOurSchemas(tool: McpToolDefinition, kind: "workflow" | "runs"): McpToolDefinition | undefined {
  if (kind === "runs") return [...FOLLOWING, LIST_RUNS].find(({ name }) => name === tool.name);
  const { properties } = tool.outputSchema;
  const output = isObject(properties) && isObject(properties.output) ? properties.output : undefined;
  return { ...tool, outputSchema: toEnvelopeSchema(output) };
}

/** A tool that starts a run, then the three that follow runs. */
export function withFollowing({ name, title, about, inputSchema, outputSchema }: StartingTool): McpToolDefinition[] {
  return [
    {
      name,
      title,
      description: `${about} Long or paused runs answer with a handle: follow them with get_run; a run that waits for a person shows what is asked in \`pending\`.`,
      inputSchema: isObject(inputSchema) ? { ...inputSchema, type: "object" } : { type: "object" },
      outputSchema: toEnvelopeSchema(isObject(outputSchema) ? outputSchema : undefined),
      annotations: { readOnlyHint: false },
      source: { kind: "workflow" },
    },
    ...FOLLOWING,
  ];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
