import type { Json } from "@oven/contract";
import type { RoutedEdge, RoutedGraphSpec, RoutedNode } from "@oven/contract/formats/routed.ts";
import type { Action, Definition, Guard, State, TransitionObject } from "@oven/contract/workflow";
import { END_VALUE } from "./check-routed.ts";
import {
  ENDED_STATE,
  GRAPH_STATE,
  HANDOFF_STATE,
  NO_ROUTE_STATE,
  RESUME_STATE,
  routeState,
  statesOf,
} from "./routed-states.ts";

const STEP_LIMIT = 15;
const TIMEOUT_SECONDS = 90;
/** A fence behind the turn's own limits, which count anew when a person lets it go on. */
const FENCE_STEPS = 10_000;
const FENCE_MS = 24 * 3_600_000;

const assign = (path: string, value: Json): Action => ({ type: "assign", params: { path, value } });
const add = (path: string): Action => ({ type: "assign", params: { path, add: 1 } });
const condition = (key: string, operator: "==" | ">=" | "exists" | "empty", value?: Json): Guard => ({
  type: "condition",
  params: { key, operator, ...(value === undefined ? {} : { value }) },
});
const not = (guard: Guard): Guard => ({ type: "not", guard });
const all = (...guards: Guard[]): Guard => ({ type: "all", guards });

/** A name in a text that has templates. */
const plain = (name: string): string => name.replaceAll("{{", "{ {");

const NEXT = "$.output.next";
const hop = (from: string, to: string): string => `$.hops.${from}__${to}`;
const ASKS_TOOLS = not(condition("$.output.toolCalls", "empty"));

const NOBODY: State = {
  label: "Nobody goes on",
  invoke: {
    src: "core.fail",
    input: {
      code: "ROUTE_MISSING",
      message: "{{ $.caller }} named nobody to go on, and the workflow is no conversation that could end here",
    },
  },
};

/**
 * A checked graph as a definition of ours. One run is one turn: agents and tool executors hand over to each other inside a
 * compound state, which step limit, time-out and repeated routes leave for a person, who can let it go on where it was.
 */
export function compileRouted(spec: RoutedGraphSpec): Definition {
  const graph = new RoutedCompiler(spec);
  return {
    id: `routed_graph_${spec.id.replaceAll(/\W/g, "_")}`,
    initial: GRAPH_STATE,
    maxSteps: FENCE_STEPS,
    timeoutMs: FENCE_MS,
    streamingEnabled: true,
    payloadSchema: {
      type: "object",
      properties: { message: { type: "string" }, messages: { type: "array" } },
      required: ["message"],
    },
    context: {
      ...{ messages: [], steps: 0, caller: null, caller_agent: null, next: null, answer: null },
      ...{ handoff_reason: null, hops: graph.noHops() },
    },
    entry: [
      { ...assign("$.messages", "$.trigger.messages"), guard: condition("$.trigger.messages", "exists") },
      { type: "assign", params: { path: "$.messages", append: { role: "user", content: "$.trigger.message" } } },
    ],
    states: {
      [GRAPH_STATE]: {
        label: spec.name,
        initial: graph.stateOf(spec.entrypointNodeId),
        after: {
          [String((spec.timeoutSeconds ?? TIMEOUT_SECONDS) * 1_000)]: toHandoff(
            `time-out: the turn took longer than ${spec.timeoutSeconds ?? TIMEOUT_SECONDS} seconds`,
          ),
        },
        afterActive: true,
        states: graph.states(),
      },
      [HANDOFF_STATE]: graph.handoff(),
      ...(graph.mayFindNobody() ? { [NO_ROUTE_STATE]: NOBODY } : {}),
      [ENDED_STATE]: { type: "final", output: "$.answer" },
    },
    meta: {
      source: {
        format: "routed-graph",
        workflow: spec.id,
        isConversational: spec.isConversational,
        entrypointNodeId: spec.entrypointNodeId,
      },
    },
  };
}

function toHandoff(reason: string, guard?: Guard): TransitionObject {
  const actions = [assign("$.handoff_reason", reason)];
  return { target: HANDOFF_STATE, ...(guard === undefined ? {} : { guard }), actions };
}

class RoutedCompiler {
  readonly #spec: RoutedGraphSpec;
  readonly #nodes: ReadonlyMap<string, RoutedNode>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #limit: number;

  constructor(spec: RoutedGraphSpec) {
    this.#spec = spec;
    this.#nodes = new Map(spec.nodes.map((node) => [node.id, node]));
    this.#names = statesOf(spec);
    this.#limit = spec.stepLimit ?? STEP_LIMIT;
  }

