import { JsonSchema, OvenError } from "@oven/contract";
import { OutsideEventNameSchema } from "@oven/contract/run";
import { DurationSchema } from "@oven/contract/workflow";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { writtenTime } from "../worst-case/written-time.ts";
import { toInstant } from "./to-instant.ts";

export const waitForEventNode = defineNode({
  id: "core.waitForEvent",
  version: 1,
  title: "Wait for event",
  synonyms: ["wait", "signal", "callback", "webhook", "resume"],
  docs: "Waits for an event from outside, sent by `POST …-executions/[id]/events`. With `correlation` only an event that carries the same one counts. When `deadline` passes first, it fails with `WAIT_TIMEOUT`, which `onError` can take.",
  category: "core",
  kind: "flow",
  effect: "pure",
  isWait: true,
  input: z.strictObject({
    event: OutsideEventNameSchema.describe("Name of the event, such as orders.paid"),
    correlation: z
      .union([z.string().max(200), z.number()])
      .optional()
      .describe("What the event's correlation must be, such as an order number"),
    deadline: z
      .union([DurationSchema, z.iso.datetime({ offset: true })])
      .optional()
      .describe("Milliseconds or a duration such as P1D from now on, or an instant"),
  }),
  output: z.strictObject({ event: z.string(), payload: JsonSchema }),
  ceiling: ({ input }) => ({ perVisit: { waiting: writtenTime(input.deadline, { code: "no-deadline" }) } }),
  async run({ input: { event, correlation, deadline }, now }) {
    return {
      type: "wait",
      for: "event",
      request: {
        event,
        correlation: correlation === undefined ? null : String(correlation),
        dueAt: deadline === undefined ? null : toInstant(deadline, now()),
      },
    };
  },
  async resume(_context, signal) {
    if (signal.type !== "event")
      throw new OvenError("UNEXPECTED_SIGNAL", `Waiting for an event cannot be ended by ${signal.type}`);
    return done({ event: signal.event, payload: signal.payload });
  },
});
