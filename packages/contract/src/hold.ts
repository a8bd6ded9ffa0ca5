import { z } from "zod";
import { ExecutionKindSchema } from "./execution.ts";

const ReasonSchema = z.string().trim().max(2_000);

/** What begins no new step until it is let go on: a run with its children, the runs of a workflow, or all runs of the tenant. */
export const HoldSchema = z.strictObject({
  id: z.int().positive(),
  executionId: z.int().nullable().describe("The run at the top of its family; null: it is not about one run"),
  workflow: z
    .strictObject({ kind: ExecutionKindSchema, id: z.int(), name: z.string() })
    .nullable()
    .describe("Null: it is not about one workflow. With neither a run nor a workflow: all runs of the tenant"),
  reason: z.string().nullable(),
  heldBy: z.int().nullable(),
  heldByName: z.string().nullable(),
  createdAt: z.string(),
});
export type Hold = z.infer<typeof HoldSchema>;

/** The body of `POST /api/holds`. */
export const NewHoldSchema = z
  .strictObject({
    executionId: z.int().positive().optional(),
    workflow: z.strictObject({ kind: ExecutionKindSchema, id: z.int().positive() }).optional(),
    all: z.literal(true).optional(),
    reason: ReasonSchema.optional(),
  })
  .refine(
    ({ executionId, workflow, all }) =>
      [executionId, workflow, all].filter((given) => given !== undefined).length === 1,
    "give one of `executionId`, `workflow` and `all`",
  );
export type NewHold = z.infer<typeof NewHoldSchema>;
