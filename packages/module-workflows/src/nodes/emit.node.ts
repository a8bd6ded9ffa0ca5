import { JsonSchema, OvenError } from "@oven/contract";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { CORRELATED_EVENT } from "../correlation/correlated-event.ts";

/** Names that tell of the engine's own doings; a graph may not forge them. */
const RESERVED = /^(workflows|agents-workflow|notifications)\./;

export const emitNode = defineNode({
  id: "core.emit",
  version: 1,
  title: "Emit event",
  synonyms: ["event", "publish", "notify"],
  docs: [
    "Emits a domain event once this node is recorded. Listeners and triggers get it at least once.",
    "",
    "With `correlation` it also reaches every run of the tenant that waits for the event at that moment: core.waitForEvent with the same correlation (or none), and `on` handlers, whose guards can read `event.correlation`. It is not kept for runs that begin to wait later.",
  ].join("\n"),
  category: "core",
  kind: "flow",
  effect: "idempotent",
  input: z.strictObject({
    event: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "a name such as orders.order.delayed"),
    payload: z.record(z.string(), JsonSchema).default({}),
    correlation: z
      .union([z.string().min(1).max(200), z.number()])
      .optional()
      .describe("Such as an order number: wakes the runs that wait for the event with it"),
  }),
  output: z.strictObject({ emitted: z.string() }),
  async run({ input, node, emit }) {
    if (RESERVED.test(input.event)) {
      throw new OvenError("RESERVED_EVENT", `${input.event} belongs to the platform`, {
        path: "$.event",
        fix: "Choose another first part.",
      });
    }
    emit(input.event, input.payload);
    if (input.correlation !== undefined) {
      const correlation = String(input.correlation);
      emit(CORRELATED_EVENT, {
        event: input.event,
        payload: input.payload,
        correlation,
        executionId: node.executionId,
      });
    }
    return done({ emitted: input.event });
  },
});
