import { type JsonObject, toJsonPath } from "@oven/contract";
import { type Definition, type State, toTransitions } from "@oven/contract/workflow";
import type { CompiledMachine } from "../compile/machine.ts";
import { type CompiledInvoke, type StateInfo, toMachineId } from "../compile/state-info.ts";
import { listStates } from "../validate/state-list.ts";
import type { Ceiling, CeilingCall, Most } from "./ceiling.ts";
import { longestBackoff } from "./longest-backoff.ts";
import { type Component, longestWay } from "./longest-way.ts";
import { mostPasses } from "./most-passes.ts";
import { type SiblingMoves, siblingMoves } from "./sibling-moves.ts";
import {
  ACTIVE,
  type Amount,
  amount,
  type Cause,
  capped,
  either,
  mostOf,
  NOTHING,
  sum,
  type Totals,
  times,
  together,
  unbound,
  unboundedBy,
  WAITING,
  within,
} from "./totals.ts";

/** What the walk through one run asks of what is around it. */
export interface Around {
  ceiling(call: CeilingCall): Ceiling;
  /** Each of the runs that one visit of a step waits for. */
  children(call: CeilingCall): readonly Totals[];
  /** One pass of a loop whose passes are runs of their own. */
  pass(loopId: string): Totals;
}

/** What a part of a definition needs at most. */
interface Found {
  total: Totals;
  /** Of this the most that a single step in it needs: the limit of steps bounds how many there are. */
  step: Totals;
  /** Quantities that more than steps add to. */
  loose: ReadonlySet<string>;
}

/** Begins the names of quantities that count the visits of a state. */
const VISITS = "visits of ";
const EMPTY: Found = { total: NOTHING, step: NOTHING, loose: new Set() };

/** Goes through the states of one run, from the outermost in. */
export class RunWalk {
  readonly #compiled: CompiledMachine;
  readonly #definition: Definition;
  readonly #around: Around;
  readonly #moves: SiblingMoves;
  readonly #written = new Map<string, { state: State; path: string }>();

  /** @param definition what was compiled, without states that are switched off */
  constructor(compiled: CompiledMachine, definition: Definition, around: Around) {
    this.#compiled = compiled;
    this.#definition = definition;
    this.#around = around;
    this.#moves = siblingMoves(compiled);
    for (const { id, state, path } of listStates(definition)) this.#written.set(id, { state, path: toJsonPath(path) });
  }

  /** What the run needs. */
  whole(): Totals {
    const { root, machine, states, part } = this.#compiled;
    const first = part === null ? states.get(this.#definition.initial ?? "") : undefined;
    const forward = this.#limited(machine.root.type === "parallel" ? this.#regions(root) : this.#region(root, first));
    const undoing = this.#undoing(forward);
    for (const name of forward.keys()) if (name.startsWith(VISITS)) forward.delete(name);
    return undoing.length === 0 ? forward : sum([forward, ...undoing]);
  }

  /** With the limits of a run. */
  #limited({ total, step, loose }: Found): Map<string, Amount> {
    const { timeoutMs, maxSteps } = this.#compiled;
    let most = capped(total, ACTIVE, timeoutMs);
    for (const [name, { most: each }] of times(step, maxSteps))
      if (!loose.has(name) && Number.isFinite(mostOf(most, name))) most = capped(most, name, each);
    return new Map(most);
  }

  /** What undoes the steps of the run: for each visit that may have to be undone the longest way from there, within the limits of a run. */
  #undoing(forward: Totals): Totals[] {
    const { root, states } = this.#compiled;
    const found: Found[] = [];
    for (const [name, visits] of forward) {
      const first = states.get(states.get(name.slice(VISITS.length))?.undo ?? "");
      if (!name.startsWith(VISITS) || first === undefined) continue;
      const way = this.#region(root, first);
      const total = Number.isFinite(visits.most)
        ? times(way.total, visits.most)
        : new Map([...way.total].map(([key]) => [key, unboundedBy(...(key === ACTIVE ? [] : visits.causes))]));
      found.push({ ...way, total: new Map([...total].filter(([key]) => !key.startsWith(VISITS))) });
    }
    return found.length === 0 ? [] : [this.#limited(combine(found, sum(found.map(({ total }) => total))))];
  }

  #regions(parallel: StateInfo): Found {
    const found = parallel.children.map((region) => this.#state(region));
    const all = combine(found, together(found.map(({ total }) => total)));
    const moves = this.#moves.get(parallel);
    // A way out of one region that leads into the others begins all of them again.
    return moves === undefined ? all : this.#cycle(parallel, [parallel], [all]);
  }

