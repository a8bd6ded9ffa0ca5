import { type Json, OvenError } from "@oven/contract";
import type { ErrorInfo } from "@oven/contract/run";
import type { CompiledAction } from "../compile/action.ts";
import type { CompiledMachine } from "../compile/machine.ts";
import type { DeliveredEvent, MachineFrame } from "../compile/machine-frame.ts";
import { isWithin, type StateInfo } from "../compile/state-info.ts";
import { expressionError } from "../expressions/expression-error.ts";
import type { CompiledGuard } from "../expressions/guard.ts";
import { getOwn, setOwn } from "../expressions/json-access.ts";
import type { RunContext, Scope } from "../expressions/scope.ts";
import type { ContextOp, OutboxDraft, ReviewChange, RowChange, RunEventDraft } from "../store.ts";
import { validateJson } from "../validate/json-schema.ts";
import { toAssignOps } from "./assign.ts";
import { applyOps } from "./context.ts";
import { toErrorInfo, toErrorValue } from "./error-info.ts";
import { jsonLength } from "./json-length.ts";
import { MAX_WRITTEN_AT_ONCE } from "./limits.ts";
import { completeIteration, failIteration, noteLast, openLoop, settleLoop } from "./loops.ts";
import { enterNode, leaveUnit, openRow, settleComposite } from "./node-units.ts";
import type { PlanEnvironment, PlannedChild, RunEnd, RunFacts, RunSnapshot } from "./plan-types.ts";
import { toScope } from "./run-scope.ts";
import type { LoopRun, RunState, Timer, Unit } from "./run-state.ts";
import { closeTimers, openTimers } from "./timers.ts";
import { UNDO_ROOT, undoneStep } from "./undo-steps.ts";

/** The working copy of one plan: what the machine's guards see and its actions write. */
export class Frame implements MachineFrame {
  readonly compiled: CompiledMachine;
  readonly facts: RunFacts;
  readonly environment: PlanEnvironment;
  readonly state: RunState;
  context: RunContext;
  readonly ops: ContextOp[] = [];
  readonly rows: RowChange[] = [];
  readonly reviews: ReviewChange[] = [];
  readonly events: RunEventDraft[] = [];
  readonly outbox: OutboxDraft[] = [];
  readonly children: PlannedChild[] = [];
  readonly cancelled: number[] = [];
  /** Units planned here whose rows are not written yet, with their inputs: left again, they never were. */
  readonly fresh = new Map<Unit, Json>();
  /** Failures to deliver once the machine is at rest. */
  readonly failures: { stateId: string; error: ErrorInfo }[] = [];
  /** Loops that stand before an iteration, to go on with once the machine is at rest. */
  readonly loopsDue: StateInfo[] = [];
  timers: Timer[];
  loops: LoopRun[];
  /** How many of `ops` the node wrote itself. */
  ownOps = 0;
  /** Iterations begun in this plan. */
  iterations = 0;
  /** The nodes that were waiting for the outside event being delivered: states around them do not take it as well. */
  takenBy: readonly string[] = [];
  eventTaken = false;
  end: RunEnd | null = null;
  handled = false;
  /** The error that is being delivered. */
  deliveringError: ErrorInfo | null = null;
  /** The error that an `onError` took in this plan, for a failed final state to report. */
  handledError: ErrorInfo | null = null;
  private halted = false;
  /** Characters of JSON that the definition has written in this plan. */
  private written = 0;
  /** Output of the node whose done event is being delivered. */
  output: Json | undefined;

  constructor(compiled: CompiledMachine, facts: RunFacts, snapshot: RunSnapshot, environment: PlanEnvironment) {
    this.compiled = compiled;
    this.facts = facts;
    this.environment = environment;
    this.context = snapshot.context;
    this.state = {
      ...snapshot.state,
      visits: { ...snapshot.state.visits },
      units: snapshot.state.units.map((unit) => ({ ...unit })),
    };
    this.timers = [...(snapshot.state.timers ?? [])];
    this.loops = (snapshot.state.loops ?? []).map((run) => ({ ...run }));
  }

  get now(): number {
    return this.environment.now;
  }

  get at(): string {
    return new Date(this.environment.now).toISOString();
  }

  /** What the run may still cost, with what its caller allows. */
  get budget(): { maxTokens: number | undefined; maxCostMicros: number | undefined } {
    const { options } = this.facts;
    return {
      maxTokens: smaller(this.compiled.maxTokens, options?.maxTokens),
      maxCostMicros: smaller(this.compiled.maxCostMicros, options?.maxCostMicros),
    };
  }

