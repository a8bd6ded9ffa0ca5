import { JsonObjectSchema } from "@oven/contract";
import { z } from "zod";

/** Says that a run emitted an event that other runs may wait for. */
export const CORRELATED_EVENT = "workflows.event.correlated";

export const CorrelatedEventSchema = z
  .looseObject({
    event: z.string(),
    payload: JsonObjectSchema,
    correlation: z.string(),
    /** The run that emitted it. */
    executionId: z.int(),
  })
  .describe("When a run has emitted an event with a correlation");
