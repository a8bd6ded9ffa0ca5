import { z } from "zod";
import { JsonObjectSchema, JsonSchema } from "./json.ts";

/** Stored test inputs of one workflow. */
export const MAX_SAVED_INPUTS = 100;
/** Pinned outputs of one workflow. */
export const MAX_PINS = 500;
/** Of everything that is kept for one workflow, as JSON; bytes. */
export const TEST_DATA_LIMIT = 2 * 1_048_576;

const name = z.string().trim().min(1).max(100);
const stateId = z.string().min(1).max(64);

/** An output that stands in for the call of a node in test runs. */
export const PinnedOutputSchema = z.strictObject({
  output: JsonSchema,
  /** What it was made from, as the editor says it: another text means that it is stale. */
  basis: z.string().max(100),
});
export type PinnedOutput = z.infer<typeof PinnedOutputSchema>;

/** What the editors of a workflow test it with; no part of the workflow. */
export const TestDataSchema = z.strictObject({
  /** By name. */
  inputs: z.record(name, JsonObjectSchema),
  /** By state id. */
  pins: z.record(stateId, PinnedOutputSchema),
});
export type TestData = z.infer<typeof TestDataSchema>;

/** Of `PATCH …/[id]/test-data`: what is named is set, or with null taken away; the rest stays. */
export const ChangeTestDataSchema = z.strictObject({
  inputs: z.record(name, JsonObjectSchema.nullable()).optional(),
  pins: z.record(stateId, PinnedOutputSchema.nullable()).optional(),
});
export type ChangeTestData = z.infer<typeof ChangeTestDataSchema>;
