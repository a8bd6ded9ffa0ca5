import type { Json, Principal, Problem } from "@oven/contract";
import type {
  Effect,
  ItemRequest,
  NodeCategory,
  NodeDone,
  NodeKind,
  NodeOutcome,
  NodeResult,
  NodeSignal,
  RunAgent,
} from "@oven/contract/node";
import type { ExecutionKind, RunEventName, RunOptions } from "@oven/contract/run";
import type { AgentConfig, MemoryConfig, Retry, State } from "@oven/contract/workflow";
import type { z } from "zod";
import type { Ceiling, CeilingFacts, CeilingRequest } from "./ceiling.ts";
import type { ServiceMap } from "./services.ts";

/** What a node sees while it runs. Everything it may do to the run goes through here. */
export interface NodeContext<Input = unknown> {
  input: Input;
  node: {
    executionId: number;
    /** The run at the top of its family: whose child it is, if of any. */
    rootExecutionId: number;
    kind: "workflow" | "agent-workflow";
    nodeId: string;
    visit: number;
    attempt: number;
    item: string | null;
  };
  principal: Principal;
  /** The versions that calls of other workflows are pinned to, by `<kind>:<id>`; `<kind>:<id>@<version>` where the call names one. */
  pinnedCalls: Readonly<Record<string, number>>;
  /** The agent that the run belongs to; null: none. */
  agent: RunAgent | null;
  /** How the run differs from a plain one. */
  options: RunOptions | null;
  /** Aborted by cancel, by the node's time-out and when the lease is lost. */
  signal: AbortSignal;
  /** The time as its run has it, in epoch milliseconds: deadlines and delays count from there. */
  now(): number;
  /** Settings of the definition that nodes honour. */
  settings: {
    agentConfig: AgentConfig;
    memoryConfig: MemoryConfig;
    maxToolIterations: number;
    streamingEnabled: boolean;
    workflowId: number;
    workflowName: string;
  };
  /** hash(execution, node, visit, item, ordinal): the same on retries and takeovers. */
  idempotencyKey(ordinal?: number): string;
  /** Resolves a path such as `$.messages` on the run's context; undefined when missing. */
  read(path: string): Json | undefined;
  /** A configuration value of the node's module, for this run's tenant and workflow. */
  config(key: string): Promise<Json>;
  services: ServiceMap;
  /** A domain event, delivered from the outbox after this node's commit. */
  emit(event: string, payload: { [key: string]: Json }): void;
  log(level: "debug" | "info" | "warn" | "error", message: string, data?: Json): void;
  /** Streamed text of a part; persisted in batches before it is published. */
  text(partId: string, chunk: string): void;
  /** An entry of the run's log, such as `tool.started`. */
  event(name: RunEventName, fields: { [key: string]: Json }): void;
}

/** A step of a definition that does not run yet. */
export interface InspectedStep {
  /** As it is written: literals, paths and templates, unresolved. */
  input: { [key: string]: Json };
  agentConfig: AgentConfig;
  /** Who writes or publishes it. */
  principal: Principal;
}

/** What is wrong with an input. `path` begins in the input. */
export interface InputProblem extends Omit<Problem, "path"> {
  path: (string | number)[];
}

