import { JsonObjectSchema, JsonSchema } from "@oven/contract";
import type { ToolCallRecord } from "@oven/contract/node";
import { ToolCallRecordSchema } from "@oven/contract/node";
import type { NodeContext } from "@oven/module-registry";
import { z } from "zod";

/** What is wrong with a program, as the model reads it. */
export const ProblemSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  line: z.int().optional(),
  traceback: z.string().optional(),
});
export type Problem = z.infer<typeof ProblemSchema>;

/** The calls at which a program waited at one time, with what they answered. */
const BatchSchema = z.array(ToolCallRecordSchema);

const AskedCallSchema = z.strictObject({ tool: z.string(), arguments: JsonSchema });
/** The calls of one time, as the program has written them. */
const AskedSchema = z.array(AskedCallSchema);
export type AskedCall = z.infer<typeof AskedCallSchema>;

/** What the step knows between its parts; `agent.code` writes it, and its inner steps read it. */
export const CodePlaceSchema = z.looseObject({
  program: z.string().nullable(),
  /** Whether a model has written it, and may write it again. */
  isWritten: z.boolean(),
  inputs: JsonObjectSchema,
  /** How often the model has corrected it. */
  corrections: z.number(),
  problem: ProblemSchema.nullable(),
  /** Calls of programs before this one. */
  made: z.number(),
  /** Answers to this program. */
  batches: z.array(BatchSchema),
  /** Answers to programs before this one. */
  earlier: z.array(z.array(BatchSchema)),
  /** What this program asked for, and what those before it did: a person may have changed what was called. */
  asked: z.array(AskedSchema).default([]),
  earlierAsked: z.array(z.array(AskedSchema)).default([]),
});
export type CodePlace = z.infer<typeof CodePlaceSchema>;

/** Input of the inner steps. */
export const placeInput = {
  at: z.string().min(1).max(500).describe("The path at which the step around it keeps what it knows"),
};

export function readPlace({ input, read }: Pick<NodeContext<{ at: string }>, "input" | "read">): CodePlace {
  return CodePlaceSchema.parse(read(input.at) ?? null);
}

/** All calls that were made for the step, in their order. */
export function madeCalls({ earlier, batches }: CodePlace): ToolCallRecord[] {
  return [...earlier.flat(2), ...batches.flat()];
}

/** Where a program stands, as the step that ran it has answered. */
export const StandSchema = z.strictObject({
  status: z.enum(["calls", "result", "failed"]),
  /** The program's own state while it waits: for the sandbox alone. */
  session: z.string().optional(),
  /** The functions that the program began with. */
  functions: z
    .array(z.strictObject({ name: z.string(), tool: z.string(), parameters: z.array(z.string()) }))
    .optional(),
  /** Calls at which the program waits. */
  open: z.int().positive().optional(),
  asked: AskedSchema.optional().describe("The calls at which the program waits"),
  repeated: BatchSchema.optional().describe(
    "Those of them that an earlier program has made: they are answered from its record",
  ),
  result: JsonSchema.optional(),
  problem: ProblemSchema.optional(),
  /** Calls so far, of all programs of the step. */
  made: z.int().nonnegative(),
  logs: z.array(z.string()).describe("The lines that this part has printed"),
});
export type Stand = z.infer<typeof StandSchema>;
