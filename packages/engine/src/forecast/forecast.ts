import type { Json } from "@oven/contract";
import type { NodeDone } from "@oven/contract/node";
import type { RunOutline } from "../compile/loop-part.ts";
import type { CompiledMachine } from "../compile/machine.ts";
import { plan, planStart } from "../plan/plan.ts";
import type { Plan, PlanEvent, RunEnd, RunFacts } from "../plan/plan-types.ts";
import type { Unit } from "../plan/run-state.ts";
import type { ContentStore, NodeCatalog, NodeRunner } from "../ports.ts";
import { computeUnit } from "../rehearsal/compute-unit.ts";
import { type BegunUnit, isComputed, isForeseeable, JourneyWriter, placeOf } from "../rehearsal/journey.ts";
import { keyOf, toKey } from "../run/call-results.ts";
import { EventBuffer } from "../run/event-buffer.ts";
import { toPassBase } from "../run/run-base.ts";
import { nextTurn } from "../run/slices.ts";
import { instantsOf } from "../run/to-commit.ts";
import type { ReviewChange, RunRecord } from "../store.ts";

const MOST_MOVES = 5_000;

/** Where an assumed answer comes from: a past call with the same input, or the schema of its output. */
export type AnswerOrigin = "recorded" | "example";

export interface AssumedAnswer {
  origin: AnswerOrigin;
  result: Pick<NodeDone, "output" | "spend" | "patch">;
}

/** A call that a run will make when it goes on. */
export interface ForecastCall {
  type: "call";
  nodeId: string;
  visit: number;
  item: string | null;
  src: string;
  input: Json;
  /** What its answer is taken to be; null for a call whose answer nothing is known of. */
  origin: AnswerOrigin | null;
  /** The decision itself releases it. */
  isReleased: boolean;
}

/** A call as it is looked up. */
export type AskedCall = Pick<ForecastCall, "nodeId" | "visit" | "item" | "src" | "input">;

export type ForecastStep = (
  | ForecastCall
  /** People are asked. */
  | { type: "review"; nodeId: string; visit: number; item: string | null; request: OpenedReview["request"] }
  /** The run waits until a time. */
  | { type: "wait"; nodeId: string; ms: number }
) & {
  /** Whether it follows from an assumed answer: it comes so only if the answer does. */
  isAssumed: boolean;
};

type OpenedReview = Extract<ReviewChange, { type: "open" }>;

/** Why a forecast stops where the run has not ended. */
export interface ForecastRest {
  /**
   * `review`: people decide · `event`: it waits for an event · `child`: it waits for another run · `running`: steps beside it are at work ·
   * `unknown`: nothing is known of an answer · `too-large`: an output that is stored beside the run · `too-long`: more moves than a
   * forecast makes.
   */
  reason: "review" | "event" | "child" | "running" | "unknown" | "too-large" | "too-long";
  nodeId: string | null;
}

/** What follows for a run, as far as it can be known. */
export interface Forecast {
  steps: ForecastStep[];
  end: RunEnd | null;
  /** Null when it ends. */
  rest: ForecastRest | null;
  /** Whether its end or its rest follows from an assumed answer. */
  isAssumed: boolean;
}

export interface ForecastWorld {
  catalog: NodeCatalog;
  /** Runs what is foreseeable, and nothing else. */
  nodes: NodeRunner;
  content: ContentStore | undefined;
  workflowName: string;
  /** The definition of the run, or one of its loops. @throws OvenError where it cannot be compiled, or has no such loop */
  compile(part: string | null): Promise<{ compiled: CompiledMachine; outline: RunOutline }>;
  /** What a call may answer; undefined when nothing is known. */
  answer(call: AskedCall): Promise<AssumedAnswer | undefined>;
}

/** A run at rest, and what moves it. */
export interface ForecastStart {
  record: RunRecord;
  compiled: CompiledMachine;
  facts: RunFacts;
  /** Followed the run up to here. */
  writer: JourneyWriter;
  snapshot: Plan["snapshot"];
  event: PlanEvent;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Follows a run from where it stands, after an event that has not come. Steps whose answer comes from their input alone are computed; what
 * other calls answer is assumed, and what follows from that is marked. It stops where people or events decide. Nothing outside is called.
 */
export async function forecast(world: ForecastWorld, start: ForecastStart): Promise<Forecast> {
  const { compiled, facts, snapshot, event, at } = start;
  const planned = plan(compiled, facts, snapshot, event, { now: at, reviewIds: [-1, -2] });
  const isAtWork = ({ status }: Unit) => status === "planned" || status === "running" || status === "backoff";
  const beside = new Set(snapshot.state.units.filter(isAtWork).map((unit) => keyOf(toKey(unit))));
  return new Forecaster(world, { ...start, beside, made: 2 }).follow(planned);
}

interface Beginning extends Pick<ForecastStart, "record" | "compiled" | "facts" | "writer" | "at"> {
  /** Calls that were at work before: nothing is known of them. */
  beside: ReadonlySet<string>;
  /** How many ids below zero are in use. */
  made: number;
}

class Forecaster {
  readonly #world: ForecastWorld;
  readonly #begin: Beginning;
  readonly #begun = new Map<string, BegunUnit>();
  readonly #buffer: EventBuffer;
  readonly #steps: ForecastStep[] = [];
  /** Ends of the passes through bodies of loops. */
  readonly #arrived: PlanEvent[] = [];
  #listed: number;
  #plan: Plan | undefined;
  #now: number;
  #made: number;
  #isAssumed = false;
  #rest: ForecastRest | null = null;

