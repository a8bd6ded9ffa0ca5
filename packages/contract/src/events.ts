import { z } from "zod";
import { JsonObjectSchema } from "./json.ts";
import { ActorSchema } from "./principal.ts";

/** A domain event as the outbox keeps and delivers it: at least once, in order per run. */
export const EventEnvelopeSchema = z.strictObject({
  id: z.int().positive(),
  name: z.string(),
  at: z.string(),
  tenantId: z.int(),
  actor: ActorSchema,
  payload: JsonObjectSchema,
});
export type EventEnvelope = z.infer<typeof EventEnvelopeSchema>;

/** An event about to be written. `orderKey` (usually `execution:<id>`) fixes the order of delivery. */
export interface NewEvent {
  name: string;
  tenantId: number;
  actor: z.infer<typeof ActorSchema>;
  payload: z.infer<typeof JsonObjectSchema>;
  orderKey?: string;
}
