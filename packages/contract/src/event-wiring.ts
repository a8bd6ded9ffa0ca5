import { z } from "zod";
import { GuardSchema } from "./definition.ts";
import { EventPatternSchema } from "./event-subscription.ts";
import { JsonSchema } from "./json.ts";

const editable = {
  name: z.string().trim().min(1).max(200),
  event: EventPatternSchema,
  /** The node that acts: a module's action such as `orders.orders.create`, or any other node. */
  action: z.string().min(1).max(200),
  /** Decides on each event; its payload is `$.trigger`, its keys `$.key`. null: always. */
  condition: GuardSchema.nullable(),
  /** The action's input; `$.trigger.key` reads the event's payload. */
  input: z.record(z.string(), JsonSchema),
  enabled: z.boolean(),
};

/** An event that makes an action happen. It runs as a workflow of one step, started by a trigger. */
export const EventWiringSchema = z.strictObject({
  id: z.int().positive(),
  ...editable,
  /** null: its workflow was drawn anew, and is none of one step any more. */
  action: editable.action.nullable(),
  /** The trigger that starts it; its log says what arrived. */
  triggerId: z.int().positive(),
  /** The workflow of one step. */
  workflowId: z.int().positive(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type EventWiring = z.infer<typeof EventWiringSchema>;

/** The body of `POST /api/event-wirings`. */
export const CreateEventWiringSchema = z.strictObject({
  name: editable.name,
  event: editable.event,
  action: editable.action,
  condition: editable.condition.default(null),
  input: editable.input.default({}),
  enabled: editable.enabled.default(true),
});
export type CreateEventWiring = z.infer<typeof CreateEventWiringSchema>;

/** The body of `PUT /api/event-wirings/[id]`. */
export const UpdateEventWiringSchema = z.strictObject({
  name: editable.name.optional(),
  event: editable.event.optional(),
  action: editable.action.optional(),
  condition: editable.condition.optional(),
  input: editable.input.optional(),
  enabled: editable.enabled.optional(),
  // What else a row holds may be sent back and is ignored.
  id: z.unknown().optional(),
  triggerId: z.unknown().optional(),
  workflowId: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
});
export type UpdateEventWiring = z.infer<typeof UpdateEventWiringSchema>;
