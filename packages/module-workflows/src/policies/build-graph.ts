import { type JsonObject, OvenError } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import { DEFAULT_MAX_TOOL_ITERATIONS, type Definition, type State } from "@oven/contract/workflow";
import { passDisabled } from "@oven/engine";
import type { NodeDefinition } from "@oven/module-registry";
import { failNode } from "../nodes/fail.node.ts";
import { countersOf } from "./counters.ts";
import { DefinitionScope } from "./definition-scope.ts";
import type { GraphFacts } from "./graph-facts.ts";
import { type Composed, connect, type Instance, NO_CHANGES, type Place, type PolicyGraph } from "./policy-graph.ts";

/** What is looked up while a graph is built. */
export interface GraphSources {
  node(src: string, version?: number): NodeDefinition | undefined;
  facts: GraphFacts;
  /** The definition of a called workflow, and one name for it however it was called; undefined when it is not known. */
  called(kind: ExecutionKind, workflow: string, version?: number): { key: string; definition: Definition } | undefined;
}

/** Called workflows are written out at each place that calls them; beyond this a graph is refused as too large. */
const MAX_PLACES = 60_000;
const DEFAULT_LOOP_ITERATIONS = 100;

/**
 * The graph as it is run: composites expanded, loops with their way back, called workflows in the place of the calls. Every way
 * that a run may take is in it; some that none can take may be, too.
 * @throws OvenError POLICY_UNDECIDED 422
 */
export function buildGraph(definition: Definition, sources: GraphSources): PolicyGraph {
  const places: Place[] = [];
  const builder = new GraphBuilder(sources, places);
  return { start: builder.add(definition, { prefix: "", path: undefined, caller: undefined, stack: [] }), places };
}

class GraphBuilder {
  readonly #sources: GraphSources;
  readonly #places: Place[];

  constructor(sources: GraphSources, places: Place[]) {
    this.#sources = sources;
    this.#places = places;
  }

  add(given: Definition, instance: Instance): Place {
    const definition = passDisabled(given);
    const root = this.#composed(`${instance.prefix}(start)`, instance.path ?? "$.states", instance.caller?.state);
    if (instance.caller !== undefined) {
      connect(root.done, instance.caller.done);
      connect(root.out, instance.caller.out);
    }
    const scope = new DefinitionScope(definition, instance, root, this.#sources.facts);
    this.#children(
      scope,
      definition.states,
      root,
      "",
      (key) => `$.states.${key}`,
      definition.type === "parallel",
      definition.initial,
    );
    for (const [event, transition] of Object.entries(definition.on ?? {}))
      scope.lead(root.out, `on.${event}`, transition, "");
    scope.connectAll();
    return root.state;
  }

