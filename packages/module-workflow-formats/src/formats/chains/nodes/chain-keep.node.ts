import { isOvenError, type Json, JsonSchema, OvenError, readJson } from "@oven/contract";
import { ChainLoopSchema } from "@oven/contract/formats/chains.ts";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { atPath } from "../at-path.ts";
import { loopOf } from "../chain-limits.ts";
import { keepPayload } from "../payloads.ts";

const AnswerSchema = z.looseObject({ object: JsonSchema.optional(), stoppedBy: z.string() });
const ToolsSchema = z.array(z.looseObject({ tool: z.string(), error: z.string().optional() }));
const ItemsSchema = z.looseObject({
  items: z.array(
    z.looseObject({
      index: z.int(),
      input: JsonSchema,
      output: JsonSchema,
      status: z.string(),
      error: z.looseObject({ message: z.string() }).optional(),
    }),
  ),
  failed: z.int(),
});

export const chainKeepNode = defineNode({
  id: "chain.keep",
  version: 1,
  title: "Keep an executor's output",
  docs: [
    "Keeps what an executor of a chain answered: small outputs as they are, large ones beside the run, with a summary and a reference in their place.",
    "",
    "Of a loop over a list it gathers the items; one that failed is CHAIN_ITEMS_FAILED. Of a loop until something holds it says whether to go on.",
    "Chains are compiled to it; see the guide on executor chains.",
  ].join("\n"),
  category: "data",
  kind: "data",
  effect: "idempotent",
  input: z.strictObject({
    place: z.int().nonnegative(),
    executor_id: z.string(),
    result: AnswerSchema.optional().describe("What its agent answered"),
    tools: JsonSchema.optional().describe("The last results of tools"),
    items: ItemsSchema.optional().describe("Of a loop over a list: what came of each"),
    total: z.int().optional().describe("How long the list is"),
    loop: ChainLoopSchema.optional(),
    turn: z.int().positive().default(1),
    inline: z.boolean().default(false).describe("It is one item: the whole list is kept, not each"),
    run_id: z.string().nullable().default(null),
    thread_id: z.string().nullable().default(null),
  }),
  output: z.strictObject({
    output: JsonSchema.describe("The output, or its summary with a reference"),
    again: z.boolean(),
    exhausted: z.boolean(),
  }),
  async run({ input, node, principal, services }) {
    const { executor_id, inline, loop, run_id, thread_id, turn } = input;
    const whole = input.items === undefined ? answerOf(input) : gather(input.items, input.total);
    const { executionId, nodeId, visit, item } = node;
    const output = inline
      ? whole
      : await keepPayload(services.blobs, whole, {
          position: { tenantId: principal.tenantId, executionId, nodeId, visit, item },
          path: `data/users/${thread_id}/workflows/${run_id}/executor_${executor_id}.json`,
        });
    const rule = loop === undefined ? undefined : loopOf({ loop });
    if (rule === undefined) return done({ output, again: false, exhausted: false });
    const isMet = holds(atPath(whole, rule.predicate_path), rule.predicate_value);
    return done({ output, again: !isMet && turn < rule.max_iters, exhausted: !isMet && turn >= rule.max_iters });
  },
});

interface Answered {
  executor_id: string;
  result?: z.output<typeof AnswerSchema> | undefined;
  tools?: unknown;
}

function answerOf({ executor_id, result, tools }: Answered): Json {
  if (result?.stoppedBy === "stopWhen") {
    const parsed = ToolsSchema.safeParse(tools);
    const slow = parsed.success ? parsed.data.findLast(({ error }) => error !== undefined) : undefined;
    throw new OvenError("TOOL_TIMEOUT", slow?.error ?? "A tool did not finish in time", { status: 504 });
  }
  if (result?.object === undefined || result.object === null)
    throw new OvenError("OUTPUT_SCHEMA_MISMATCH", `${executor_id} answered no JSON`, { status: 422 });
  return result.object as Json; // cast: it was checked against the schema
}

/** @throws OvenError CHAIN_ITEMS_FAILED */
function gather({ items, failed }: z.output<typeof ItemsSchema>, total = items.length): Json {
  const first = items.find(({ status }) => status === "failed");
  if (first !== undefined) {
    throw new OvenError(
      "CHAIN_ITEMS_FAILED",
      `${failed} of ${items.length} items failed; the first is item ${first.index}: ${first.error?.message ?? "no reason is known"}`,
      { status: 422, fix: "Resume the run: only what failed is done again." },
    );
  }
  return {
    items: items.map(({ index, input, output, status }) => ({
      index,
      input: input as Json,
      output: output as Json,
      status,
    })), // cast: JSON
    count: items.length,
    total,
    failed,
    truncated: total > items.length,
  };
}

/** Without a value any truthy one ends the loop; with one it is compared as text, or as the JSON it is. */
function holds(found: Json | undefined, wanted: string | null): boolean {
  if (wanted === null) return Boolean(found);
  if (found === undefined) return false;
  return found === wanted || JSON.stringify(found) === compact(wanted);
}

function compact(text: string): string {
  try {
    return JSON.stringify(readJson(text).value);
  } catch (error) {
    if (!(error instanceof SyntaxError || isOvenError(error))) throw error;
    return text;
  }
}
