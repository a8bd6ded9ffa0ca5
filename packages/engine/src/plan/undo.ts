import type { Json, JsonObject } from "@oven/contract";
import type { ErrorInfo } from "@oven/contract/run";
import { deliver } from "./deliver.ts";
import type { Frame } from "./frame.ts";
import { closeUnit } from "./node-units.ts";
import type { Undoing } from "./run-state.ts";
import { stepsOf } from "./undo-steps.ts";

/*
 * Compensation: a run that fails or is cancelled goes through the steps that completed and have an `undo`, the latest first. What `undo`
 * leads to is a way of the same machine, so its steps are rows, are tried again, wait and survive crashes as any others.
 */

/** Limits of the whole run: what follows would meet them as well. */
const RUN_LIMITS: ReadonlySet<string> = new Set(["STEP_LIMIT", "TIME_LIMIT"]);

/**
 * The run is to end: as long as there is a step to be undone it goes on with that one instead. A way that fails is noted, and the next
 * step is undone; a limit, or being cancelled once more, ends it.
 */
export function undoBeforeEnd(frame: Frame): void {
  while (frame.end) {
    const { state } = frame;
    if (state.undoing !== undefined) settleWay(frame, state.undoing);
    else if (!begin(frame)) return;
    const step = nextStep(frame);
    const { undoing } = state;
    if (undoing === undefined) return;
    if (step === undefined) {
      finish(frame, undoing);
      return;
    }
    enter(frame, undoing, step);
  }
}

/** The latest step that is left; those are passed over that the run's version has nothing to undo with: the run was moved to it. */
function nextStep(frame: Frame): JsonObject | undefined {
  const { state, compiled } = frame;
  for (;;) {
    const { undoing } = state;
    const next = undoing && stepsOf(frame)[undoing.left - 1];
    if (undoing === undefined || next === undefined) return undefined;
    const { step = null, visit = null } = next;
    if (compiled.states.get(String(step))?.undo !== undefined) return next;
    const failed = [...undoing.failed, { step, visit, message: "its version has no undo for it" }];
    state.undoing = { ...undoing, left: undoing.left - 1, failed };
  }
}

/** False where nothing is to be undone. */
function begin(frame: Frame): boolean {
  const { end, state } = frame;
  const count = stepsOf(frame).length;
  if (!end || end.status === "completed" || count === 0) return false;
  closeAll(frame, end.error);
  state.undoing = { end, left: count, failed: [], steps: state.steps, activeMs: state.activeMs };
  frame.event("execution.undoing", {
    steps: count,
    status: end.status,
    error: end.error && { code: end.error.code, nodeId: end.error.nodeId, message: end.error.message },
  });
  return true;
}

/** The way of a step has come to its end. */
function settleWay(frame: Frame, undoing: Undoing): void {
  const { end } = frame;
  closeAll(frame, end?.error ?? null);
  if (!end || end.status === "completed") return;
  const step = stepsOf(frame)[undoing.left];
  const what = { step: step?.step ?? null, visit: step?.visit ?? null, message: end.error?.message ?? end.status };
  frame.state.undoing = { ...undoing, failed: [...undoing.failed, what] };
  frame.event("log", { level: "error", message: `${String(what.step)} was not undone: ${what.message}`, data: what });
  if (end.status !== "cancelled" && !RUN_LIMITS.has(end.error?.code ?? "")) return;
  const rest = stepsOf(frame).slice(0, undoing.left).toReversed();
  const left = rest.map((one) => ({ step: one.step ?? null, visit: one.visit ?? null, message: "not begun" }));
  frame.state.undoing = { ...frame.state.undoing, left: 0, failed: [...frame.state.undoing.failed, ...left] };
}

function enter(frame: Frame, undoing: Undoing, step: JsonObject): void {
  frame.end = null;
  frame.handledError = null;
  frame.failures.length = 0;
  frame.loopsDue.length = 0;
  frame.state.undoing = { ...undoing, left: undoing.left - 1 };
  deliver(frame, { type: `oven.undo.${String(step.step)}` });
}

/** The run ends as it would have; its error says what was undone, and what was not. */
function finish(frame: Frame, { end, failed }: Undoing): void {
  delete frame.state.undoing;
  const not = new Set(failed.map(({ step, visit }) => `${String(step)} ${String(visit)}`));
  const undone = stepsOf(frame)
    .toReversed()
    .flatMap(({ step = null, visit = null }) => (not.has(`${String(step)} ${String(visit)}`) ? [] : [{ step, visit }]));
  const error: ErrorInfo = end.error ?? { code: "FAILED_STATE", nodeId: null, message: "The run failed" };
  const say = (what: string, steps: readonly { step: Json }[]): string =>
    steps.length === 0 ? "" : ` ${what}: ${[...new Set(steps.map(({ step }) => String(step)))].join(", ")}.`;
  const message = error.message.replace(/[.!?]?$/, (mark) => (mark === "" ? "." : mark));
  frame.end = {
    ...end,
    error: {
      ...error,
      message: `${message}${say("Undone", undone)}${say("Not undone", failed)}`,
      details: { ...error.details, undone, ...(failed.length === 0 ? {} : { notUndone: failed }) },
    },
  };
}

/** What is open is cancelled, as at the end of the run. */
function closeAll(frame: Frame, error: ErrorInfo | null): void {
  for (const unit of [...frame.state.units]) {
    if (frame.fresh.has(unit)) frame.fresh.delete(unit);
    else closeUnit(frame, unit, error);
  }
  frame.state.units.length = 0;
}
