import { z } from "zod";
import { EventEnvelopeSchema } from "./events.ts";
import { JsonObjectSchema } from "./json.ts";

/** What came of an event at one listener. `pending`: to be tried at `nextAttemptAt`; `failed`: given up. */
export const EventDeliverySchema = z.strictObject({
  listener: z.string(),
  status: z.enum(["pending", "delivered", "failed"]),
  attempts: z.int(),
  lastError: z.string().nullable(),
  nextAttemptAt: z.string(),
  deliveredAt: z.string().nullable(),
});
export type EventDelivery = z.infer<typeof EventDeliverySchema>;

/** An event of the log, with what its listeners made of it. */
export const LoggedEventSchema = z.strictObject({
  ...EventEnvelopeSchema.shape,
  /** The run it tells of. */
  executionId: z.int().nullable(),
  /** When every listener had it, or was given up on. */
  deliveredAt: z.string().nullable(),
  deliveries: z.array(EventDeliverySchema),
});
export type LoggedEvent = z.infer<typeof LoggedEventSchema>;

/** A kind of event that some module emits. */
export const EventTypeSchema = z.strictObject({
  name: z.string(),
  module: z.string(),
  description: z.string(),
  /** JSON Schema of its payload. */
  payloadSchema: JsonObjectSchema,
});
export type EventType = z.infer<typeof EventTypeSchema>;
