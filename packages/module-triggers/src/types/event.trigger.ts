import { EventPatternSchema } from "@oven/contract/trigger";
import { defineTrigger } from "@oven/module-registry";
import { z } from "zod";

export const eventTrigger = defineTrigger({
  id: "event",
  title: "Event",
  docs: "Starts when something happens in OVEN; the event's payload arrives.",
  config: z.strictObject({
    events: z.array(EventPatternSchema).min(1).max(50).describe("Names of events; a.b.* takes everything below"),
  }),
  sample: { id: 1, workflowId: 1 },
  events: ({ events }) => events,
});
