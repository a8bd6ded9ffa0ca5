import type { ErrorInfo } from "@oven/contract";
import { MAX_EVENTLESS_MOVES } from "../compile/machine.ts";
import type { MachineEvent } from "../compile/machine-frame.ts";
import { type Frame, toErrorInfo } from "./frame.ts";
import { moveMachine, type Rest, startMachine } from "./kernel.ts";

/** Enters the definition's initial state and settles what follows at once. */
export function start(frame: Frame): void {
  step(frame, () => startMachine(frame.compiled.machine, { frame }));
  settleFailures(frame);
}

/** Hands one event to the machine and settles what follows at once. */
export function deliver(frame: Frame, event: MachineEvent): void {
  move(frame, event);
  settleFailures(frame);
}

/** Routes an error: the state's `onError`, else that of the states around it, else the run fails. */
export function deliverError(frame: Frame, stateId: string, error: ErrorInfo): void {
  frame.deliveringError = error;
  move(frame, { type: `oven.error.${stateId}`, error });
  frame.deliveringError = null;
  if (!frame.handled) frame.fail(error, outcomeOf(error));
}

/** Delivers the failures that wait for the machine to be at rest. */
export function settleFailures(frame: Frame): void {
  for (let failure = frame.failures.shift(); failure && !frame.end; failure = frame.failures.shift()) {
    deliverError(frame, failure.stateId, failure.error);
  }
}

function move(frame: Frame, event: MachineEvent): void {
  step(frame, () => moveMachine(frame.compiled.machine, frame.state.value, { frame }, event));
}

function step(frame: Frame, run: () => Rest): void {
  frame.reset();
  try {
    const rest = run();
    frame.state.value = rest.value;
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
  return error.code === "REVIEW_REJECTED" ? "rejected" : null;
}