  /** What an expression of `owner` sees. */
  scope(owner: StateInfo, more?: ReadonlyMap<string, Json>): Scope {
    const undone = undoneStep(this);
    const all = undone === undefined ? more : new Map<string, Json>([...(more ?? []), [UNDO_ROOT, undone]]);
    return toScope(this.facts, this.state, this.context, owner, this.loops, all);
  }

  /** Applies ops to the context and remembers them for the commit's patch. */
  apply(ops: readonly ContextOp[], output?: Json): void {
    if (ops.length === 0) return;
    this.context = applyOps(this.context, ops, () => output ?? null);
    this.ops.push(...ops);
    this.state.patchBytes += JSON.stringify(ops).length + (output === undefined ? 0 : JSON.stringify(output).length);
  }

  /** Applies what the definition says is written. @throws OvenError EXPRESSION_ERROR when this move has written too much */
  private write(ops: readonly ContextOp[], what: string): void {
    const left = MAX_WRITTEN_AT_ONCE - this.written;
    const length = ops.reduce((sum, op) => sum + ("value" in op ? jsonLength(op.value, left) : 0), 0);
    if (length > left)
      throw expressionError(
        `${what} would make it more than ${MAX_WRITTEN_AT_ONCE / 1_048_576} MiB that are written in one move`,
        "Keep less of it, and see that no value is put into itself again and again.",
      );
    this.written += length;
    this.apply(ops);
  }

  event(event: RunEventDraft["event"], fields: RunEventDraft["fields"]): void {
    this.events.push({ event, at: this.at, fields });
  }

  /** `until`: the step that the run was asked for is done. */
  endPartially(output: Json): void {
    this.end ??= { status: "completed", outcome: "partial", output, error: null };
  }

  fail(error: ErrorInfo, outcome: string | null = null): void {
    this.end ??= { status: "failed", outcome, output: null, error };
  }

  /** An expression of `owner` failed: the macrostep stops here and the failure becomes `owner`'s error. */
  halt(owner: StateInfo, cause: unknown): void {
    const error = toErrorInfo(cause, owner.id === "" ? null : owner.id);
    this.halted = true;
    if (this.deliveringError) this.fail(error);
    else this.failures.push({ stateId: owner.id, error });
  }

  /** Before each delivery. */
  reset(): void {
    this.halted = false;
    this.handled = false;
  }

  test(guard: CompiledGuard | undefined, owner: StateInfo, event: DeliveredEvent): boolean {
    if (this.halted || this.end) return false;
    if (!guard) return true;
    try {
      return guard(this.scope(owner, this.overlay(owner, event)));
    } catch (cause) {
      this.halt(owner, cause);
      return false;
    }
  }

  mayGoOn(): boolean {
    return this.deliveringError === null || this.handled;
  }

  act(action: CompiledAction, owner: StateInfo, event: DeliveredEvent): void {
    if (this.halted || this.end) return;
    try {
      const scope = this.scope(owner, this.overlay(owner, event));
      if (action.guard && !action.guard(scope)) return;
      if (action.type === "assign") this.write(toAssignOps(action, scope), `assign: ${action.path.source}`);
      else if (action.type === "emit") {
        const payload = action.payload.resolve(scope);
        this.outbox.push({
          name: action.event,
          custom: true,
          payload: isRecord(payload) ? payload : { value: payload },
        });
      } else {
        const data = action.data?.resolve(scope);
        const message = String(action.message.resolve(scope));
        this.event("log", { nodeId: owner.id, level: action.level, message, ...(data === undefined ? {} : { data }) });
      }
    } catch (cause) {
      this.halt(owner, cause);
    }
  }

  enter(state: StateInfo): void {
    if (state.kind === "node" || state.kind === "fanOut") enterNode(this, state);
    else if (state.kind === "composite") openRow(this, state);
    else if (state.kind === "loop") openLoop(this, state);
    else if (state.kind === "next" && state.loop) this.loopsDue.push(state.loop);
    else if (state.kind === "final" || state.kind === "end") this.enterFinal(state);
    openTimers(this, state);
  }

  leave(state: StateInfo): void {
    closeTimers(this, state.id);
    if (state.kind === "loop") {
      this.loops = this.loops.filter((run) => run.stateId !== state.id);
      const due = this.loopsDue.indexOf(state);
      if (due >= 0) this.loopsDue.splice(due, 1);
    }
    const index = this.failures.findIndex((failure) => failure.stateId === state.id);
    if (index >= 0) this.failures.splice(index, 1);
    leaveUnit(this, state.id);
  }

