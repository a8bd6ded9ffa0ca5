import type { Json } from "./canonical.ts";
import type { CertifiedGraph } from "./certificate.ts";

type Fields = { [key: string]: Json };

/**
 * What a definition draws and a graph does not have: states, the nodes that they invoke, transitions, and who is asked for an
 * approval. What it has beyond that (composed steps, called workflows) can only make a claim harder to keep.
 */
export function findUndrawn(definition: Json, graph: CertifiedGraph): string[] {
  return new Drawn(graph).check(toFields(definition));
}

class Drawn {
  readonly #nodes = new Map<string, string | undefined>();
  /** States that have places of their own for being done and for what leads out at any time. */
  readonly #composed = new Set<string>();
  readonly #edges = new Set<string>();
  readonly #joined = new Set<string>();
  readonly #reviews: { of: string; by: string[] }[] = [];
  readonly #problems: string[] = [];

  constructor({ places, edges }: CertifiedGraph) {
    for (const { part, label, node, joins } of places) {
      if (joins !== undefined) this.#joined.add(label);
      if (part === "state") this.#nodes.set(label, node);
      else this.#composed.add(label);
    }
    for (const { from, to, review } of edges) {
      const [one, other] = [places[from], places[to]];
      if (one === undefined || other === undefined) continue;
      this.#edges.add(JSON.stringify([one.label, one.part, other.label, other.part]));
      if (review !== undefined) this.#reviews.push({ of: one.label, by: review ?? [] });
    }
    if (places[0]?.label !== "(start)") this.#problems.push("the first place is not the start");
  }

  check(definition: Fields): string[] {
    this.#states("(start)", definition.states, definition.initial, definition.type === "parallel");
    for (const transition of Object.values(toFields(definition.on))) this.#lead("(start)", "out", transition);
    return this.#problems;
  }

  #states(around: string, states: Json | undefined, initial: Json | undefined, isParallel: boolean): void {
    for (const [key, given] of Object.entries(toFields(states))) {
      if (isParallel || key === initial) this.#need(around, "state", key);
      this.#state(key, toFields(given));
    }
  }

  #state(key: string, state: Fields): void {
    const [invoke, loop] = [toFields(state.invoke), toFields(state.loop)];
    if (!this.#nodes.has(key)) this.#problems.push(`the graph has no state ${key}`);
    if (state.disabled === true) {
      this.#pass(key, invoke.onDone ?? loop.onDone ?? state.onDone ?? state.always);
      return;
    }
    if (state.loop === undefined && this.#nodes.get(key) !== invoke.src)
      this.#problems.push(`${key} does not invoke in the graph what it invokes in the definition`);
    const asked = JSON.stringify(invoke.input ?? null);
    for (const decider of this.#reviews.flatMap(({ of, by }) => (of === key ? by : [])))
      if (!asked.includes(JSON.stringify(decider))) this.#problems.push(`${key} does not ask ${decider}`);
    if (this.#joined.has(key) && state.type !== "parallel") this.#problems.push(`${key} has nothing to join`);
    if (this.#composed.has(key)) this.#need(key, "state", key, "out");
    const events = [state.on, state.after].flatMap((named) => Object.values(toFields(named)));
    const atAnyTime = [state.always, state.onError, invoke.onError, loop.onError, ...events];
    for (const each of atAnyTime) this.#lead(key, "out", each);
    for (const each of [state.onDone, state.undo, invoke.onDone, loop.onDone]) this.#lead(key, "done", each);
    this.#states(key, state.states, state.initial, state.type === "parallel");
    this.#states(key, loop.bodyStates, loop.bodyInitial, false);
  }

  /** A step that is switched off does nothing, and leads on by its first way without a condition. */
  #pass(key: string, ways: Json | undefined): void {
    if (this.#nodes.get(key) !== undefined) this.#problems.push(`${key} is switched off in the definition only`);
    const list = Array.isArray(ways) ? ways : [ways];
    this.#lead(
      key,
      "out",
      list.find((one) => typeof one === "string" || !("guard" in toFields(one))),
    );
  }

  #lead(from: string, part: "done" | "out", transition: Json | undefined): void {
    for (const one of Array.isArray(transition) ? transition : [transition]) {
      const to = typeof one === "string" ? one : toFields(one).target;
      if (typeof to === "string") this.#need(from, this.#composed.has(from) ? part : "state", to);
    }
  }

  #need(from: string, part: string, to: string, toPart = "state"): void {
    if (!this.#edges.has(JSON.stringify([from, part, to, toPart])))
      this.#problems.push(`the graph has no way from ${from} to ${to}`);
  }
}

function toFields(value: Json | undefined): Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}
