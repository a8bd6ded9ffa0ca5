import { z } from "zod";
import { JsonSchema } from "./json.ts";
import { SecretNameSchema, SecretReferenceSchema } from "./secret.ts";

/** A name of an event, or everything below one: `agents-workflow.execution.failed`, `orders.*`. */
export const EventPatternSchema = z
  .string()
  .max(200)
  .regex(/^[a-z][a-z0-9-]*(\.[a-zA-Z0-9_-]+)*(\.\*)?$/, "a name such as agents-workflow.execution.failed, or orders.*");

const editable = {
  name: z.string().trim().min(1).max(200),
  /** Where events are posted to: http or https, public unless the operator allows the origin. */
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  events: z.array(EventPatternSchema).min(1).max(50),
  /** Name of a secret that is bound to no host; its value is the key of the signature. */
  secret: SecretNameSchema,
  /** More headers, as `core.http` takes them. */
  headers: z.record(
    z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "a header's name"),
    z.union([z.string().max(2_000), SecretReferenceSchema]),
  ),
  enabled: z.boolean(),
};

/** Events that are posted, signed, to another service. */
export const EventSubscriptionSchema = z.strictObject({
  id: z.int().positive(),
  ...editable,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type EventSubscription = z.infer<typeof EventSubscriptionSchema>;

/** The body of `POST /api/event-subscriptions`. */
export const CreateEventSubscriptionSchema = z.strictObject({
  name: editable.name,
  url: editable.url,
  events: editable.events,
  secret: editable.secret,
  headers: editable.headers.default({}),
  enabled: editable.enabled.default(true),
});
export type CreateEventSubscription = z.infer<typeof CreateEventSubscriptionSchema>;

/** The body of `PUT /api/event-subscriptions/[id]`. */
export const UpdateEventSubscriptionSchema = z.strictObject({
  name: editable.name.optional(),
  url: editable.url.optional(),
  events: editable.events.optional(),
  secret: editable.secret.optional(),
  headers: editable.headers.optional(),
  enabled: editable.enabled.optional(),
  // What else a row holds may be sent back and is ignored.
  id: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
});
export type UpdateEventSubscription = z.infer<typeof UpdateEventSubscriptionSchema>;

/** One event on its way to a subscription. `dead`: given up after several attempts; it can be repeated by hand. */
export const SubscriptionDeliverySchema = z.strictObject({
  id: z.int().positive(),
  subscriptionId: z.int().positive(),
  /** The header `webhook-id`: the same at every attempt, so that the receiver can tell. */
  messageId: z.string(),
  event: z.string(),
  payload: JsonSchema,
  status: z.enum(["pending", "delivered", "dead"]),
  attempts: z.int(),
  /** What the receiver answered last; null: nothing. */
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  nextAttemptAt: z.string().nullable(),
  /** The delivery that this one repeats. */
  replayOf: z.int().nullable(),
  createdAt: z.string(),
  deliveredAt: z.string().nullable(),
});
export type SubscriptionDelivery = z.infer<typeof SubscriptionDeliverySchema>;
