import { type Definition, type State, type Transition, toTransitions } from "@oven/contract/workflow";

/** Where the run, or what fails it, ends. No id of a state has a space. */
export const END = "the end";
/** Where a state with states inside is done. */
const doneOf = (id: string): string => `${id} done`;

/** Which state leads to which, at any nesting. It is made of the definition alone. */
export class DefinitionGraph {
  readonly initial: string | undefined;
  readonly #next = new Map<string, Set<string>>();
  /** As `#next`, without the ways of errors. */
  readonly #onward = new Map<string, Set<string>>();
  readonly #counts = new Map<string, number>();
  readonly #finals = new Set<string>();

  constructor({ initial, states }: Pick<Definition, "initial" | "states">) {
    this.initial = initial;
    this.#walk(states, END, false);
  }

  /** How many states have an id. */
  count(id: string): number {
    return this.#counts.get(id) ?? 0;
  }

  isFinal(id: string): boolean {
    return this.#finals.has(id);
  }

  /** What is come to without passing another one of `steps`; the beginning itself is not among it. */
  directFrom(id: string, steps: ReadonlySet<string>): Set<string> {
    const seen = new Set(this.#next.get(id));
    for (const next of seen) {
      if (steps.has(next)) continue;
      for (const further of this.#next.get(next) ?? []) seen.add(further);
    }
    return seen;
  }

  /**
   * What leads to a step or ends, but for errors: one node of a document can be several states, of which the last stands for it. What has come
   * to the first of them has come to the node.
   */
  beginningsOf(step: string, steps: ReadonlySet<string>): Set<string> {
    const found = new Set([step]);
    for (let size = 0; size < found.size; ) {
      size = found.size;
      for (const [id, onward] of this.#onward) {
        const further = [...onward].filter((next) => !this.#finals.has(next));
        if (!steps.has(id) && further.length > 0 && further.every((next) => found.has(next))) found.add(id);
      }
    }
    return found;
  }

  /** Whether every way from a state leads to one of the others, before it ends or comes back to `origin`. */
  alwaysLeads(from: string, to: ReadonlySet<string>, origin: string | undefined): boolean {
    const seen = new Set([from]);
    for (const id of seen) for (const next of this.#next.get(id) ?? []) if (!to.has(next)) seen.add(next);
    return !seen.has(END) && (origin === undefined || !seen.has(origin));
  }

  /** Whether every way on from a state leads to one of the others, before it ends or comes back. */
  alwaysGoesOnTo(from: string, to: ReadonlySet<string>): boolean {
    const next = [...(this.#next.get(from) ?? [])];
    return next.length > 0 && next.every((id) => to.has(id) || this.alwaysLeads(id, to, from));
  }

  #walk(states: Readonly<Record<string, State>>, finish: string, areRegions: boolean): void {
    for (const [id, state] of Object.entries(states)) {
      this.#counts.set(id, this.count(id) + 1);
      this.#leads(id, state, finish, areRegions);
    }
  }

  #leads(id: string, state: State, finish: string, isRegion: boolean): void {
    const { invoke, loop, states, type } = state;
    for (const way of [invoke?.onDone, loop?.onDone, state.always]) this.#add(id, way);
    this.#onward.set(id, new Set(this.#next.get(id)));
    for (const way of [invoke?.onError, loop?.onError, state.onError]) this.#add(id, way);
    for (const way of [...Object.values(state.on ?? {}), ...Object.values(state.after ?? {})]) this.#add(id, way);
    if (type === "final") {
      this.#finals.add(id);
      this.#add(id, finish);
    }
    if (invoke !== undefined && invoke.onDone === undefined) this.#add(id, END);
    if (loop !== undefined) {
      this.#add(id, loop.bodyInitial);
      this.#walk(loop.bodyStates, id, false);
    }
    if (states === undefined) {
      this.#add(id, state.onDone);
      return;
    }
    this.#add(doneOf(id), state.onDone ?? (isRegion ? finish : undefined));
    if (type === "parallel") {
      // What follows a parallel state follows whatever its regions do.
      for (const next of [...Object.keys(states), doneOf(id)]) this.#add(id, next);
    } else {
      this.#add(id, state.initial);
      // So does what follows a group that nothing leads out of.
      const ids = idsIn(states);
      if (targetsIn(states).every((target) => ids.has(target))) this.#add(id, doneOf(id));
    }
    this.#walk(states, doneOf(id), type === "parallel");
  }

  #add(from: string, way: Transition | undefined): void {
    const known = this.#next.get(from) ?? new Set();
    this.#next.set(from, known);
    for (const { target } of toTransitions(way)) if (target !== undefined) known.add(target);
  }
}

type States = Readonly<Record<string, State>>;

/** Ids of states at any nesting. */
function idsIn(states: States): Set<string> {
  return new Set(
    Object.entries(states).flatMap(([id, { states: inner = {}, loop }]) => [
      ...[id, ...idsIn(inner), ...idsIn(loop?.bodyStates ?? {})],
    ]),
  );
}

/** What states at any nesting lead to. */
function targetsIn(states: States): string[] {
  return Object.values(states).flatMap(
    ({ invoke, loop, always, onDone, onError, on = {}, after = {}, states: inner = {} }) => {
      const ways = [always, onDone, onError, invoke?.onDone, invoke?.onError, loop?.onDone, loop?.onError];
      const own = [...ways, ...Object.values(on), ...Object.values(after)].flatMap((way) => toTransitions(way));
      const targets = own.flatMap(({ target }) => target ?? []);
      return [...targets, ...targetsIn(inner), ...targetsIn(loop?.bodyStates ?? {})];
    },
  );
}
