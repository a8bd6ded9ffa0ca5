import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { Spend, TokenUsage, ToolCallRecord } from "@oven/contract/node";
import type { ErrorInfo } from "@oven/contract/run";
import { isWithin, type StateInfo } from "../compile/state-info.ts";
import { getOwn, isObject, setOwn } from "../expressions/json-access.ts";
import { type Late, parseLate, showLate } from "../expressions/late.ts";
import { toErrorInfo } from "./error-info.ts";
import type { Frame } from "./frame.ts";
import { giveUpChild } from "./give-up-child.ts";
import type { Unit } from "./run-state.ts";
import { limitOf, noteUndoable } from "./undo-steps.ts";

/* The life of a unit: a node run, one item of it, or the parent row of a composite or loop. */

export const NO_TOKENS: TokenUsage = { input: 0, output: 0, total: 0 };

export function findUnit(frame: Frame, nodeId: string, item: string | null = null): Unit | undefined {
  return frame.state.units.find((unit) => unit.nodeId === nodeId && unit.item === item);
}

export function stateOf(frame: Frame, nodeId: string): StateInfo {
  const state = frame.compiled.states.get(nodeId);
  if (!state)
    throw new OvenError("DEFINITION_CHANGED", `The run is at ${nodeId}, which its definition does not have`, {
      status: 500,
    });
  return state;
}

/** Plans a node run: resolves its input now, so that what is recorded is what will run. */
export function enterNode(frame: Frame, state: StateInfo): void {
  const unit = addUnit(frame, state, "planned");
  if (!unit || !state.invoke) return;
  frame.state.steps += 1;
  const limit = limitOf(frame.state, "steps", frame.compiled.maxSteps);
  if (frame.state.steps > limit) {
    frame.state.steps -= 1;
    remove(frame, unit);
    const message = `The run took more than ${limit} steps`;
    frame.fail({ code: "STEP_LIMIT", nodeId: state.id, message }, "limit");
    return;
  }
  try {
    frame.fresh.set(unit, resolveInput(frame, state, state.invoke));
  } catch (cause) {
    frame.fresh.set(unit, state.invoke.rawInput);
    writeStart(frame, unit);
    failUnit(frame, unit, toErrorInfo(cause, state.id));
  }
}

/** Opens the parent row of a composite or a loop. */
export function openRow(frame: Frame, state: StateInfo): void {
  const unit = addUnit(frame, state, "open");
  if (!unit || !state.invoke) return;
  if (state.invoke.timeoutMs !== undefined) unit.deadlineActiveMs = activeMs(frame) + state.invoke.timeoutMs;
  frame.fresh.set(unit, state.invoke.rawInput);
}

function addUnit(frame: Frame, state: StateInfo, status: Unit["status"]): Unit | undefined {
  if (!state.invoke) return undefined;
  const visit = (getOwn(frame.state.visits, state.id) ?? 0) + 1;
  frame.state.visits[state.id] = visit;
  const { src, version, effect } = state.invoke;
  const unit: Unit = {
    nodeId: state.id,
    visit,
    item: null,
    src,
    version,
    effect,
    status,
    attempt: 1,
    failures: 0,
    takeovers: 0,
    startedAt: frame.now,
  };
  frame.state.units.push(unit);
  return unit;
}

/** A composite's inner final was reached: its output is computed and its row closed. */
export function settleComposite(frame: Frame, state: StateInfo): void {
  const unit = findUnit(frame, state.id);
  if (!unit || !state.output) return;
  const output = state.output.resolve(frame.scope(state));
  finishUnit(frame, unit, { status: "completed", output, error: null, spend: spendOf(unit), toolCalls: null });
  frame.apply([{ op: "output", path: `/${state.id}_output`, nodeId: state.id, visit: unit.visit }], output);
  if (frame.facts.options?.until === state.id) frame.endPartially(output);
}

/** The state is left. A unit that was only just planned never was; one that runs or waits is cancelled. */
export function leaveUnit(frame: Frame, nodeId: string): void {
  const units = frame.state.units.filter((unit) => unit.nodeId === nodeId);
  for (const unit of units) {
    if (frame.fresh.delete(unit)) {
      remove(frame, unit);
      frame.state.visits[nodeId] = unit.visit - 1;
      if (unit.status === "planned") frame.state.steps -= 1;
    } else closeUnit(frame, unit, frame.deliveringError);
  }
}

/** What is still open ends: a composite or loop that an error from inside took down has failed, everything else is cancelled. */
export function closeUnit(frame: Frame, unit: Unit, error: ErrorInfo | null): void {
  const origin = error?.nodeId == null ? undefined : frame.compiled.states.get(error.nodeId);
  const inside = isWithin(origin, stateOf(frame, unit.nodeId));
  if (unit.status !== "open" || !inside) cancelUnit(frame, unit);
  else finishUnit(frame, unit, { status: "failed", output: null, error, spend: spendOf(unit), toolCalls: null });
}

