import type { ErrorInfo, Json } from "@oven/contract";
import type { CompiledGuard } from "../expressions/guard.ts";
import type { CompiledAction } from "./action.ts";
import type { StateInfo } from "./state-info.ts";

/** What is delivered to the machine. XState adds its own `xstate.init` and `xstate.done.state.*`. */
export type MachineEvent =
  | { type: `oven.done.${string}`; output: Json }
  | { type: `oven.error.${string}`; error: ErrorInfo };

/** XState's own events carry neither; the frame looks the output up. */
export interface DeliveredEvent {
  type: string;
  output?: Json;
  error?: ErrorInfo;
}

/**
 * What the compiled machine calls while it moves. One frame lives for one plan; it is the machine's `context`, so
 * that guards and actions see what earlier actions of the same macrostep wrote.
 */
export interface MachineFrame {
  /** False for everything once an expression failed: the macrostep comes to rest where it is. */
  test(guard: CompiledGuard | undefined, owner: StateInfo, event: DeliveredEvent): boolean;
  act(action: CompiledAction, owner: StateInfo, event: DeliveredEvent): void;
  enter(state: StateInfo): void;
  leave(state: StateInfo): void;
  /** An `onError` of `owner` was taken. */
  handleError(owner: StateInfo, event: DeliveredEvent): void;
  /** An `onDone` of the parallel state `owner` was taken. */
  completeParallel(owner: StateInfo): void;
  /** No guard of `owner`'s `onDone` passed. */
  noTransition(owner: StateInfo): void;
}

export interface MachineContext {
  frame: MachineFrame;
}
