import type { Json, JsonObject } from "@oven/contract";
import { getOwn, isObject } from "../expressions/json-access.ts";
import type { RunContext } from "../expressions/scope.ts";
import type { Frame } from "./frame.ts";
import { loopVariables } from "./loop-scope.ts";
import type { RunState, Unit } from "./run-state.ts";

/** Where the context holds the steps that can be undone, in order of completion. */
const UNDO_STEPS = "undo_steps";
/** The root under which expressions of the way read the step that is undone. */
export const UNDO_ROOT = "undo";

/** A step with `undo` has completed: what it gave, and the item it was for, is there when it is undone. */
export function noteUndoable(frame: Frame, unit: Unit, output: Json): void {
  if (unit.item !== null || frame.state.undoing !== undefined) return;
  const state = frame.compiled.states.get(unit.nodeId);
  if (state?.undo === undefined) return;
  // A decision against it: nothing was done.
  if (unit.resume?.type === "decision" && unit.resume.action === "reject") return;
  const steps = stepsOf(frame);
  const { nodeId, visit } = unit;
  const variables = Object.fromEntries(loopVariables(state, frame.loops, frame.context) ?? []);
  const value: JsonObject = { ...variables, step: nodeId, visit };
  if (!Object.hasOwn(frame.context.values, UNDO_STEPS)) frame.apply([{ op: "add", path: `/${UNDO_STEPS}`, value: [] }]);
  frame.apply([{ op: "add", path: `/${UNDO_STEPS}/-`, value }]);
  frame.apply([{ op: "output", path: `/${UNDO_STEPS}/${steps.length}/output`, nodeId, visit }], output);
}

/** The step that is being undone, for the expressions of its way. */
export function undoneStep(frame: Frame): JsonObject | undefined {
  const { undoing } = frame.state;
  if (undoing === undefined) return undefined;
  const step = stepsOf(frame)[undoing.left];
  const { error } = undoing.end;
  return step && { ...step, error: error && { code: error.code, message: error.message } };
}

/** The most steps, or active milliseconds, that a run may have: what undoes them gets as much once more. */
export function limitOf({ undoing }: Pick<RunState, "undoing">, what: "steps" | "activeMs", limit: number): number {
  return (undoing?.[what] ?? 0) + limit;
}

/** What another run did is not this one's to undo. */
export function withoutUndoSteps(context: RunContext): RunContext {
  if (!Object.hasOwn(context.values, UNDO_STEPS)) return context;
  return { ...context, values: { ...context.values, [UNDO_STEPS]: [] } };
}

/** With the names that steps have in another version. */
export function renameUndoSteps(values: JsonObject, rename: (id: string) => string): JsonObject {
  const steps = getOwn(values, UNDO_STEPS);
  if (!Array.isArray(steps)) return {};
  return {
    [UNDO_STEPS]: steps.map((entry) =>
      isObject(entry) && typeof entry.step === "string" ? { ...entry, step: rename(entry.step) } : entry,
    ),
  };
}

/** In order of completion. */
export function stepsOf({ context }: Frame): JsonObject[] {
  const steps = getOwn(context.values, UNDO_STEPS);
  return Array.isArray(steps) ? steps.filter(isObject) : [];
}