export function cancelUnit(frame: Frame, unit: Unit): void {
  closeReview(frame, unit, "cancelled");
  giveUpChild(frame, unit);
  finishUnit(frame, unit, { status: "cancelled", output: null, error: null, spend: spendOf(unit), toolCalls: null });
}

export function closeReview(frame: Frame, unit: Unit, status: "expired" | "cancelled"): void {
  if (unit.wait?.for !== "review" && unit.wait?.for !== "input") return;
  frame.reviews.push({ type: "close", id: unit.wait.reviewId, status, at: frame.at });
  if (status === "expired")
    frame.event("review.expired", {
      reviewId: unit.wait.reviewId,
      nodeId: unit.nodeId,
      visit: unit.visit,
      item: unit.item,
    });
}

export interface Finish {
  status: "completed" | "failed" | "cancelled";
  output: Json;
  error: ErrorInfo | null;
  spend: Spend | undefined;
  toolCalls: ToolCallRecord[] | null;
}

/** Closes the row and says so. */
export function finishUnit(frame: Frame, unit: Unit, finish: Finish): void {
  // A loop or composite in which nothing runs ends in the move that began it.
  if (frame.fresh.has(unit)) writeStart(frame, unit);
  const durationMs = Math.max(0, frame.now - unit.startedAt);
  const tokenUsage = finish.spend?.tokenUsage ?? null;
  frame.rows.push({
    type: "finish",
    nodeId: unit.nodeId,
    visit: unit.visit,
    item: unit.item,
    attempt: unit.attempt,
    status: finish.status,
    output: finish.output,
    error: finish.error,
    tokenUsage,
    toolCalls: finish.toolCalls,
    costMicros: finish.spend?.costMicros ?? 0,
    durationMs,
    completedAt: frame.at,
  });
  if (finish.status === "completed") noteUndoable(frame, unit, finish.output);
  frame.event(`node.${finish.status}`, {
    ...identify(unit),
    durationMs,
    ...(finish.error ? { error: { code: finish.error.code, message: finish.error.message } } : {}),
    ...(tokenUsage ? { tokenUsage } : {}),
  });
  remove(frame, unit);
}

/** Closes the row as failed and queues the error for the handlers around it. */
export function failUnit(frame: Frame, unit: Unit, error: ErrorInfo): void {
  finishUnit(frame, unit, { status: "failed", output: null, error, spend: undefined, toolCalls: null });
  frame.failures.push({ stateId: unit.nodeId, error });
}

/** Adds what a call spent to the run and to the composites and loops around it. */
export function addSpend(frame: Frame, unit: Unit, spend: Spend | undefined): void {
  if (!spend) return;
  const { state } = frame;
  if (spend.simulated) state.simulated = true;
  state.tokenUsage = addTokens(state.tokenUsage, spend.tokenUsage);
  state.costMicros += spend.costMicros ?? 0;
  for (let { row } = stateOf(frame, unit.nodeId); row; row = row.row) {
    const parent = findUnit(frame, row.id);
    if (!parent) continue;
    parent.tokenUsage = addTokens(parent.tokenUsage ?? NO_TOKENS, spend.tokenUsage);
    parent.costMicros = (parent.costMicros ?? 0) + (spend.costMicros ?? 0);
  }
  checkBudget(frame, unit);
}

/** What is spent is spent: the run ends before the next call. What undoes steps may cost more. */
function checkBudget(frame: Frame, { nodeId }: Unit): void {
  if (frame.state.undoing !== undefined) return;
  const { maxTokens, maxCostMicros } = frame.budget;
  const { tokenUsage, costMicros } = frame.state;
  if (maxTokens !== undefined && tokenUsage.total > maxTokens) {
    const message = `The run has used ${tokenUsage.total} tokens; it may use ${maxTokens}`;
    frame.fail({ code: "TOKEN_LIMIT", nodeId, message }, "limit");
  }
  if (maxCostMicros !== undefined && costMicros > maxCostMicros) {
    const message = `The run has cost ${costMicros / 1e6} USD; it may cost ${maxCostMicros / 1e6} USD`;
    frame.fail({ code: "COST_LIMIT", nodeId, message }, "limit");
  }
}