  constructor(world: ForecastWorld, begin: Beginning, isAssumed = false) {
    this.#world = world;
    this.#begin = begin;
    this.#now = begin.at;
    this.#made = begin.made;
    this.#isAssumed = isAssumed;
    this.#listed = begin.writer.journey.calls.length;
    this.#buffer = new EventBuffer({ now: () => this.#now, setTimer: () => () => undefined }, () => undefined);
  }

  async follow(first: Plan): Promise<Forecast> {
    await this.#take(first);
    const { compiled, facts } = this.#begin;
    for (let moves = 0; this.#plan?.end === null && this.#rest === null; moves += 1) {
      if (moves % 20 === 0) await nextTurn();
      const event = moves > MOST_MOVES ? this.#stop("too-long", null) : await this.#next();
      if (event === undefined || this.#plan === undefined) break;
      const environment = { now: this.#now, reviewIds: this.#newIds(2) };
      const planned = plan(compiled, facts, this.#plan.snapshot, event, environment);
      if (planned.changed) await this.#take(planned);
    }
    return { steps: this.#steps, end: this.#plan?.end ?? null, rest: this.#rest, isAssumed: this.#isAssumed };
  }

  /** Where it stopped: the time, and how many ids it took. */
  get reached(): { now: number; made: number } {
    return { now: this.#now, made: this.#made };
  }

  #stop(reason: ForecastRest["reason"], nodeId: string | null): undefined {
    this.#rest = { reason, nodeId };
    return undefined;
  }

  /** Ids that no recorded review or run has. */
  #newIds(count: number): number[] {
    return Array.from({ length: count }, () => {
      this.#made += 1;
      return -this.#made;
    });
  }

  async #take(planned: Plan): Promise<void> {
    const { writer, facts, at } = this.#begin;
    this.#plan = planned;
    for (const unit of writer.note(planned, facts, this.#now - at)) this.#begun.set(placeOf(unit), unit);
    const { calls } = writer.journey;
    const isAssumed = this.#isAssumed;
    for (const { nodeId, visit, item, src, input } of calls.slice(this.#listed))
      this.#steps.push({ type: "call", nodeId, visit, item, src, input, origin: null, isReleased: false, isAssumed });
    this.#listed = calls.length;
    for (const review of planned.reviews) {
      if (review.type !== "open") continue;
      const { nodeId, visit, item, request } = review;
      this.#steps.push({ type: "review", nodeId, visit, item, request, isAssumed });
    }
    for (const child of planned.children) if (this.#rest === null) await this.#pass(child, planned);
  }

  /** Follows a pass through the body of a loop. What a run of another workflow does is not followed. */
  async #pass({ unit, event, depth, options, request }: Plan["children"][number], { snapshot }: Plan): Promise<void> {
    const { writer, facts, record } = this.#begin;
    const asked = request ?? (unit.item === null ? undefined : writer.memory.request(unit, unit.item)?.child);
    const [id] = this.#newIds(1);
    if (unit.wait?.for !== "child" || asked === undefined || id === undefined) return;
    unit.wait.executionId = id;
    event.fields.childId = id;
    if (asked.part === null) return;
    const { compiled, outline } = await this.#world.compile(asked.part);
    if (outline.part === null) return;
    const own: RunFacts = { id, kind: facts.kind, workflowId: facts.workflowId, input: asked.input, depth, options };
    const base = toPassBase(own, { facts, context: snapshot.context }, outline.part);
    const begin: Beginning = {
      ...{ record, compiled, facts: base.facts, writer: new JourneyWriter(compiled, this.#world.catalog) },
      ...{ at: this.#now, beside: new Set(), made: this.#made },
    };
    const pass = new Forecaster(this.#world, begin, this.#isAssumed);
    const environment = { now: this.#now, reviewIds: this.#newIds(2) };
    const { steps, end, rest, isAssumed } = await pass.follow(
      planStart(compiled, base.facts, base.context, environment),
    );
    this.#steps.push(...steps);
    ({ now: this.#now, made: this.#made } = pass.reached);
    this.#isAssumed = isAssumed;
    if (end === null) {
      this.#rest = rest;
      return;
    }
    const { tokenUsage, costMicros } = begin.writer.journey;
    this.#arrived.push({
      type: "child",
      child: { executionId: id, ...end, tokenUsage, costMicros, simulated: false },
    });
  }

  async #next(): Promise<PlanEvent | undefined> {
    const arrived = this.#arrived.shift();
    if (arrived !== undefined) return arrived;
    const units = this.#plan?.snapshot.state.units ?? [];
    const open = units.filter(
      (unit) => (unit.status === "planned" || unit.status === "running") && !this.#begin.beside.has(keyOf(toKey(unit))),
    );
    const [first] = open.toSorted((one, other) => this.#rank(one) - this.#rank(other));
    if (first === undefined) return this.#wake(units);
    return this.#isComputed(first) ? this.#compute(first) : this.#assume(first);
  }

  #isComputed(unit: Unit): boolean {
    return isComputed(unit, this.#begin.compiled, this.#world.catalog, isForeseeable);
  }

  /** What is certain is followed before what is assumed. */
  #rank(unit: Unit): number {
    return this.#isComputed(unit) ? 0 : 1;
  }

  async #compute(unit: Unit): Promise<PlanEvent | undefined> {
    if (this.#plan === undefined) return undefined;
    const { record, compiled, facts, writer } = this.#begin;
    const { catalog, nodes, content, workflowName } = this.#world;
    const run = { record, facts, compiled, workflowName, snapshot: this.#plan.snapshot };
    const context = {
      ...run,
      memory: writer.memory,
      buffer: this.#buffer,
      catalog,
      nodes,
      content,
      clock: { now: () => this.#now },
    };
    return (await computeUnit(context, unit)) ?? this.#stop("too-large", unit.nodeId);
  }

  async #assume(unit: Unit): Promise<PlanEvent | undefined> {
    const { nodeId, visit, item } = unit;
    const call = this.#callOf(unit);
    const answer = await this.#world.answer({ nodeId, visit, item, src: call.src, input: call.input });
    call.origin = answer?.origin ?? null;
    if (answer === undefined) return this.#stop("unknown", nodeId);
    this.#isAssumed = true;
    return { type: "done", unit: toKey(unit), result: { type: "done", ...answer.result }, emits: [] };
  }

  /** The listed step of a call; a call that people have just released is listed now. */
  #callOf(unit: Unit): Pick<ForecastCall, "src" | "input" | "origin"> {
    const { nodeId, visit, item, src, resume } = unit;
    if (resume?.type === "decision" && resume.action !== "reject") {
      const call: ForecastStep = {
        ...{ type: "call", nodeId, visit, item, src: this.#begun.get(placeOf(unit))?.src ?? src },
        ...{ input: resume.data, origin: null, isReleased: true, isAssumed: this.#isAssumed },
      };
      this.#steps.push(call);
      return call;
    }
    const listed = this.#steps.findLast(
      (step): step is ForecastStep & ForecastCall => step.type === "call" && placeOf(step) === placeOf(unit),
    );
    if (listed !== undefined) return listed;
    if (resume !== undefined) return { src, input: this.#begun.get(placeOf(unit))?.input ?? null, origin: null };
    // It has no effect, but its answer comes from outside.
    const asked: ForecastStep = {
      ...{ type: "call", nodeId, visit, item, src, input: this.#begun.get(placeOf(unit))?.input ?? null },
      ...{ origin: null, isReleased: false, isAssumed: this.#isAssumed },
    };
    this.#steps.push(asked);
    return asked;
  }

  /** Time goes on where nothing but time is waited for. */
  #wake(units: readonly Unit[]): PlanEvent | undefined {
    const beside = units.find((unit) => this.#begin.beside.has(keyOf(toKey(unit))));
    if (beside !== undefined) return this.#stop("running", beside.nodeId);
    for (const { nodeId, wait } of units) {
      if (wait?.for === "review" || wait?.for === "input") return this.#stop("review", nodeId);
      if (wait?.for === "event" || wait?.for === "child") return this.#stop(wait.for, nodeId);
    }
    const state = this.#plan?.snapshot.state;
    const idle = state?.idle?.find((leaf) => leaf.for === "event");
    if (idle !== undefined) return this.#stop("event", idle.stateId);
    const instants = state === undefined ? [] : instantsOf(state);
    const nodeId = units.find(({ status }) => status === "waiting")?.nodeId ?? state?.idle?.[0]?.stateId ?? null;
    if (instants.length === 0) return this.#stop("unknown", nodeId);
    const at = Math.max(this.#now, Math.min(...instants));
    const ms = at - this.#now;
    const isBackoff = units.some(({ status, wakeAt }) => status === "backoff" && wakeAt === at);
    if (ms > 0 && !isBackoff && nodeId !== null)
      this.#steps.push({ type: "wait", nodeId, ms, isAssumed: this.#isAssumed });
    this.#now = at;
    return { type: "clock" };
  }
}