  stateOf(nodeId: string): string {
    const state = this.#names.get(nodeId);
    if (state === undefined) throw new Error(`there is no node ${nodeId}`);
    return state;
  }

  /** Whether an agent can say nothing of who goes on where that is an error. */
  mayFindNobody(): boolean {
    return (
      !this.#spec.isConversational &&
      this.#spec.nodes.some(
        (node) =>
          node.nodeType === "AGENT" && !this.#edgesOf(node).some(({ conditionType }) => conditionType === "ALWAYS"),
      )
    );
  }

  /** No route was taken yet. */
  noHops(): Record<string, Json> {
    return Object.fromEntries(
      this.#spec.edges.flatMap(({ sourceNodeId, targetNodeId }) =>
        targetNodeId === null ? [] : [[`${this.stateOf(sourceNodeId)}__${this.stateOf(targetNodeId)}`, 0]],
      ),
    );
  }

  states(): Record<string, State> {
    const states: Record<string, State> = {};
    for (const node of this.#spec.nodes) {
      const name = this.stateOf(node.id);
      if (node.nodeType === "AGENT") states[name] = this.#agent(node, name);
      else {
        states[name] = this.#executor(node, name);
        states[routeState(name)] = { label: `After ${node.nodeName}`, always: this.#afterTools(node) };
      }
    }
    states[RESUME_STATE] = { type: "history", target: this.stateOf(this.#spec.entrypointNodeId) };
    return states;
  }

  handoff(): State {
    const over = (action: string): Guard => condition("$.output.action", "==", action);
    return {
      label: "Hand over to a person",
      description: "Approve: it goes on where it was. Edit: your answer is the workflow's. Reject: it ends here.",
      invoke: {
        src: "agent.humanReview",
        input: {
          title: "{{ $.caller }} needs a person: {{ $.handoff_reason }}",
          show: { answer: "" },
          schema: {
            $literal: {
              type: "object",
              properties: { answer: { type: "string", title: "Your answer" } },
              required: ["answer"],
            },
          },
          context: { reason: "$.handoff_reason", agent: "$.caller", conversation: "$.messages" },
        },
        onDone: [
          { target: ENDED_STATE, guard: over("reject") },
          {
            target: ENDED_STATE,
            guard: over("edit"),
            actions: [
              assign("$.answer", "$.output.data.answer"),
              {
                type: "assign",
                params: { path: "$.messages", append: { role: "assistant", content: "$.output.data.answer" } },
              },
            ],
          },
          {
            target: RESUME_STATE,
            actions: [
              assign("$.steps", 0),
              assign("$.hops", { $literal: this.noHops() }),
              assign("$.handoff_reason", null),
            ],
          },
        ],
      },
    };
  }

  #agent(node: RoutedNode, name: string): State {
    const values = this.#edgesOf(node).flatMap(({ conditionValue }) => conditionValue ?? []);
    return {
      label: node.nodeName,
      meta: { source: { node: node.id } },
      entry: [
        assign("$.caller", { $literal: node.nodeName }),
        assign("$.caller_agent", { $literal: node.agentId }),
        add("$.steps"),
      ],
      invoke: {
        src: "agent.llm",
        input: {
          agent: { $literal: node.agentId },
          ...(values.length === 0 ? {} : { routes: { $literal: values } }),
          ...(this.#spec.isConversational ? { controlTools: ["end"] } : {}),
        },
        onDone: this.#afterAgent(node, name).map((transition) => ({
          ...transition,
          actions: [
            { ...assign("$.next", NEXT), guard: condition(NEXT, "exists") },
            { ...assign("$.next", null), guard: not(condition(NEXT, "exists")) },
            { ...assign("$.answer", "$.output.text"), guard: not(condition("$.output.text", "empty")) },
            ...(transition.actions ?? []),
          ],
        })),
      },
    };
  }

  #afterAgent(node: RoutedNode, name: string): TransitionObject[] {
    const edges = this.#edgesOf(node);
    const ways: TransitionObject[] = [];
    const executor = edges.find((edge) => this.#leadsTo(edge)?.nodeType === "TOOL_EXECUTOR");
    const ends = edges.some(({ targetNodeId }) => targetNodeId === null);
    const names = edges.flatMap(({ conditionValue }) => conditionValue ?? []).join(", ");
    const isEnd = condition(NEXT, "==", END_VALUE);
    if (ends) ways.push({ target: ENDED_STATE, guard: isEnd });
    else ways.push(toHandoff(`${plain(node.nodeName)} ended, and has no edge with the value ${END_VALUE}`, isEnd));
    ways.push(toHandoff(this.#limitReached(), this.#atLimit()));
    if (executor === undefined)
      ways.push(toHandoff(`${plain(node.nodeName)} asked for tools, and has no edge to a tool executor`, ASKS_TOOLS));
    else ways.push({ target: this.stateOf(executor.targetNodeId ?? ""), guard: ASKS_TOOLS });
    for (const edge of edges) {
      if (edge.conditionType === "ALWAYS" || edge.targetNodeId === null) continue;
      ways.push(...this.#take(name, edge, condition(NEXT, "==", edge.conditionValue)));
    }
    const always = edges.find(({ conditionType }) => conditionType === "ALWAYS");
    if (always !== undefined) return [...ways, ...this.#take(name, always)];
    const none = `no edge: ${plain(node.nodeName)} named {{ $.output.next }}; its ways are ${names === "" ? "none" : plain(names)}`;
    ways.push(toHandoff(none, condition(NEXT, "exists")));
    return [...ways, { target: this.#spec.isConversational ? ENDED_STATE : NO_ROUTE_STATE }];
  }

  /** One way, and the way out where it was taken before with nothing new since. */
  #take(from: string, edge: RoutedEdge, guard?: Guard): TransitionObject[] {
    const node = this.#leadsTo(edge);
    if (node === undefined) throw new Error(`the edge ${edge.id} leads nowhere`);
    const target = this.stateOf(node.id);
    if (node.nodeType === "TOOL_EXECUTOR") return [{ target, ...(guard === undefined ? {} : { guard }) }];
    const again = condition(hop(from, target), ">=", 1);
    const source = plain(this.#nodes.get(edge.sourceNodeId)?.nodeName ?? from);
    const reason = `cycle: from ${source} to ${plain(node.nodeName)} again, with nothing new`;
    return [
      toHandoff(reason, guard === undefined ? again : all(guard, again)),
      { target, ...(guard === undefined ? {} : { guard }), actions: [add(hop(from, target))] },
    ];
  }

  #executor(node: RoutedNode, name: string): State {
    const tools = this.#edgesOf(node).flatMap(({ conditionValue }) => conditionValue ?? []);
    const list = tools.map((tool) => JSON.stringify(tool)).join(", ");
    return {
      label: node.nodeName,
      meta: { source: { node: node.id } },
      entry: [add("$.steps")],
      invoke: {
        src: "agent.toolExecutor",
        input: { agent: "$.caller_agent" },
        onDone: {
          target: routeState(name),
          actions: [
            assign("$.hops", { $literal: this.noHops() }),
            ...(tools.length === 0
              ? []
              : [
                  assign("$.routed_tools", {
                    $cel: `ctx.toolResults.filter(one, one.tool in [${list}]).map(one, one.tool)`,
                  }),
                ]),
          ],
        },
      },
    };
  }

  /** Of several tools that have an edge the last one decides; then ALWAYS; then whoever asked. */
  #afterTools(node: RoutedNode): TransitionObject[] {
    const edges = this.#edgesOf(node).filter(({ targetNodeId }) => targetNodeId !== null);
    const targetOf = ({ targetNodeId }: RoutedEdge) => this.stateOf(targetNodeId ?? "");
    const always = edges.find(({ conditionType }) => conditionType === "ALWAYS");
    return [
      toHandoff(this.#limitReached(), this.#atLimit()),
      ...edges
        .filter(({ conditionType }) => conditionType === "CONDITIONAL")
        .map((edge) => ({
          target: targetOf(edge),
          guard: condition("$.routed_tools[-1]", "==", edge.conditionValue),
        })),
      ...(always !== undefined
        ? [{ target: targetOf(always) }]
        : this.#spec.nodes
            .filter(({ nodeType }) => nodeType === "AGENT")
            .map(({ id, nodeName }) => ({ target: this.stateOf(id), guard: condition("$.caller", "==", nodeName) }))),
    ];
  }

  #edgesOf({ id }: RoutedNode): RoutedEdge[] {
    return this.#spec.edges.filter(({ sourceNodeId }) => sourceNodeId === id);
  }

  #leadsTo({ targetNodeId }: RoutedEdge): RoutedNode | undefined {
    return targetNodeId === null ? undefined : this.#nodes.get(targetNodeId);
  }

  #atLimit(): Guard {
    return condition("$.steps", ">=", this.#limit);
  }

  #limitReached(): string {
    return `step limit: ${this.#limit} nodes have run in this turn`;
  }
}
