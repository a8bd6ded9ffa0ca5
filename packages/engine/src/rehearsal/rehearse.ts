import type { RunOutline } from "../compile/loop-part.ts";
import type { CompiledMachine } from "../compile/machine.ts";
import type { RunContext } from "../expressions/scope.ts";
import { plan, planStart } from "../plan/plan.ts";
import type { Plan, PlanEvent, RunFacts, RunSnapshot } from "../plan/plan-types.ts";
import type { Unit } from "../plan/run-state.ts";
import type { ContentStore, NodeCatalog, NodeRunner } from "../ports.ts";
import { toKey } from "../run/call-results.ts";
import { EventBuffer } from "../run/event-buffer.ts";
import { nodeTimeout, toFailure } from "../run/failure.ts";
import { toPassBase } from "../run/run-base.ts";
import { nextTurn } from "../run/slices.ts";
import { BY_PARENT, instantsOf } from "../run/to-commit.ts";
import { computeUnit } from "./compute-unit.ts";
import { type BegunUnit, isComputed, type Journey, JourneyWriter, noJourney, placeOf } from "./journey.ts";
import { asksModelOnly, type LiveCalls } from "./live-calls.ts";
import { type RecordedEvent, type RecordedRun, type RecordedUnit, shownBy } from "./recorded-run.ts";

const MOST_MOVES = 20_000;

/** Why it cannot be known how a run would have gone on. */
export interface Unknown {
  /**
   * `new-call`: no recorded call is like this one · `no-answer`: the recorded call has no answer · `other-review`: people would have been
   * shown something else · `no-decision`: it was not decided · `no-event`: what it waits for did not come · `too-large`: an output
   * that is stored beside the run · `too-long`: more moves than a rehearsal makes · `live-budget`: a model was not asked, because what may be spent on
   * that is spent · `live-failed`: it was asked and gave no answer.
   */
  reason:
    | "new-call"
    | "no-answer"
    | "other-review"
    | "no-decision"
    | "no-event"
    | "too-large"
    | "too-long"
    | "live-budget"
    | "live-failed";
  nodeId: string | null;
}

/** What a run would have done. */
export interface Rehearsed {
  /** As far as it is known. */
  journey: Journey;
  unknown: Unknown | null;
}

/** What a rehearsal is made with. */
export interface RehearsalWorld {
  catalog: NodeCatalog;
  /** Runs what can be computed here, and nothing else. */
  nodes: NodeRunner;
  /** Asks models where no answer was recorded; absent: none is asked. */
  live?: LiveCalls | undefined;
  content: ContentStore | undefined;
  workflowName: string;
  /** The definition that is tried, or one of its loops. @throws OvenError where it cannot be compiled, or has no such loop */
  compile(part: string | null): Promise<{ compiled: CompiledMachine; outline: RunOutline }>;
}

interface Beginning {
  compiled: CompiledMachine;
  facts: RunFacts;
  context: RunContext;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Goes through a recorded run on another definition. Steps whose answer comes from their input alone are computed; every other call gets
 * the answer that was recorded for the same input, people's decisions and events come as they came. Nothing outside is called.
 */
export async function rehearse(world: RehearsalWorld, recorded: RecordedRun, context: RunContext): Promise<Rehearsed> {
  const { compiled } = await world.compile(null);
  const { facts, startedAt: at } = recorded;
  return new Rehearsal(world, recorded, { compiled, facts, context, at }).go();
}

interface Next {
  event: PlanEvent;
  at: number;
  reviewIds: readonly number[];
}

class Rehearsal {
  readonly #world: RehearsalWorld;
  readonly #recorded: RecordedRun;
  readonly #begin: Beginning;
  readonly #writer: JourneyWriter;
  readonly #begun = new Map<string, BegunUnit>();
  /** How many answers of a recorded call were taken. */
  readonly #taken = new Map<RecordedUnit, number>();
  readonly #messages: RecordedEvent[];
  /** Results of passes that were rehearsed. */
  readonly #arrived: RecordedEvent[] = [];
  readonly #otherReviews = new Set<number>();
  /** Passes whose end is not known, and why. */
  readonly #openPasses = new Map<number, Unknown>();
  /** How many reviews each place has opened. */
  readonly #opened = new Map<string, number>();
  /** Since when the present attempt of a call runs. */
  readonly #since = new Map<string, number>();
  readonly #buffer: EventBuffer;
  #bySignature: Map<string, RecordedUnit[]> | undefined;
  #snapshot: RunSnapshot | undefined;
  #now: number;
  #made = 0;
  #unknown: Unknown | null = null;

