import { JsonSchema, OvenError } from "@oven/contract";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";

/** Names that tell of the engine's own doings; a graph may not forge them. */
const RESERVED = /^(workflows|agents-workflow)\./;

export const emitNode = defineNode({
  id: "core.emit",
  version: 1,
  title: "Emit event",
  docs: "Emits a domain event once this node is recorded. Listeners and triggers get it at least once.",
  category: "core",
  kind: "flow",
  effect: "idempotent",
  input: z.strictObject({
    event: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "a name such as orders.order.delayed"),
    payload: z.record(z.string(), JsonSchema).default({}),
  }),
  output: z.strictObject({ emitted: z.string() }),
  async run({ input, emit }) {
    if (RESERVED.test(input.event)) {
      throw new OvenError("RESERVED_EVENT", `${input.event} belongs to the platform`, {
        path: "$.event",
        fix: "Choose another first part.",
      });
    }
    emit(input.event, input.payload);
    return done({ emitted: input.event });
  },
});
