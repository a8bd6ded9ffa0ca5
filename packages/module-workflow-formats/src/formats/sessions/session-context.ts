import type { Json } from "@oven/contract";

/*
 * A run of a session graph keeps its state under one key of its context, so that no output of a step, whatever keys it has,
 * stands in its way.
 */

/** Besides the document's words: `none` was never active, `follow` is complete with its paths still to be followed. */
export type InnerStatus = "none" | "follow" | "active" | "pending" | "complete" | "error" | "awaiting_input";

export interface SessionContext {
  steps: Record<string, InnerStatus>;
  outputs: Record<string, Json[]>;
  errors: Record<string, string>;
  messages: Json[];
  /** Steps that are to start, in their order. */
  queue: string[];
  /** Grows with each result and each write: tells whether the session is still as somebody saw it. */
  moves: number;
  /** The newest writes. */
  written: string[];
  /** When it was last written, in seconds since 1970; 0: never. */
  written_at: number;
}

export const CONTEXT_KEY = "session_graph";
/** Sent to a run to put another state in the place of its own. */
export const WRITE_EVENT = "session.write";

export const contextPath = (key: keyof SessionContext, step?: string): string =>
  `$.${CONTEXT_KEY}.${key}${step === undefined ? "" : `[${JSON.stringify(step)}]`}`;

/** Before anything has run. */
export function freshContext(steps: readonly string[]): SessionContext {
  const of = <T>(value: (step: string) => T) => Object.fromEntries(steps.map((step) => [step, value(step)]));
  return {
    steps: of((step) => (step === "root" ? "active" : "none")),
    outputs: of(() => []),
    errors: of(() => ""),
    messages: [],
    queue: ["root"],
    moves: 0,
    written: [],
    written_at: 0,
  };
}