  handleError(owner: StateInfo, event: DeliveredEvent): void {
    this.handled = true;
    if (!event.error) return;
    this.handledError = event.error;
    this.apply([{ op: "add", path: `/${owner.id}_error`, value: toErrorValue(event.error) }]);
  }

  mayTake(owner: StateInfo): boolean {
    return !this.takenBy.some((id) => isWithin(this.compiled.states.get(id), owner));
  }

  takeEvent(owner: StateInfo, event: DeliveredEvent): void {
    this.eventTaken = true;
    const name = event.external?.name ?? null;
    this.event("log", {
      nodeId: owner.id === "" ? null : owner.id,
      level: "info",
      message: `Took the event ${String(name)}`,
      data: { event: name },
    });
  }

  failIteration(loop: StateInfo, event: DeliveredEvent): void {
    this.handled = true;
    if (event.error) failIteration(this, loop, event.error);
  }

  completeParallel(owner: StateInfo): void {
    try {
      this.write(
        [{ op: "add", path: `/${owner.id}_output`, value: this.parallelOutput(owner) }],
        `the output of ${owner.id}`,
      );
    } catch (cause) {
      this.halt(owner, cause);
    }
  }

  noTransition(owner: StateInfo): void {
    this.failures.push({
      stateId: owner.id,
      error: {
        code: "NO_TRANSITION",
        nodeId: owner.id,
        message: `No guard of ${owner.id}'s onDone passed; add a last branch without a guard`,
      },
    });
  }

  /** An object by region, of what each region's final state handed on. */
  parallelOutput(owner: StateInfo): Json {
    const output: Record<string, Json> = {};
    for (const region of owner.children)
      setOwn(output, region.id, getOwn(this.context.values, `${region.id}_output`) ?? null);
    return output;
  }

  private enterFinal(state: StateInfo): void {
    const parent = state.parent;
    if (!parent || this.halted) return;
    try {
      if (parent.kind === "composite") {
        settleComposite(this, parent);
        noteLast(this, parent);
      } else if (parent.kind === "loop") settleLoop(this, parent);
      else if (parent.kind === "body" && parent.loop) completeIteration(this, parent.loop, state);
      else if (parent.kind === "root") this.finish(state);
      else if (state.output) {
        const value = state.output.resolve(this.scope(state));
        this.write([{ op: "add", path: `/${parent.id}_output`, value }], `the output of ${parent.id}`);
      }
    } catch (cause) {
      if (parent.kind === "root") this.fail(toErrorInfo(cause, state.id));
      else this.halt(parent, cause);
    }
  }

  private finish(state: StateInfo): void {
    // The way of an undone step hands nothing on.
    const isWay = this.state.undoing !== undefined;
    const output = isWay ? null : (state.output?.resolve(this.scope(state)) ?? this.lastOutput());
    if (state.outcome !== "failed") {
      if (!isWay) this.checkOutput(state, output);
      this.end ??= { status: "completed", outcome: state.outcome ?? null, output, error: null };
      return;
    }
    const message = `The run ended in "${state.label ?? state.id}"`;
    const error = this.handledError ?? { code: "FAILED_STATE", nodeId: state.id, message };
    this.end ??= { status: "failed", outcome: null, output, error };
  }

  /** One pass through a loop's body hands on what its last step gave. */
  private lastOutput(): Json {
    const { last } = this.state;
    return last === undefined ? null : (getOwn(this.context.values, `${last}_output`) ?? null);
  }

  /** @throws OvenError OUTPUT_INVALID: a run never completes with an output its schema denies */
  private checkOutput(state: StateInfo, output: Json): void {
    const { outputSchema } = this.compiled;
    const [problem] = outputSchema ? validateJson(outputSchema, output) : [];
    if (problem)
      throw new OvenError(
        "OUTPUT_INVALID",
        `The output of ${state.id} does not fit the outputSchema at ${problem.path}: ${problem.message}`,
      );
  }

  /** What guards and actions of a transition see on top of the context. */
  private overlay(owner: StateInfo, event: DeliveredEvent): ReadonlyMap<string, Json> | undefined {
    if (event.external) return new Map([["event", event.external]]);
    if (event.error) {
      const error = toErrorValue(event.error);
      return new Map([[`${owner.id}_error`, error]]);
    }
    if (owner.kind === "parallel") {
      const output = this.parallelOutput(owner);
      return new Map([
        ["output", output],
        [`${owner.id}_output`, output],
      ]);
    }
    const output =
      event.type === `oven.done.${owner.id}` ? event.output : getOwn(this.context.values, `${owner.id}_output`);
    return output === undefined ? undefined : new Map([["output", output]]);
  }
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

function isRecord(value: Json): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