function addTokens(total: TokenUsage, more: TokenUsage | undefined): TokenUsage {
  if (!more) return total;
  const cached = (total.cached ?? 0) + (more.cached ?? 0);
  const reasoning = (total.reasoning ?? 0) + (more.reasoning ?? 0);
  return {
    input: total.input + more.input,
    output: total.output + more.output,
    total: total.total + more.total,
    ...(cached > 0 ? { cached } : {}),
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}

/** What a unit has spent in all: in calls before it waited, or in its child, and in the last. */
export function totalSpend(unit: Unit, last: Spend | undefined): Spend | undefined {
  const before = spendOf(unit);
  if (!before || !last) return last ?? before;
  return {
    tokenUsage: addTokens(before.tokenUsage ?? NO_TOKENS, last.tokenUsage),
    costMicros: (before.costMicros ?? 0) + (last.costMicros ?? 0),
  };
}

export function spendOf(unit: Unit): Spend | undefined {
  if (!unit.tokenUsage && !unit.costMicros) return undefined;
  return { ...(unit.tokenUsage ? { tokenUsage: unit.tokenUsage } : {}), costMicros: unit.costMicros ?? 0 };
}

/** Writes the start rows of what was planned and is still there. */
export function writeStarts(frame: Frame): void {
  for (const unit of [...frame.fresh.keys()]) writeStart(frame, unit);
}

export function writeStart(frame: Frame, unit: Unit): void {
  const input = frame.fresh.get(unit) ?? null;
  frame.fresh.delete(unit);
  const { row } = stateOf(frame, unit.nodeId);
  const above = unit.item === null && row ? findUnit(frame, row.id) : undefined;
  if (above && frame.fresh.has(above)) writeStart(frame, above);
  const parent = unit.item === null ? (row?.id ?? null) : unit.nodeId;
  frame.rows.push({
    type: "start",
    nodeId: unit.nodeId,
    parentNodeId: parent,
    nodeType: unit.src,
    nodeVersion: unit.version,
    visit: unit.visit,
    attempt: unit.attempt,
    item: unit.item,
    input,
    startedAt: frame.at,
  });
  frame.event("node.started", { ...identify(unit), attempt: unit.attempt });
}

/** The fields by which an event names a unit. */
export function identify(unit: Unit): JsonObject {
  return {
    nodeId: unit.nodeId,
    nodeType: unit.src,
    visit: unit.visit,
    ...(unit.item === null ? {} : { item: unit.item }),
  };
}

export function activeMs(frame: Frame): number {
  const { activeMs: before, activeSince } = frame.state;
  return before + (activeSince === null ? 0 : Math.max(0, frame.now - activeSince));
}

function remove(frame: Frame, unit: Unit): void {
  const index = frame.state.units.indexOf(unit);
  if (index >= 0) frame.state.units.splice(index, 1);
}

/** @throws what an expression threw */
export function resolveInput(frame: Frame, state: StateInfo, invoke: NonNullable<StateInfo["invoke"]>): JsonObject {
  const input: JsonObject = {};
  const scope = frame.scope(state);
  for (const [key, value] of invoke.input) {
    if (value.late) {
      setOwn(input, key, { $late: value.late(scope) as unknown as Json }); // cast: a late value is JSON
      continue;
    }
    const resolved = value.resolve(scope);
    const live = invoke.rawInput[key] === "$.messages" && Array.isArray(resolved);
    setOwn(input, key, live ? { $messages: resolved.length } : isReference(resolved) ? { $value: resolved } : resolved);
  }
  return input;
}

/** Inputs are stored with references: the conversation as its length, not a copy per step. */
function isReference(value: Json): boolean {
  return (
    isObject(value) &&
    Object.keys(value).length === 1 &&
    ["$messages", "$value", "$late"].some((key) => Object.hasOwn(value, key))
  );
}

/** The values of a stored input whose content is read when the node is called (`| full`). */
export function lateInputs(stored: Json): [string, Late][] {
  if (!isObject(stored)) return [];
  return Object.entries(stored).flatMap(([key, value]): [string, Late][] =>
    isReference(value) && isObject(value) && Object.hasOwn(value, "$late")
      ? [[key, parseLate(value.$late ?? null)]]
      : [],
  );
}

/** Whether `expandInput` needs the conversation for it. */
export function refersToMessages(stored: Json): boolean {
  return (
    isObject(stored) &&
    Object.values(stored).some((value) => isReference(value) && isObject(value) && Object.hasOwn(value, "$messages"))
  );
}

/** A row's stored input with its references replaced; `messages` is the conversation at any later moment. */
export function expandInput(stored: Json, messages: Json): Json {
  if (!isObject(stored)) return stored;
  const input: JsonObject = {};
  for (const [key, value] of Object.entries(stored)) {
    if (!isReference(value) || !isObject(value)) setOwn(input, key, value);
    else if (Object.hasOwn(value, "$value")) setOwn(input, key, value.$value ?? null);
    else if (Object.hasOwn(value, "$late")) setOwn(input, key, showLate(parseLate(value.$late ?? null)));
    else setOwn(input, key, Array.isArray(messages) ? messages.slice(0, Number(value.$messages)) : []);
  }
  return input;
}
