import type { AnyMachineSnapshot } from "xstate";
import type { DeliveredEvent, MachineContext, MachineFrame } from "./machine-frame.ts";

interface ActionArgs {
  context: MachineContext;
  event: DeliveredEvent;
}

/**
 * An action that runs at once, in order with all others, on the frame. Like XState's `assign` (pinned at 5.33.3) it
 * resolves to a snapshot that is another one, which is how a macrostep knows that something changed; unlike `assign`
 * it does not derive value and tags again, since the same states are active. `kernel.test.ts` proves the two equal.
 */
export function effect(run: (frame: MachineFrame, event: DeliveredEvent) => void): unknown {
  const resolve = (_scope: unknown, snapshot: AnyMachineSnapshot, { context, event }: ActionArgs) => {
    run(context.frame, event);
    return [{ ...snapshot }];
  };
  const action = () => {
    throw new Error("An action of a compiled machine is resolved by the machine, never called");
  };
  return Object.assign(action, { type: "oven.effect", resolve });
}