interface NodeBase<Input extends z.ZodObject, Output extends z.ZodType> {
  /** `agent.llm`: the category or namespace, then the name. */
  id: string;
  version: number;
  title: string;
  /** Markdown: what it does, when to use it, what it answers. */
  docs: string;
  category: NodeCategory;
  kind: NodeKind;
  input: Input;
  output: Output;
  outcomes?: NodeOutcome[];
  effect: Effect;
  /** It only computes from its input and its run: it may run before what led to it is written. With `pure` only. */
  isLocal?: boolean;
  /**
   * Paths of the run's context that it reads besides its input, or which its input names; `read` gives no others. `$.trigger` need not be
   * named.
   */
  reads?: readonly string[] | ((input: { [key: string]: Json }) => readonly string[]);
  retry?: Retry;
  timeoutMs?: number;
  permissions?: string[];
  /** Further permissions, needed only with some values of its raw input. */
  mayNeed?(input: { [key: string]: Json }): readonly string[];
  /**
   * It hands on what its caller may do: it starts runs, or makes what later acts for its caller, such as a version or a trigger. Which
   * permissions that takes, only its input says.
   */
  delegates?: boolean;
  /** Other words by which people look for it in the palette. */
  synonyms?: readonly string[];
  /** The inputs that most steps set, at most six, in the order of the form; the others are folded there unless they are needed or set. */
  firstFields?: readonly string[];
  /** What policies on graphs name it by: `money`; `outside-content` for what strangers may have written. */
  tags?: readonly string[];
  /** It always ends the run or fails, so a state that invokes it needs no `onDone`. */
  endsRun?: boolean;
  /** It does nothing but wait, for time, a person, an event or another run: `timeoutMs`, which counts work, cannot bound it. */
  isWait?: boolean;
  /** With this input it asks a model and does nothing else: a rehearsal may ask it again, where people allow that. */
  asksModelOnly?(input: { [key: string]: Json }): boolean;
  /** Inputs that must be written out: no path, template or expression. */
  literals?: readonly string[];
  /** Inputs that name a place in the context: a path there is handed on as it is written, not what it leads to. */
  paths?: readonly string[];
  /** Inputs whose texts are code: they are handed on as they are written, and nothing in them is a path, template or expression. */
  verbatim?: readonly string[];
  /** The workflows it calls, where its raw input names them literally: runs are pinned to their versions, or to the one it names. */
  calls?(input: { [key: string]: Json }): { kind: ExecutionKind; workflow: string; version?: number }[];
  /**
   * What is wrong with a step that the schema of its input cannot say, such as code that does not parse. It is asked where a definition is
   * checked, and before it is published.
   */
  inspect?(step: InspectedStep, services: ServiceMap): Promise<InputProblem[]>;
  /** What one visit of a step needs at most. Absent: no model, no tool and no person is asked, and nothing is waited for. */
  ceiling?(step: CeilingRequest, facts: CeilingFacts): Ceiling;
}

export interface RunnableNode<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends NodeBase<Input, Output> {
  run(context: NodeContext<z.output<Input>>): Promise<NodeResult>;
  /** After a wait only this is called, never `run`. */
  resume?(context: NodeContext<z.output<Input>>, signal: NodeSignal): Promise<NodeResult>;
  /** One item of a `wait` for items; `context.node.item` is its key. */
  runItem?(context: NodeContext<z.output<Input>>, item: ItemRequest): Promise<NodeResult>;
}

export interface ExpandRequest {
  stateId: string;
  /** The raw input of the invoke: literals, paths and templates, unresolved. */
  input: { [key: string]: Json };
  maxToolIterations: number;
}

export interface Expansion {
  initial: string;
  /** Inner states by short name; their full id is `<stateId>.<name>`. */
  states: Record<string, State>;
  /** Value of the composite's output, computed when an inner final state is reached. */
  output: Json;
  /**
   * How often inner states on a cycle are entered at most in one visit of the step, by short name, where the composite itself counts.
   * Nothing bounds one that is left out.
   */
  visits?: Readonly<Record<string, number>>;
}

/** A node that becomes states at compile time. Pure: the same input gives the same states. */
export interface CompositeNode<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends NodeBase<Input, Output> {
  expand(request: ExpandRequest): Expansion;
}

export type NodeDefinition = RunnableNode | CompositeNode;

/** Describes a node once: palette entry, form, validation, docs, JSON Schema and the code that runs it. */
export function defineNode<Input extends z.ZodObject, Output extends z.ZodType>(
  node: RunnableNode<Input, Output>,
): RunnableNode {
  return node as unknown as RunnableNode; // cast: the runner parses the input with node.input before it calls run
}

/** Declares a node type that stands for several states: `expand` gives them when a definition is compiled. */
export function defineCompositeNode<Input extends z.ZodObject, Output extends z.ZodType>(
  node: CompositeNode<Input, Output>,
): CompositeNode {
  return node as unknown as CompositeNode; // cast: expand takes raw input only, its type does not depend on Input
}

/** Whether a node type is expanded to states rather than called. */
export function isComposite(node: NodeDefinition): node is CompositeNode {
  return "expand" in node;
}

/** A finished node's result. */
export function done(output: { [key: string]: Json }, more: Omit<NodeDone, "type" | "output"> = {}): NodeResult {
  return { type: "done", output, ...more };
}
