import type { Json, JsonObject } from "@oven/contract";
import type { ErrorInfo } from "@oven/contract/run";
import type { CompiledGuard } from "../expressions/guard.ts";
import type { CompiledAction } from "./action.ts";
import type { StateInfo } from "./state-info.ts";

/** What is delivered to the machine. XState adds its own `xstate.init` and `xstate.done.state.*`. */
export type MachineEvent =
  | { type: `oven.done.${string}`; output: Json }
  | { type: `oven.error.${string}`; error: ErrorInfo }
  /** An event from outside, as `on` sees it. */
  | { type: `oven.event.${string}`; external: JsonObject }
  /** A timer of `after`: the state's id, then the key as written. */
  | { type: `oven.after.${string}` }
  /** A loop goes on with its next iteration, or is over. */
  | { type: `oven.next.${string}` | `oven.end.${string}` }
  /** A step is undone: the step's id. */
  | { type: `oven.undo.${string}` };

/** XState's own events carry nothing; the frame looks the output up. */
export interface DeliveredEvent {
  type: string;
  output?: Json;
  error?: ErrorInfo;
  external?: JsonObject;
}

/**
 * What the compiled machine calls while it moves. One frame lives for one plan; it is the machine's `context`, so
 * that guards and actions see what earlier actions of the same macrostep wrote.
 */
export interface MachineFrame {
  /** False for everything once an expression failed: the macrostep comes to rest where it is. */
  test(guard: CompiledGuard | undefined, owner: StateInfo, event: DeliveredEvent): boolean;
  /** Whether junctions may be left: not while an error is delivered that nothing has taken. */
  mayGoOn(): boolean;
  act(action: CompiledAction, owner: StateInfo, event: DeliveredEvent): void;
  enter(state: StateInfo): void;
  leave(state: StateInfo): void;
  /** An `onError` of `owner` was taken. */
  handleError(owner: StateInfo, event: DeliveredEvent): void;
  /** An `onDone` of the parallel state `owner` was taken. */
  completeParallel(owner: StateInfo): void;
  /** No guard of `owner`'s `onDone` passed. */
  noTransition(owner: StateInfo): void;
  /** Whether `owner` may take an outside event: not when a node inside it was waiting for it. */
  mayTake(owner: StateInfo): boolean;
  /** An `on` of `owner` was taken. */
  takeEvent(owner: StateInfo, event: DeliveredEvent): void;
  /** An error ended one iteration of `loop`, which goes on (`continueOnError`). */
  failIteration(loop: StateInfo, event: DeliveredEvent): void;
}

export interface MachineContext {
  frame: MachineFrame;
}
