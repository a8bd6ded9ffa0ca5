import { OvenError } from "@oven/contract";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";

export const waitUntilNode = defineNode({
  id: "core.waitUntil",
  version: 1,
  title: "Wait until",
  synonyms: ["wait", "date", "sleep", "pause"],
  docs: "Waits until an instant, without holding a worker and across restarts. `until` is an ISO-8601 instant with its zone, such as `2026-01-31T09:00:00Z`; one that has passed goes on at once.",
  category: "core",
  kind: "flow",
  effect: "pure",
  isWait: true,
  input: z.strictObject({
    until: z.iso.datetime({ offset: true }).describe("An instant such as 2026-01-31T09:00:00+01:00"),
  }),
  output: z.strictObject({ until: z.string() }),
  ceiling: () => ({ perVisit: { waiting: { code: "computed" } } }),
  async run({ input }) {
    return { type: "wait", for: "timer", request: { dueAt: new Date(input.until).toISOString() } };
  },
  async resume(_context, signal) {
    if (signal.type !== "timer")
      throw new OvenError("UNEXPECTED_SIGNAL", `Waiting for an instant cannot be ended by ${signal.type}`);
    return done({ until: signal.dueAt });
  },
});