  /** @param first only it, and what may be entered after it */
  #children(state: StateInfo, first: StateInfo | undefined): StateInfo[] {
    const all = state.children.filter(({ kind }) => kind !== "history");
    if (first === undefined) return all;
    const moves = this.#moves.get(state);
    const seen = new Set([first, ...(moves?.fromAny ?? [])]);
    for (const one of seen) for (const next of moves?.from.get(one) ?? []) seen.add(next);
    return all.filter((one) => seen.has(one));
  }

  /** One after the other: the longest way through its children. */
  #region(state: StateInfo, first?: StateInfo): Found {
    const children = this.#children(state, first);
    const found = children.map((child) => this.#state(child));
    const moves = this.#moves.get(state);
    const places = new Map(children.map((child, place) => [child, place]));
    const toPlaces = (states: Iterable<StateInfo> = []): number[] =>
      [...states].flatMap((one) => places.get(one) ?? []);
    const fromAny = toPlaces(moves?.fromAny);
    // Between any of them and those that may follow each: as many moves as states, not as their square.
    const hub = children.length;
    const edges = [
      ...children.map(
        (child) => new Set([...toPlaces(moves?.from.get(child)), ...(fromAny.length === 0 ? [] : [hub])]),
      ),
      new Set(fromAny),
    ];
    const pick = <T>(list: readonly T[], { members }: Component): T[] => members.flatMap((place) => list[place] ?? []);
    const total = longestWay(
      edges,
      (component) =>
        component.isCycle
          ? this.#cycle(state, pick(children, component), pick(found, component)).total
          : sum(pick(found, component).map((one) => one.total)),
      (one, other) => sum([one, other]),
      either,
    );
    return combine(found, total);
  }

  /** States that may be entered again and again. */
  #cycle(around: StateInfo, states: readonly StateInfo[], found: readonly Found[]): Found {
    const counted: Totals[] = [];
    const open: { state: StateInfo; found: Found }[] = [];
    for (const [place, state] of states.entries()) {
      const one = found[place] ?? EMPTY;
      const visits = around.visits?.[state.id.slice(around.id.length + 1)];
      if (visits === undefined) open.push({ state, found: one });
      else counted.push(times(one.total, visits));
    }
    const { maxSteps } = this.#definition;
    const endless = open.map(({ state, found: { total, loose } }) =>
      unbound(total, this.#cause(state, "cycle"), (name) => maxSteps === undefined || loose.has(name)),
    );
    if (maxSteps === undefined) return combine(found, sum([...counted, ...endless]));
    const loose = new Set(open.flatMap((one) => [...one.found.loose]));
    const bySteps = times(either(open.map((one) => one.found.step)), maxSteps);
    const bounded = new Map([...bySteps].filter(([name]) => !loose.has(name)));
    const unbounded = new Map([...sum(endless)].filter(([name]) => loose.has(name)));
    return combine(found, sum([...counted, bounded, unbounded]));
  }

  /** One visit. */
  #state(state: StateInfo): Found {
    const found = this.#inside(state);
    const { invoke, kind } = state;
    const total =
      invoke?.timeoutMs !== undefined && (kind === "loop" || kind === "composite")
        ? capped(found.total, ACTIVE, invoke.timeoutMs)
        : found.total;
    return this.#counted(state, { ...found, total: this.#beforeTimers(state, total) });
  }

  /** Counts the visits of a state that may have to be undone, as a quantity. */
  #counted(state: StateInfo, found: Found): Found {
    if (state.undo === undefined) return found;
    const name = `${VISITS}${state.id}`;
    const one: Totals = new Map([[name, amount(1)]]);
    const total = sum([found.total, one]);
    return state.kind === "node"
      ? { ...found, total, step: sum([found.step, one]) }
      : { ...found, total, loose: new Set([...found.loose, name]) };
  }

  #inside(state: StateInfo): Found {
    switch (state.kind) {
      case "node":
        return this.#step(this.#node(state));
      case "fanOut":
        return this.#step(this.#fanOut(state));
      case "plain":
        return this.#rest(state);
      case "composite":
      case "compound":
      case "root":
      case "body":
        return this.#region(state);
      case "parallel":
        return this.#regions(state);
      case "loop":
        return this.#loop(state);
      case "final":
      case "history":
      case "next":
      case "end":
        return EMPTY;
    }
  }

  #step(total: Totals): Found {
    return { total, step: total, loose: new Set() };
  }

  #node(state: StateInfo): Totals {
    const { invoke } = state;
    if (!invoke) return NOTHING;
    const call = this.#call(invoke);
    const { perCall = {}, perVisit = {}, inARow = 0, longestWait } = this.#around.ceiling(call);
    const limit = invoke.timeoutMs ?? Number.POSITIVE_INFINITY;
    const each = new Map(this.#amounts(state, perCall));
    each.set(ACTIVE, amount(Math.min(each.get(ACTIVE)?.most ?? Number.POSITIVE_INFINITY, limit)));
    const children = this.#around.children(call).map((child) => this.#asChild(state, child));
    const waits = sum([this.#amounts(state, perVisit), ...children]);
    const waited = longestWait === undefined ? waits : capped(waits, WAITING, longestWait);
    return sum([times(each, invoke.retry.maxAttempts), waited, this.#pauses(state, invoke, inARow)]);
  }

  /** Between the attempts of a step and of each of its items. */
  #pauses(state: StateInfo, { retry }: CompiledInvoke, items: Most): Totals {
    const each = longestBackoff(retry);
    if (each === 0) return NOTHING;
    return this.#amounts(state, { [WAITING]: typeof items === "number" ? each * (1 + items) : items });
  }

  #fanOut(state: StateInfo): Totals {
    const { looping } = state;
    if (!looping) return NOTHING;
    const passes = this.#passes(state);
    const pass = this.#asChild(state, this.#around.pass(state.id));
    const rounds = times(pass, Math.ceil(passes / looping.concurrency)).get(WAITING) ?? amount(0);
    return new Map([...times(pass, passes), [WAITING, rounds]]);
  }

  #loop(state: StateInfo): Found {
    const body = state.children.find(({ kind }) => kind === "body");
    if (!body) return EMPTY;
    const found = this.#region(body);
    return { ...found, total: times(found.total, this.#passes(state)) };
  }

  #passes({ looping, invoke }: StateInfo): number {
    if (!looping) return 0;
    const payload = this.#compiled.part === null ? this.#definition.payloadSchema : undefined;
    return mostPasses(looping, invoke?.rawInput.collection, payload);
  }

  /** A state in which no node works: it goes on at once, or waits for an event or for its time. */
  #rest(state: StateInfo): Found {
    const written = this.#written.get(state.id)?.state;
    const goesOn = written
      ? toTransitions(written.always).some(({ guard }) => guard === undefined)
      : this.#compiled.machine.getStateNodeById(toMachineId(state.id)).always !== undefined;
    if (goesOn) return EMPTY;
    const total: Totals = new Map([[WAITING, unboundedBy(this.#cause(state, "no-deadline"))]]);
    return { total, step: NOTHING, loose: new Set([WAITING]) };
  }

  /** `after` leads out of a state in time, unless a guard may hold it. */
  #beforeTimers(state: StateInfo, total: Totals): Totals {
    const after = this.#written.get(state.id)?.state.after ?? {};
    let limited = total;
    for (const { key, milliseconds, active } of state.after) {
      const leaves = toTransitions(after[key]).some((way) => way.target !== undefined && way.guard === undefined);
      if (!leaves) continue;
      limited = active === true ? capped(limited, ACTIVE, milliseconds) : within(limited, milliseconds);
    }
    return limited;
  }

  /** A run inside this one: all of its time is waited for. */
  #asChild(state: StateInfo, child: Totals): Totals {
    const named = new Map(
      [...child].map(([name, { most, causes, largest }]): [string, Amount] => [
        name,
        {
          most,
          causes: causes.map((cause) => ({ ...cause, ...this.#place(state, `/${cause.state}`) })),
          largest: largest && { ...largest, ...this.#place(state, `/${largest.state}`) },
        },
      ]),
    );
    const active = named.get(ACTIVE)?.most ?? 0;
    named.delete(ACTIVE);
    return sum([named, new Map([[WAITING, amount(active)]])]);
  }

  #call({ src, version, rawInput }: CompiledInvoke): CeilingCall {
    const { agentConfig, maxToolIterations } = this.#definition;
    const input: JsonObject = rawInput;
    return { src, version, input, settings: { agentConfig, maxToolIterations } };
  }

  #amounts(state: StateInfo, given: Readonly<Record<string, Most>>): Totals {
    return new Map(
      Object.entries(given).map(([name, most]): [string, Amount] => [
        name,
        typeof most === "number"
          ? amount(most, this.#place(state))
          : unboundedBy(this.#cause(state, most.code, most.about)),
      ]),
    );
  }

  #cause(state: StateInfo, code: string, about?: string): Cause {
    return { ...this.#place(state), code, about: about ?? null };
  }

  /** Where a state is written; of an inner state of a composite: where the composite is. */
  #place(state: StateInfo, inner = ""): Pick<Cause, "state" | "path"> {
    let at: StateInfo | undefined = state;
    while (at && !this.#written.has(at.id)) at = at.parent;
    return { state: `${state.id}${inner}`, path: (at && this.#written.get(at.id)?.path) ?? "$.states" };
  }
}

function combine(found: readonly Found[], total: Totals): Found {
  return {
    total,
    step: either(found.map(({ step }) => step)),
    loose: new Set(found.flatMap(({ loose }) => [...loose])),
  };
}
