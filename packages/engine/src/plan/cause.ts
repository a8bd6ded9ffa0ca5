import type { Json, JsonObject } from "@oven/contract";
import type { Spend } from "@oven/contract/node";
import { isObject } from "../expressions/json-access.ts";
import type { ContextSnapshot } from "../store.ts";
import type { PlanEvent, UnitKey } from "./plan-types.ts";
import type { RunState } from "./run-state.ts";
import type { Seed } from "./seed.ts";

/**
 * What a move was made of, as the log keeps it beside the move's first entry. Outcomes and patches are in the rows and the
 * log already, messages from outside in the signal table: a cause refers to them. With these a run can be gone through
 * again, move by move.
 */
export type Cause =
  | { t: "start"; config?: JsonObject }
  | { t: "clock" | "takeover" | "resumed" }
  /** A run taken over from another one, with the context it begins with. */
  | { t: "seed"; context: ContextSnapshot; seed: Seed; config?: JsonObject }
  /** `own`: how many ops of the entry's patch the node wrote itself. */
  | ({ t: "done"; own?: number; spend?: Spend; stop?: Json } & UnitCause)
  | ({ t: "wait"; wait: Json; spend?: Spend } & UnitCause)
  | ({ t: "failed"; failure: Json; discard?: true } & UnitCause)
  | ({ t: "starting" } & UnitCause)
  /**
   * The run was moved to another version of its workflow. `replay`: as it stands from here on; null: its log keeps no causes. `before`: what
   * undoing it restores.
   */
  | { t: "migrated"; replay: { state: RunState; context: ContextSnapshot } | null; before: Json }
  /** A message from the signal table. */
  | { t: "signal"; id: number };

interface UnitCause {
  n: string;
  v: number;
  a: number;
  i?: string;
}

export function toCause(event: PlanEvent, ownOps: number): Cause | undefined {
  switch (event.type) {
    case "done": {
      const { spend, stop } = event.result;
      return {
        t: "done",
        ...toUnitCause(event.unit),
        ...(ownOps > 0 ? { own: ownOps } : {}),
        ...(spend ? { spend } : {}),
        ...(stop ? { stop } : {}),
      };
    }
    case "wait": {
      const { unit, wait, spend } = event;
      return { t: "wait", ...toUnitCause(unit), wait: wait as Json, ...(spend ? { spend } : {}) }; // cast: a wait is JSON
    }
    case "failed": {
      const { error, retryable, retryAfterMs } = event.failure;
      const failure: JsonObject = {
        error: error as unknown as Json, // cast: an ErrorInfo is JSON
        retryable,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      };
      return { t: "failed", ...toUnitCause(event.unit), failure, ...(event.discardText ? { discard: true } : {}) };
    }
    case "starting":
      return { t: "starting", ...toUnitCause(event.unit) };
    case "clock":
    case "takeover":
    case "resumed":
      return { t: event.type };
    case "decision":
    case "note":
    case "event":
    case "child":
    case "cancel":
      return event.signalId === undefined ? undefined : { t: "signal", id: event.signalId };
  }
}

function toUnitCause({ nodeId, visit, item, attempt }: UnitKey): UnitCause {
  return { n: nodeId, v: visit, a: attempt, ...(item === null ? {} : { i: item }) };
}

/** The context that a run taken over from another one began with; null for every other run. */
export function seedOf(cause: Json | undefined): ContextSnapshot | null {
  if (!isObject(cause) || cause.t !== "seed") return null;
  return cause.context as unknown as ContextSnapshot; // cast: written by `planSeeded`
}

/** What the log says of a move that has nothing else to say. */
export function describeMove(event: PlanEvent): string {
  switch (event.type) {
    case "starting":
      return `The call of ${event.unit.nodeId} begins`;
    case "clock":
      return "What was waited for has come";
    default:
      return `The run has moved on: ${event.type}`;
  }
}
