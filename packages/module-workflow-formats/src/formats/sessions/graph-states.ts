import { isStateId } from "@oven/contract";

/** The states of one step. */
export interface StepStates {
  region: string;
  idle: string;
  pending: string;
  follow: string;
  /** In it the step's function runs. */
  run: string;
}

export const SESSION_STATE = "session__graph";
export const WRITES_REGION = "session__writes";
export const WRITES_STATE = "session__open";

/** Names that no two steps share. Where a step's own name cannot be a state's, it gets `_step` behind it, and a number. */
export function statesOf(steps: readonly string[]): Map<string, StepStates> {
  const taken = new Set<string>();
  const states = new Map<string, StepStates>();
  for (const step of steps) {
    const isFree = (name: string) =>
      isStateId(`${name}__pending`) &&
      isStateId(name) &&
      !/_(output|error)$|__/.test(name) &&
      name !== "done" &&
      name !== "done_with_errors" &&
      !taken.has(name) &&
      (name === step || !steps.includes(name));
    let run = step;
    for (let number = 1; !isFree(run); number += 1)
      run = `${step.replaceAll(/_{2,}/g, "_").slice(0, 40)}_step${number === 1 ? "" : number}`.replace(/^__+/, "_");
    taken.add(run);
    states.set(step, {
      run,
      region: `${run}__region`,
      idle: `${run}__idle`,
      pending: `${run}__pending`,
      follow: `${run}__follow`,
    });
  }
  return states;
}
