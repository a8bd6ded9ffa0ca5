import { OvenError } from "@oven/contract";
import { DurationSchema } from "@oven/contract/workflow";
import { parseDuration } from "@oven/engine";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { writtenTime } from "../worst-case/written-time.ts";

const MAX_DELAY_MS = 366 * 86_400_000;
const TOO_LONG = "A delay may last at most 366 days";

export const delayNode = defineNode({
  id: "core.delay",
  version: 1,
  title: "Delay",
  synonyms: ["wait", "sleep", "pause", "timer"],
  docs: "Waits, without holding a worker and across restarts. `ms` is milliseconds or an ISO-8601 duration such as `PT15M`; at most 366 days.",
  category: "core",
  kind: "flow",
  effect: "pure",
  isWait: true,
  input: z.strictObject({
    ms: DurationSchema.refine((ms) => parseDuration(ms) <= MAX_DELAY_MS, TOO_LONG).describe(
      "Milliseconds, or a duration such as PT15M",
    ),
  }),
  output: z.strictObject({ until: z.string() }),
  // One that only the run knows is refused beyond that.
  ceiling: ({ input }) => ({
    perVisit: { waiting: writtenTime(input.ms, { code: "computed" }) },
    longestWait: MAX_DELAY_MS,
  }),
  async run({ input, now }) {
    const milliseconds = parseDuration(input.ms);
    if (milliseconds > MAX_DELAY_MS) throw new OvenError("DELAY_TOO_LONG", TOO_LONG, { path: "$.ms" });
    const dueAt = new Date(now() + milliseconds).toISOString();
    return { type: "wait", for: "timer", request: { dueAt } };
  },
  async resume(_context, signal) {
    if (signal.type !== "timer") throw new OvenError("UNEXPECTED_SIGNAL", `A delay cannot be woken by ${signal.type}`);
    return done({ until: signal.dueAt });
  },
});
