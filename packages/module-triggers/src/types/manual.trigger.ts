import { defineTrigger } from "@oven/module-registry";
import { z } from "zod";

export const manualTrigger = defineTrigger({
  id: "manual",
  title: "By hand",
  docs: "Starts when somebody fires it, from the dashboard or by POST /api/triggers/[id]/fire.",
  config: z.strictObject({}),
  sample: {},
});
