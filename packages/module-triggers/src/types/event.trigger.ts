import { defineTrigger } from "@oven/module-registry";
import { z } from "zod";

/** A name, or everything below one. `*` alone would take what its own runs say, too. */
const PatternSchema = z
  .string()
  .max(200)
  .regex(/^[a-z][a-z0-9-]*(\.[a-zA-Z0-9_-]+)*(\.\*)?$/, "a name such as agents-workflow.execution.failed, or orders.*");

export const eventTrigger = defineTrigger({
  id: "event",
  title: "Event",
  docs: "Starts when something happens in OVEN; the event's payload arrives.",
  config: z.strictObject({
    events: z.array(PatternSchema).min(1).max(50).describe("Names of events; a.b.* takes everything below"),
  }),
  sample: { id: 1, workflowId: 1 },
  events: ({ events }) => events,
});
