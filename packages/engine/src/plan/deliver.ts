import type { ErrorInfo } from "@oven/contract/run";
import { MAX_EVENTLESS_MOVES } from "../compile/machine.ts";
import type { MachineEvent } from "../compile/machine-frame.ts";
import type { StateInfo } from "../compile/state-info.ts";
import { toErrorInfo } from "./error-info.ts";
import type { Frame } from "./frame.ts";
import { toStoredHistory } from "./history.ts";
import { moveMachine, type Rest, startMachine } from "./kernel.ts";
import { MAX_ITERATIONS_AT_ONCE } from "./limits.ts";
import { findLoop, hasNext } from "./loops.ts";

/** Enters the definition's initial state and settles what follows at once. */
export function start(frame: Frame): void {
  step(frame, () => startMachine(frame.compiled.machine, { frame }));
  settle(frame);
}

/** Hands one event to the machine and settles what follows at once. */
export function deliver(frame: Frame, event: MachineEvent): void {
  move(frame, event);
  settle(frame);
}

/** Routes an error: the state's `onError`, else that of the states around it, else the run fails. */
export function deliverError(frame: Frame, stateId: string, error: ErrorInfo): void {
  raise(frame, stateId, error);
  settle(frame);
}

/** What waits for the machine to be at rest: failures first, then loops that stand before an iteration. */
export function settle(frame: Frame): void {
  while (!frame.end) {
    const failure = frame.failures.shift();
    const loop = failure ? undefined : frame.loopsDue.shift();
    if (failure) raise(frame, failure.stateId, failure.error);
    else if (loop) advance(frame, loop);
    else return;
  }
}

function raise(frame: Frame, stateId: string, error: ErrorInfo): void {
  frame.deliveringError = error;
  move(frame, { type: `oven.error.${stateId}`, error });
  frame.deliveringError = null;
  if (!frame.handled) frame.fail(error, outcomeOf(error));
}

function advance(frame: Frame, loop: StateInfo): void {
  const run = findLoop(frame, loop.id);
  if (!run) return;
  frame.iterations += 1;
  if (frame.iterations > MAX_ITERATIONS_AT_ONCE) {
    const message = `More than ${MAX_ITERATIONS_AT_ONCE} iterations in one move; let a node run in the loop ${loop.id}`;
    frame.fail({ code: "TRANSITION_LIMIT", nodeId: loop.id, message }, "limit");
    return;
  }
  let more: boolean;
  try {
    more = hasNext(frame, loop, run);
  } catch (cause) {
    raise(frame, loop.id, toErrorInfo(cause, loop.id));
    return;
  }
  if (more) {
    run.index += 1;
    run.last = null;
  }
  move(frame, { type: `oven.${more ? "next" : "end"}.${loop.id}` });
}

function move(frame: Frame, event: MachineEvent): void {
  const { value, history = {} } = frame.state;
  step(frame, () => moveMachine(frame.compiled.machine, { value, history }, { frame }, event));
}

function step(frame: Frame, run: () => Rest): void {
  frame.reset();
  try {
    const rest = run();
    frame.state.value = rest.value;
    if (Object.keys(rest.history).length > 0) frame.state.history = toStoredHistory(frame.compiled, rest.history);
    if (rest.done && !frame.end && !frame.deliveringError) finishRoot(frame);
  } catch (cause) {
    if (cause instanceof Error && cause.message.startsWith("Infinite loop detected")) {
      const message = `More than ${MAX_EVENTLESS_MOVES} moves without an event; an always cycle never comes to rest`;
      frame.fail({ code: "TRANSITION_LIMIT", nodeId: null, message }, "limit");
    } else frame.fail(toErrorInfo(cause, null));
  }
}

/** A root parallel ends when every region has; its finals are not the root's own. */
function finishRoot(frame: Frame): void {
  if (frame.failures.length > 0) return;
  const { root } = frame.compiled;
  frame.end = { status: "completed", outcome: null, output: frame.parallelOutput(root), error: null };
}

function outcomeOf(error: ErrorInfo): string | null {
  if (error.code === "REVIEW_REJECTED") return "rejected";
  return error.code === "LOOP_LIMIT" || error.code === "FANOUT_LIMIT" ? "limit" : null;
}
