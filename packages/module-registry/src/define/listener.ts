import type { EventEnvelope, NewEvent } from "@oven/contract";
import type { ServiceMap } from "./services.ts";

/** Runs after the outbox delivered the event; a throw is recorded and the delivery tried again. */
export type Listener = (event: EventEnvelope, services: ServiceMap) => Promise<void>;

/** Of the run that an event tells of, what whoever writes it knows beyond the payload. */
export interface EventRun {
  /** Null: it is no part of another run. */
  parentId: number | null;
  /** Null: it is no agent's. */
  agentId: number | null;
  /** What started it, such as `chat`; null: nothing in particular. */
  triggerEvent: string | null;
}

/** An event as it is when it is about to be written. */
export interface UnwrittenEvent extends NewEvent {
  /** Absent: the event tells of no run, or its writer does not know it. */
  run?: EventRun;
}

/**
 * A listener that most events of its name do not concern. An event that concerns no listener is written as delivered, and nobody
 * is woken for it; one that concerns any is delivered to all that take its name, so `handle` still looks for itself.
 */
export interface SelectiveListener {
  handle: Listener;
  /**
   * Asked as the event is written, perhaps in another process than the one that would deliver it: from memory alone, at once. False
   * is final, and must be sure; whoever does not know says true.
   */
  concerns(event: UnwrittenEvent): boolean;
}