  constructor(world: RehearsalWorld, recorded: RecordedRun, begin: Beginning) {
    this.#world = world;
    this.#recorded = recorded;
    this.#begin = begin;
    this.#now = begin.at;
    this.#writer = new JourneyWriter(begin.compiled, world.catalog);
    // A parent that does not wait any more cancels its children: that follows from its own moves.
    this.#messages = recorded.messages.filter(({ event }) => event.type !== "cancel" || event.by !== BY_PARENT);
    const clock = { now: () => this.#now, setTimer: () => () => undefined };
    this.#buffer = new EventBuffer(clock, () => undefined);
  }

  async go(): Promise<Rehearsed> {
    const { compiled, facts, context } = this.#begin;
    await this.#take(planStart(compiled, facts, context, { now: this.#now, reviewIds: [] }));
    for (let moves = 0; this.#writer.journey.end === null && this.#unknown === null; moves += 1) {
      if (moves % 50 === 0) await nextTurn();
      const next = moves > MOST_MOVES ? this.#give({ reason: "too-long", nodeId: null }) : await this.#next();
      if (next === undefined || this.#snapshot === undefined) break;
      // Workers' clocks differ: what was recorded may lie before what came before it.
      this.#now = next.at;
      const environment = { now: this.#now, reviewIds: [...next.reviewIds, ...this.#newIds(2)] };
      const planned = plan(compiled, facts, this.#snapshot, next.event, environment);
      if (planned.changed) await this.#take(planned);
    }
    return { journey: this.#writer.journey, unknown: this.#unknown };
  }

  #give(unknown: Unknown): undefined {
    this.#unknown = unknown;
    return undefined;
  }

  /** Ids that no recorded review or run has. */
  #newIds(count: number): number[] {
    return Array.from({ length: count }, () => {
      this.#made -= 1;
      return this.#made;
    });
  }

  async #take(planned: Plan): Promise<void> {
    const { facts, at } = this.#begin;
    this.#snapshot = planned.snapshot;
    for (const unit of this.#writer.note(planned, facts, this.#now - at)) this.#begun.set(placeOf(unit), unit);
    for (const review of planned.reviews) {
      if (review.type !== "open") continue;
      this.#opened.set(placeOf(review), (this.#opened.get(placeOf(review)) ?? 0) + 1);
      if (this.#recorded.shown.get(review.id) !== shownBy(review)) this.#otherReviews.add(review.id);
    }
    for (const child of planned.children) if (this.#unknown === null) await this.#startChild(child, planned.snapshot);
  }

  /** A pass through the body of a loop is rehearsed, too; of another workflow the recorded run counts. */
  async #startChild(
    { unit, event, depth, options, request }: Plan["children"][number],
    snapshot: RunSnapshot,
  ): Promise<void> {
    const asked = request ?? (unit.item === null ? undefined : this.#writer.memory.request(unit, unit.item)?.child);
    if (unit.wait?.for !== "child" || asked === undefined) return;
    const childId = this.#recordedOf(unit)?.childId ?? null;
    const [id] = childId === null ? this.#newIds(1) : [childId];
    if (id === undefined) return;
    unit.wait.executionId = id;
    event.fields.childId = id;
    if (asked.part === null) {
      if (childId === null) this.#give({ reason: "new-call", nodeId: unit.nodeId });
      return;
    }
    const { compiled, outline } = await this.#world.compile(asked.part);
    if (outline.part === null) return;
    const { kind, workflowId } = this.#begin.facts;
    const own: RunFacts = { id, kind, workflowId, input: asked.input, depth, options };
    const base = toPassBase(own, { facts: this.#begin.facts, context: snapshot.context }, outline.part);
    const recorded = this.#recorded.children.get(id) ?? emptyRecording(this.#recorded, base.facts, this.#now);
    const rehearsal = new Rehearsal(this.#world, recorded, { compiled, ...base, at: this.#now });
    const { journey, unknown } = await rehearsal.go();
    this.#writer.addChild(unit, journey);
    if (unknown !== null) this.#openPasses.set(id, unknown);
    if (journey.end === null) return;
    const { tokenUsage, costMicros, end } = journey;
    const then = this.#recorded.messages.find(
      ({ event: its }) => its.type === "child" && its.child.executionId === id && hasEnded(its.child.status),
    );
    this.#arrived.push({
      // One that the run did not wait for to its end comes after everything else.
      seq: then?.seq ?? (this.#recorded.children.has(id) ? Number.POSITIVE_INFINITY : 0),
      at: then?.at ?? this.#now,
      reviewIds: [],
      event: { type: "child", child: { executionId: id, ...end, tokenUsage, costMicros, simulated: false } },
    });
  }

  /** What the recorded run knows of a call: by its place, or of a step that has another name now, by what it asks. */
  #recordedOf(unit: Unit): RecordedUnit | undefined {
    const begun = this.#begun.get(placeOf(unit));
    if (begun === undefined) return undefined;
    const { units } = this.#recorded;
    const there = units.get(placeOf(unit));
    if (there?.signature === begun.signature) return there;
    const { states } = this.#begin.compiled;
    this.#bySignature ??= Map.groupBy(units.values(), ({ signature }) => signature);
    return this.#bySignature
      .get(begun.signature)
      ?.find(({ nodeId, visit, item }) => visit === begun.visit && item === begun.item && !states.has(nodeId));
  }

  async #next(): Promise<Next | undefined> {
    const units = this.#snapshot?.state.units ?? [];
    const answers: { answer: RecordedEvent; unit: Unit; recorded: RecordedUnit }[] = [];
    let unanswered: Unit | undefined;
    for (const unit of units) {
      if (unit.status !== "planned" && unit.status !== "running") continue;
      this.#noteSince(unit);
      const isFanOut = this.#begin.compiled.states.get(unit.nodeId)?.kind === "fanOut";
      const recorded = isFanOut ? undefined : this.#recordedOf(unit);
      const answer = recorded?.answers[this.#taken.get(recorded) ?? 0];
      if (recorded !== undefined && answer !== undefined) answers.push({ answer, unit, recorded });
      else if (recorded !== undefined) unanswered ??= unit;
      else if (isComputed(unit, this.#begin.compiled, this.#world.catalog)) return this.#compute(unit);
      else if (this.#mayAsk(unit)) return this.#ask(unit);
      else return this.#give({ reason: "new-call", nodeId: unit.nodeId });
    }
    const answered = answers.toSorted((one, other) => one.answer.seq - other.answer.seq)[0];
    const message = this.#nextMessage();
    const seq = Math.min(answered?.answer.seq ?? Infinity, message?.seq ?? Infinity);
    const at = (seq === message?.seq ? message : answered?.answer)?.at;
    const wake = this.#nextWake(at);
    if (wake !== undefined) return { event: { type: "clock" }, at: Math.max(wake, this.#now), reviewIds: [] };
    if (message !== undefined && message.seq === seq) return this.#takeMessage(message);
    if (answered !== undefined) return this.#takeAnswer(answered);
    if (unanswered !== undefined) return this.#give({ reason: "no-answer", nodeId: unanswered.nodeId });
    return this.#give(this.#whyItRests(units));
  }

  #noteSince(unit: Unit): void {
    const key = `${placeOf(unit)} ${unit.attempt} ${unit.resume?.type ?? ""}`;
    if (!this.#since.has(key)) this.#since.set(key, this.#now);
  }

  #takeAnswer({ answer, unit, recorded }: { answer: RecordedEvent; unit: Unit; recorded: RecordedUnit }): Next {
    const key = `${placeOf(unit)} ${unit.attempt} ${unit.resume?.type ?? ""}`;
    const timeoutMs = this.#begin.compiled.states.get(unit.nodeId)?.invoke?.timeoutMs;
    const since = this.#since.get(key) ?? this.#now;
    const isTimeout = answer.event.type === "failed" && answer.event.failure.error.code === "NODE_TIMEOUT";
    if (timeoutMs !== undefined && answer.event.type === "done" && answer.at - since > timeoutMs && !isTimeout) {
      const failure = toFailure(nodeTimeout(unit.nodeId, timeoutMs), unit.nodeId);
      const event: PlanEvent = { type: "failed", unit: toKey(unit), failure, emits: [], discardText: false };
      return { event, at: since + timeoutMs, reviewIds: [] };
    }
    this.#taken.set(recorded, (this.#taken.get(recorded) ?? 0) + 1);
    const { event, at, reviewIds } = answer;
    return { event: "unit" in event ? { ...event, unit: toKey(unit) } : event, at, reviewIds };
  }

  /** The earliest of what came from outside that the run can take now. */
  #nextMessage(): RecordedEvent | undefined {
    const open = [...this.#arrived, ...this.#messages].filter(({ event }) => this.#canTake(event));
    return open.toSorted((one, other) => one.seq - other.seq)[0];
  }

  #canTake(event: PlanEvent): boolean {
    const units = this.#snapshot?.state.units ?? [];
    if (event.type === "decision") {
      const { reviewId } = event.decision;
      const isOpen = units.some(({ wait }) => wait !== undefined && "reviewId" in wait && wait.reviewId === reviewId);
      return isOpen && !this.#otherReviews.has(reviewId);
    }
    if (event.type !== "child") return true;
    const { executionId } = event.child;
    const isRehearsed = this.#recorded.children.has(executionId);
    if (isRehearsed && !this.#arrived.some((arrived) => arrived.event === event)) return false;
    return units.some(({ wait }) => wait?.for === "child" && wait.executionId === executionId);
  }

  #takeMessage(message: RecordedEvent): Next {
    for (const list of [this.#arrived, this.#messages]) {
      const index = list.indexOf(message);
      if (index >= 0) list.splice(index, 1);
    }
    return message;
  }

  /**
   * The next instant that the recorded run did not have, if it comes before `limit`; any instant when nothing else is left. What the
   * recorded run had, its own looks at the clock bring.
   */
  #nextWake(limit: number | undefined): number | undefined {
    if (this.#snapshot === undefined) return undefined;
    const { instants } = this.#recorded;
    const coming = instantsOf(this.#snapshot.state).filter(
      (at) => limit === undefined || (at <= limit && !instants.has(at)),
    );
    return coming.length === 0 ? undefined : Math.min(...coming);
  }

  #whyItRests(units: readonly Unit[]): Unknown {
    const waiting = units.filter(({ status }) => status === "waiting");
    for (const { wait } of waiting) {
      const open = wait?.for === "child" ? this.#openPasses.get(wait.executionId) : undefined;
      if (open !== undefined) return open;
    }
    const asked = waiting.find(({ wait }) => wait !== undefined && "reviewId" in wait);
    if (asked?.wait !== undefined && "reviewId" in asked.wait) {
      const reason = this.#otherReviews.has(asked.wait.reviewId) ? "other-review" : "no-decision";
      return { reason, nodeId: asked.nodeId };
    }
    const nodeId = waiting.at(-1)?.nodeId ?? this.#snapshot?.state.idle?.[0]?.stateId ?? null;
    return { reason: "no-event", nodeId };
  }

  #mayAsk(unit: Unit): boolean {
    const { live, catalog } = this.#world;
    const begun = this.#begun.get(placeOf(unit));
    if (live === undefined || begun === undefined || unit.resume !== undefined) return false;
    return asksModelOnly(catalog.get(unit.src, unit.version), begun);
  }

  /** Really asks a model, as long as there is something left to spend. What comes of a failure would say nothing of the definition. */
  async #ask(unit: Unit): Promise<Next | undefined> {
    const { live } = this.#world;
    if (live?.begin() !== true) return this.#give({ reason: "live-budget", nodeId: unit.nodeId });
    const began = live.now();
    this.#writer.noteLive(unit);
    const event = await this.#call(unit, live.nodes, live.signal);
    live.signal.throwIfAborted();
    if (event === undefined) return this.#give({ reason: "too-large", nodeId: unit.nodeId });
    if (event.type !== "done") return this.#give({ reason: "live-failed", nodeId: unit.nodeId });
    live.pay(event.result.spend?.costMicros ?? 0);
    return { event, at: this.#now + Math.round(live.now() - began), reviewIds: [] };
  }

  async #call(unit: Unit, nodes: NodeRunner, signal?: AbortSignal): Promise<PlanEvent | undefined> {
    if (this.#snapshot === undefined) return undefined;
    const { record } = this.#recorded;
    const { compiled, facts } = this.#begin;
    const { catalog, content, workflowName } = this.#world;
    const run = { record, facts, compiled, workflowName, snapshot: this.#snapshot };
    const context = {
      ...run,
      memory: this.#writer.memory,
      buffer: this.#buffer,
      catalog,
      nodes,
      content,
      clock: { now: () => this.#now },
    };
    return computeUnit(context, unit, signal);
  }

  async #compute(unit: Unit): Promise<Next | undefined> {
    const event = await this.#call(unit, this.#world.nodes);
    if (event === undefined) return this.#give({ reason: "too-large", nodeId: unit.nodeId });
    return { event, at: this.#now, reviewIds: this.#reviewsAt(unit) };
  }

  /** The reviews that the recorded run opened at this place: what is shown the same again has their decision. */
  #reviewsAt(unit: Unit): readonly number[] {
    const ids = this.#recorded.units.get(placeOf(unit))?.reviewIds ?? [];
    return ids.slice(this.#opened.get(placeOf(unit)) ?? 0);
  }
}

function hasEnded(status: string): boolean {
  return status !== "running" && status !== "paused";
}

/** Of a pass that the recorded run did not make. */
function emptyRecording({ record }: RecordedRun, facts: RunFacts, at: number): RecordedRun {
  return {
    record,
    facts,
    startedAt: at,
    units: new Map(),
    messages: [],
    shown: new Map(),
    instants: new Set(),
    journey: noJourney(),
    children: new Map(),
  };
}
