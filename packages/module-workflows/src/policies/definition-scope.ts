import { type Definition, type State, type Transition, toTransitions } from "@oven/contract/workflow";
import { countersOf } from "./counters.ts";
import type { GraphFacts } from "./graph-facts.ts";
import { ancestorsOf, type Composed, connect, type Edge, type Instance, type Place } from "./policy-graph.ts";
import { takesRejection } from "./rejection.ts";

/** One definition on its way into the graph: its transitions are connected once all of its states are there. */
export class DefinitionScope {
  readonly definition: Definition;
  readonly instance: Instance;
  readonly root: Composed;
  readonly #facts: GraphFacts;
  readonly #places = new Map<string, Place>();
  readonly #later: (() => void)[] = [];

  constructor(definition: Definition, instance: Instance, root: Composed, facts: GraphFacts) {
    this.definition = definition;
    this.instance = instance;
    this.root = root;
    this.#facts = facts;
  }

  set(id: string, place: Place): void {
    this.#places.set(id, place);
  }

  /** All transitions of a state: from where it is done, and from wherever in it a run may be. */
  leadAll(done: Place, out: Place, id: string, state: State, prefix: string): void {
    const { invoke, loop } = state;
    const onDone = loop ? (loop.onDone ?? invoke?.onDone) : invoke?.onDone;
    const review = invoke && !loop ? this.#facts.review(invoke.src, invoke.input ?? {}) : undefined;
    const rejections = review === undefined ? [] : takesRejection(onDone, id);
    this.lead(done, "invoke.onDone", onDone, prefix, (index) => (rejections[index] === false ? review : undefined));
    this.lead(done, "onDone", state.onDone, prefix);
    this.lead(out, "always", state.always, prefix);
    this.lead(out, "invoke.onError", loop ? (loop.onError ?? invoke?.onError) : invoke?.onError, prefix);
    this.lead(out, "onError", state.onError, prefix);
    this.lead(done, "undo", state.undo, prefix);
    for (const [event, transition] of Object.entries(state.on ?? {})) this.lead(out, `on.${event}`, transition, prefix);
    for (const [time, transition] of Object.entries(state.after ?? {}))
      this.lead(out, `after.${time}`, transition, prefix);
  }

  lead(
    from: Place,
    slot: string,
    transition: Transition | undefined,
    prefix: string,
    review: (index: number) => Edge["review"] = () => undefined,
  ): void {
    this.#later.push(() => {
      for (const [index, { target, guard, actions }] of toTransitions(transition).entries()) {
        const to = target === undefined ? from : this.#find(prefix, target);
        if (to === undefined) continue;
        const edge = { slot, guard, counts: countersOf(actions), review: review(index) };
        connect(from, to, edge);
        // A transition into one part of a parallel state enters all of its parts.
        const here = new Set(ancestorsOf(from));
        for (const around of ancestorsOf(to))
          if (around.regions.length > 0 && !here.has(around)) connect(from, around, edge);
      }
    });
  }

  /** It leads to wherever the state around it was. */
  history({ type, target }: State, place: Place, prefix: string): void {
    if (type !== "history") return;
    this.#later.push(() => {
      const first = target === undefined ? undefined : this.#find(prefix, target);
      const siblings = [...this.#places.values()].filter((other) => other.parent === place.parent && other !== place);
      for (const to of first === undefined ? siblings : [first, ...siblings]) connect(place, to);
    });
  }

  connectAll(): void {
    for (const connectNow of this.#later) connectNow();
  }

  #find(prefix: string, target: string): Place | undefined {
    return this.#places.get(prefix + target) ?? this.#places.get(target);
  }
}
