import { z } from "zod";
import { JsonObjectSchema } from "./json.ts";

/** The body of `POST programs/graph`: a program of an agent.code step, which becomes a graph. */
export const ProgramGraphRequestSchema = z.strictObject({
  /** The workflow with the step: its tools, inputs and settings count. */
  definition: JsonObjectSchema,
  stateId: z.string().min(1).max(500),
  /** What a model has written; left out: the step's own `code`. */
  program: z.string().min(1).max(262_144).optional(),
});

/** What a person should know of a graph that was made of a program. `line` is counted from 1 in the program. */
export const ProgramNoteSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("code").describe("This step computes with code"),
    state: z.string(),
    line: z.int(),
  }),
  z.strictObject({
    kind: z.literal("program").describe("This step stays a program that calls tools"),
    state: z.string(),
    line: z.int(),
  }),
  z.strictObject({
    kind: z
      .literal("numbers")
      .describe("Numbers such as 5.0 reach the next step as 5, and the program writes numbers as texts"),
    line: z.int(),
  }),
]);
export type ProgramNote = z.infer<typeof ProgramNoteSchema>;

/** A program as a graph: the definition of a workflow of its own, which is not stored. */
export const ProgramGraphSchema = z.strictObject({
  definition: JsonObjectSchema,
  /** Calls that are steps of their own. */
  calls: z.int().nonnegative(),
  notes: z.array(ProgramNoteSchema),
});
export type ProgramGraph = z.infer<typeof ProgramGraphSchema>;
