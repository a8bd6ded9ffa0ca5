import type { EventEnvelope, NewEvent } from "@oven/contract";
import type { ServiceMap } from "./services.ts";

/** Runs after the outbox delivered the event; a throw is recorded and the delivery tried again. */
export type Listener = (event: EventEnvelope, services: ServiceMap) => Promise<void>;

/** Facts about an event's run that its writer knows beyond the payload. */
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
 * A listener that ignores most events of its name. An event without a matching listener is written as delivered, and no process is woken; one
 * with a match is delivered to all listeners of its name, so `handle` must check again.
 */
export interface SelectiveListener {
  handle: Listener;
  /**
   * Called when the event is written, perhaps in another process than the one that delivers it. It answers from memory. False is final; when in
   * doubt, return true.
   */
  concerns(event: UnwrittenEvent): boolean;
}
