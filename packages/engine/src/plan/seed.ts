import type { Json } from "@oven/contract";
import type { NodeDone, Wait } from "@oven/contract/node";
import type { ErrorInfo } from "@oven/contract/run";
import type { CompiledMachine } from "../compile/machine.ts";
import type { RunContext } from "../expressions/scope.ts";
import type { Cause } from "./cause.ts";
import { closeFrame } from "./close-frame.ts";
import { toSnapshot } from "./context.ts";
import { settle } from "./deliver.ts";
import { toErrorInfo } from "./error-info.ts";
import { Frame } from "./frame.ts";
import { activeMs, failUnit, NO_TOKENS, resolveInput, stateOf, writeStart } from "./node-units.ts";
import { openItems } from "./on-items.ts";
import { onDone } from "./on-result.ts";
import type { Plan, PlanEnvironment, RunFacts, RunSnapshot } from "./plan-types.ts";
import type { RunState, Unit } from "./run-state.ts";
import { withoutUndoSteps } from "./undo-steps.ts";

/** A run that takes another one over at a checkpoint: the place it begins at, and what was finished there. */
export interface Seed
  extends Pick<RunState, "value" | "history" | "timers" | "timersFired" | "loops" | "visits" | "last"> {
  /** When the other run stood there; epoch milliseconds. Timers keep what was left of them. */
  at: number;
  units: SeedUnit[];
}

/** A unit to be planned anew, or whose outcome is known; composites and loops go on. */
export interface SeedUnit extends Pick<Unit, "nodeId" | "visit" | "status"> {
  /** What it had answered, where the run could not go on with it. */
  outcome?: Pick<NodeDone, "output" | "patch" | "stop">;
  /** Of a node that waits for its items: what it asked for, and those that had completed. */
  items?: { wait: Extract<Wait, { for: "items" }>; done: { key: string; output: Json; durationMs: number }[] };
}

/** What of a run's state another run can begin with. Failed items count as not done. */
export function toSeed(
  { state }: RunSnapshot,
  at: number,
  itemsOf: (unit: Unit) => SeedUnit["items"] | undefined,
): Seed {
  const { value, history, timers, timersFired, loops, visits, last, units } = state;
  return {
    at,
    value,
    visits,
    ...(history ? { history } : {}),
    ...(timers ? { timers } : {}),
    ...(timersFired === undefined ? {} : { timersFired }),
    ...(loops ? { loops } : {}),
    ...(last === undefined ? {} : { last }),
    units: units
      .filter(({ item }) => item === null)
      .map((unit) => {
        const hasItems = unit.wait?.for === "items" || unit.resume?.type === "items";
        const items = hasItems ? itemsOf(unit) : undefined;
        return { nodeId: unit.nodeId, visit: unit.visit, status: unit.status, ...(items ? { items } : {}) };
      }),
  };
}

/** The first move of such a run: what was under way is planned anew, with inputs read from the context as it is now. */
export function planSeeded(
  compiled: CompiledMachine,
  facts: RunFacts,
  seed: { state: Seed; context: RunContext },
  environment: PlanEnvironment,
): Plan {
  const { at, units, timers = [], ...place } = seed.state;
  const frame = new Frame(
    compiled,
    facts,
    {
      context: withoutUndoSteps(seed.context),
      state: {
        ...place,
        ...(facts.config ? { config: facts.config } : {}),
        timers: timers.map((timer) => ({ ...timer, at: timer.at + environment.now - at })),
        units: [],
        steps: 0,
        tokenUsage: NO_TOKENS,
        costMicros: 0,
        simulated: false,
        activeMs: 0,
        activeSince: environment.now,
        startedAt: new Date(environment.now).toISOString(),
        wakeAt: null,
        patchBytes: 0,
        snapshotBytes: 0,
      },
    },
    environment,
  );
  frame.event("execution.started", { kind: facts.kind, workflowId: facts.workflowId });
  frame.outbox.push({ name: "execution.started", custom: false, payload: {} });
  for (const unit of units) takeOver(frame, unit);
  for (const { nodeId, visit, outcome } of units) {
    const key = { nodeId, visit, item: null, attempt: 1 };
    if (outcome) onDone(frame, { type: "done", unit: key, result: { type: "done", ...outcome }, emits: [] });
  }
  settle(frame);
  const planned = closeFrame(frame, "running");
  const config = facts.config ? { config: facts.config } : {};
  const cause: Cause = { t: "seed", context: toSnapshot(seed.context, 0), seed: seed.state, ...config };
  const [first] = planned.events;
  if (first) first.cause = cause as unknown as Json; // cast: a cause is JSON
  return planned;
}

function takeOver(frame: Frame, { nodeId, visit, status, items, outcome }: SeedUnit): void {
  const state = stateOf(frame, nodeId);
  const { invoke } = state;
  if (!invoke) return;
  const { src, version, effect, timeoutMs, rawInput } = invoke;
  const isOpen = status === "open";
  const unit: Unit = {
    nodeId,
    visit,
    item: null,
    src,
    version,
    effect,
    status: isOpen ? "open" : "planned",
    attempt: 1,
    failures: 0,
    takeovers: 0,
    startedAt: frame.now,
  };
  frame.state.units.push(unit);
  if (isOpen) {
    if (timeoutMs !== undefined) unit.deadlineActiveMs = activeMs(frame) + timeoutMs;
    frame.fresh.set(unit, rawInput);
    return;
  }
  if (outcome) {
    frame.fresh.set(unit, rawInput);
    return;
  }
  frame.state.steps += 1;
  try {
    frame.fresh.set(unit, resolveInput(frame, state, invoke));
  } catch (cause) {
    frame.fresh.set(unit, rawInput);
    writeStart(frame, unit);
    failUnit(frame, unit, toErrorInfo(cause, nodeId));
    return;
  }
  if (items) takeOverItems(frame, unit, items);
}

/** What had completed is taken as it is; the other items begin anew. */
function takeOverItems(frame: Frame, unit: Unit, { wait, done }: NonNullable<SeedUnit["items"]>): void {
  const { nodeId, visit } = unit;
  writeStart(frame, unit);
  frame.rows.push({ type: "wait", nodeId, visit, item: null, status: "running", wait });
  const nothing: { error: ErrorInfo | null; tokenUsage: null; toolCalls: null } = {
    error: null,
    tokenUsage: null,
    toolCalls: null,
  };
  const keys = new Set(done.map(({ key }) => key));
  for (const { key, output, durationMs } of done) {
    const row = { nodeId, visit, item: key, attempt: 1 };
    const { src: nodeType, version: nodeVersion } = unit;
    frame.rows.push(
      { type: "start", ...row, parentNodeId: nodeId, nodeType, nodeVersion, input: null, startedAt: frame.at },
      {
        type: "finish",
        ...row,
        status: "completed",
        output,
        ...nothing,
        costMicros: 0,
        durationMs,
        completedAt: frame.at,
      },
    );
  }
  unit.status = "waiting";
  const left = wait.request.items.filter(({ key }) => !keys.has(key));
  openItems(frame, unit, { ...wait.request, items: left });
}
