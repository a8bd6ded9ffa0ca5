import type { Json } from "@oven/contract";
import type { CompiledMachine } from "../compile/machine.ts";
import type { PlanEvent, RunFacts, RunSnapshot } from "../plan/plan-types.ts";
import type { Unit } from "../plan/run-state.ts";
import type { NodeCall } from "../ports.ts";
import type { RunHistory, RunRecord } from "../store.ts";
import { keyOf, toKey, toResultEvent } from "./call-results.ts";
import type { EventBuffer } from "./event-buffer.ts";
import { nodeTimeout, toFailure } from "./failure.ts";
import { keepContent, toPlainResult } from "./keep-content.ts";
import { type CallNotes, callNode } from "./node-call.ts";
import type { RunEngineOptions } from "./run-engine.ts";
import type { UnitMemory } from "./unit-memory.ts";

/** The abort reason of calls whose result is no longer needed. One object for all, because creating an error costs a stack trace. */
const CALL_OVER = new DOMException("The call is over", "AbortError");

interface InFlightCall {
  unit: Unit;
  abort: AbortController;
  cancelTimer: (() => void) | undefined;
}

export interface CallingRun {
  options: RunEngineOptions;
  record: RunRecord;
  compiled: CompiledMachine;
  workflowName: string;
  memory: UnitMemory;
  buffer: EventBuffer;
}

/** The node calls of one run that have started and not ended. */
export class InFlightCalls {
  readonly #run: CallingRun;
  readonly #onResult: (event: PlanEvent) => void;
  readonly #calls = new Map<string, InFlightCall>();
  #recording: Promise<RunHistory> | undefined;

  /** @param onResult takes the result or the failure of a call, unless the call was ended before */
  constructor(run: CallingRun, onResult: (event: PlanEvent) => void) {
    this.#run = run;
    this.#onResult = onResult;
  }

  get size(): number {
    return this.#calls.size;
  }

  has(unit: Unit): boolean {
    return this.#calls.has(keyOf(unit));
  }

  /** Starts the call of a unit, with its timeout. */
  start(unit: Unit, facts: RunFacts, snapshot: RunSnapshot): void {
    const { options, record, compiled, workflowName, memory, buffer } = this.#run;
    const { clock, catalog, nodes, content } = options;
    const call: InFlightCall = { unit, abort: new AbortController(), cancelTimer: undefined };
    this.#calls.set(keyOf(unit), call);
    const notes: CallNotes = { emits: [], wroteText: false };
    const recorded = (asked: NodeCall) => this.#recorded(asked, facts);
    const run = { record, facts, compiled, workflowName, snapshot, memory, buffer };
    const context = { ...run, catalog, nodes, content, recorded, clock };
    const settle = (event: PlanEvent): void => {
      if (this.#calls.get(keyOf(unit)) !== call) return;
      this.#end(call);
      this.#onResult(event);
    };
    const fail = (cause: unknown): void => {
      const failure = toFailure(cause, unit.nodeId);
      settle({ type: "failed", unit: toKey(unit), failure, emits: notes.emits, discardText: notes.wroteText });
    };
    const timeoutMs = compiled.states.get(unit.nodeId)?.invoke?.timeoutMs;
    if (timeoutMs !== undefined)
      call.cancelTimer = clock.setTimer(clock.now() + timeoutMs, () => fail(nodeTimeout(unit.nodeId, timeoutMs)));
    // A node that throws before its first await must fail like any other.
    Promise.resolve()
      .then(() => callNode(context, unit, call.abort.signal, notes))
      .then((result) => keepContent(content, record, unit, toPlainResult(result, unit.nodeId)))
      .then((result) => settle(toResultEvent(unit, result, notes)), fail);
  }

  /** Ends the calls of all units but these: their results are no longer needed. */
  keepOnly(units: readonly Unit[]): void {
    for (const [key, call] of this.#calls) if (!units.some((unit) => keyOf(unit) === key)) this.#end(call);
  }

  #end(call: InFlightCall): void {
    call.cancelTimer?.();
    call.abort.abort(CALL_OVER);
    if (this.#calls.get(keyOf(call.unit)) === call) this.#calls.delete(keyOf(call.unit));
  }

  /** The recorded answer for this call of a dry run. */
  async #recorded({ node: { nodeId, visit, item } }: NodeCall, { options }: RunFacts): Promise<Json | undefined> {
    const recordingOf = options?.recordingOf;
    if (recordingOf === undefined) return undefined;
    this.#recording ??= this.#run.options.store.history(recordingOf, 0);
    const { rows } = await this.#recording;
    return rows.find(
      (row) => row.nodeId === nodeId && row.visit === visit && row.item === item && row.status === "completed",
    )?.output;
  }
}