  #children(
    scope: DefinitionScope,
    states: Record<string, State>,
    around: Composed,
    prefix: string,
    pathOf: (key: string) => string,
    parallel: boolean,
    initial: string | undefined,
  ): void {
    const ends: Place[] = [];
    for (const [key, state] of Object.entries(states)) {
      const { entry, end } = this.#state(scope, prefix + key, state, around, prefix, pathOf(key));
      if (parallel) {
        around.state.regions.push(entry);
        connect(around.state, entry);
        // A region that never ends never lets the whole be done.
        if (state.type !== "history") ends.push(end ?? this.#place("done", entry.label, entry.path, around.state));
      } else {
        if (key === initial) connect(around.state, entry);
        if (state.type === "final") connect(entry, around.done);
      }
    }
    if (!parallel) return;
    around.done.joins = ends;
    for (const end of ends) connect(end, around.done);
  }

  #state(
    scope: DefinitionScope,
    id: string,
    state: State,
    around: Composed,
    prefix: string,
    at: string,
  ): { entry: Place; end: Place | undefined } {
    const path = scope.instance.path ?? at;
    const label = scope.instance.prefix + id;
    const isComposed = state.states !== undefined || state.loop !== undefined || state.invoke !== undefined;
    if (!isComposed) {
      const place = this.#place("state", label, path, around.state);
      place.counts = countersOf([...(state.entry ?? []), ...(state.exit ?? [])]);
      scope.set(id, place);
      connect(place, around.out);
      scope.history(state, place, prefix);
      scope.leadAll(place, place, id, state, prefix);
      return { entry: place, end: state.type === "final" ? place : undefined };
    }
    const composed = this.#composed(label, path, around.state);
    composed.state.counts = countersOf([...(state.entry ?? []), ...(state.exit ?? [])]);
    scope.set(id, composed.state);
    connect(composed.out, around.out);
    connect(composed.state, composed.out);
    if (state.loop) this.#loop(scope, state, composed, prefix, at);
    else if (state.invoke) this.#invoke(scope, id, state, composed, at);
    if (state.states)
      this.#children(
        scope,
        state.states,
        composed,
        prefix,
        (key) => `${at}.states.${key}`,
        state.type === "parallel",
        state.initial,
      );
    scope.leadAll(composed.done, composed.out, id, state, prefix);
    // Only what has states of its own comes to an end by itself; a node leads on, or the region stays open.
    return { entry: composed.state, end: state.states && !state.loop ? composed.done : undefined };
  }

  /** From its head a loop begins another pass or is done; the way back to the head is counted by the engine. */
  #loop(scope: DefinitionScope, { loop }: State, composed: Composed, prefix: string, at: string): void {
    if (loop === undefined) return;
    const { state, out } = composed;
    state.maxIterations = loop.maxIterations ?? DEFAULT_LOOP_ITERATIONS;
    connect(state, composed.done);
    const end = this.#place("done", state.label, state.path, state);
    connect(end, state, { bounded: true });
    if (loop.continueOnError) connect(out, state, { bounded: true });
    const body: Composed = { state, done: end, out };
    this.#children(
      scope,
      loop.bodyStates,
      body,
      prefix,
      (key) => `${at}.loop.bodyStates.${key}`,
      false,
      loop.bodyInitial,
    );
  }

  #invoke(scope: DefinitionScope, id: string, { invoke }: State, composed: Composed, at: string): void {
    if (invoke === undefined) return;
    const { definition, instance } = scope;
    const node = this.#sources.node(invoke.src, invoke.version);
    const input: JsonObject = invoke.input ?? {};
    const { state, done } = composed;
    const called = (node?.calls?.(input) ?? []).flatMap(
      (call) => this.#sources.called(call.kind, call.workflow, call.version) ?? [],
    );
    const expansion =
      node !== undefined && "expand" in node
        ? node.expand({
            stateId: id,
            input,
            maxToolIterations: definition.maxToolIterations ?? DEFAULT_MAX_TOOL_ITERATIONS,
          })
        : undefined;
    const expanded = expansion !== undefined || called.length > 0;
    if (node !== undefined)
      state.call = { src: invoke.src, node, input, agentConfig: definition.agentConfig ?? {}, expanded };
    if (expansion !== undefined)
      this.#children(scope, expansion.states, composed, `${id}.`, () => at, false, expansion.initial);
    for (const child of called) {
      const outer = instance.stack.find(({ key }) => key === child.key);
      if (outer !== undefined) {
        // It calls what it is part of: the engine bounds how deep that goes.
        connect(state, outer.root.state, { bounded: true });
        connect(outer.root.done, done, { bounded: true });
        continue;
      }
      const stack = [...instance.stack, { key: child.key, root: composed }];
      const inner = { prefix: `${state.label}/`, path: instance.path ?? at, caller: composed, stack };
      connect(state, this.add(child.definition, inner));
    }
    if (!expanded) connect(state, done);
    // Such a node ends its run; of a called workflow that is the end of the call, unless it failed.
    if (node?.endsRun && node.id !== failNode.id) connect(state, scope.root.done);
  }

  #composed(label: string, path: string, parent: Place | undefined): Composed {
    const state = this.#place("state", label, path, parent);
    return { state, done: this.#place("done", label, path, parent), out: this.#place("out", label, path, parent) };
  }

  #place(part: Place["part"], label: string, path: string, parent: Place | undefined): Place {
    if (this.#places.length >= MAX_PLACES) {
      throw new OvenError("POLICY_UNDECIDED", "The workflow with all that it calls is too large to be checked", {
        status: 422,
        fix: "Let it call fewer workflows, or split it.",
      });
    }
    const place: Place = {
      part,
      label,
      path,
      parent,
      edges: [],
      call: undefined,
      maxIterations: undefined,
      joins: undefined,
      regions: [],
      counts: NO_CHANGES,
    };
    this.#places.push(place);
    return place;
  }
}
