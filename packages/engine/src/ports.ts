import type { Json, JsonObject, Principal } from "@oven/contract";
import type { Effect, ItemRequest, NodeResult, NodeSignal, RunAgent } from "@oven/contract/node";
import type { ExecutionKind, RunEventName, RunOptions } from "@oven/contract/run";
import type { AgentConfig, MemoryConfig, Retry, State } from "@oven/contract/workflow";
import type { RunOutline } from "./compile/loop-part.ts";
import type { CompiledMachine } from "./compile/machine.ts";
import { isObject } from "./expressions/json-access.ts";
import type { RunRecord } from "./store.ts";

/*
 * What the engine needs from outside. Modules satisfy these structurally; nothing here knows a module, a database
 * or a wall clock. The store's port is in `store.ts`.
 */

/** The part of a zod schema the engine uses; any `z.object` satisfies it. */
export interface InputSchema {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: unknown }
    | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } };
}

export interface ExpandRequest {
  stateId: string;
  /** The raw input of the invoke: literals, paths and templates, unresolved. */
  input: JsonObject;
  maxToolIterations: number;
}

export interface Expansion {
  initial: string;
  /** Inner states by short name; a node's full id is `<stateId>.<name>`. */
  states: Record<string, State>;
  /** Value of the composite's output, computed when an inner final state is reached. */
  output: Json;
  /**
   * How often inner states on a cycle are entered at most in one visit of the step, by short name, where the composite itself counts.
   * Nothing bounds one that is left out.
   */
  visits?: Readonly<Record<string, number>>;
}

/** What the engine must know of a node type; a `NodeDefinition` of module-registry satisfies it. */
export interface CatalogEntry {
  id: string;
  version: number;
  effect: Effect;
  /** With the effect `pure`: its result comes from its input and its run alone, so it may run before what led to it is written. */
  isLocal?: boolean | undefined;
  /** Paths of the run's context that it reads besides its input, or which its input names; `$.trigger` need not be named. */
  reads?: readonly string[] | ((input: JsonObject) => readonly string[]) | undefined;
  retry?: Retry | undefined;
  timeoutMs?: number | undefined;
  input: InputSchema;
  /** JSON Schema of its output, with what only a step knows of it (`TYPE_FROM` of scope). */
  outputSchema?(): JsonObject;
  /** An example of its output, for dry runs. @param type what is known of the output of one step; absent: what the node declares */
  example?(type?: JsonObject): Json;
  /** True for nodes that always end the run or fail (`core.stop`, `core.fail`): such a state needs no `onDone`. */
  endsRun?: boolean | undefined;
  /** It does nothing but wait, for time, a person, an event or another run: `timeoutMs`, which counts work, cannot bound it. */
  isWait?: boolean | undefined;
  /** With this input it asks a model and does nothing else: a rehearsal may ask it again, where people allow that. */
  asksModelOnly?(input: JsonObject): boolean;
  /** Inputs that must be written out: no path, template or expression. */
  literals?: readonly string[] | undefined;
  /** Inputs that name a place in the context: a path there is handed on as it is written, not what it leads to. */
  paths?: readonly string[] | undefined;
  /** Inputs whose texts are code: they are handed on as they are written, and nothing in them is a path, template or expression. */
  verbatim?: readonly string[] | undefined;
  /** The workflows it calls, where its raw input names them literally. */
  calls?(input: JsonObject): { kind: ExecutionKind; workflow: string; version?: number }[];
  /** Present on composites: they become states at compile time and are never run. */
  expand?(request: ExpandRequest): Expansion;
}

/** The paths that a call with this input may read besides it. */
export function readsOf(entry: CatalogEntry | undefined, input: unknown): readonly string[] {
  const reads = entry?.reads ?? [];
  return typeof reads === "function" ? reads(isObject(input as Json) ? (input as JsonObject) : {}) : reads; // cast: an input is JSON
}

export interface NodeCatalog {
  /** The newest version unless one is named. */
  get(src: string, version?: number): CatalogEntry | undefined;
  names(): readonly string[];
}

/** Settings of the definition that nodes honour. */
export interface RunSettings {
  agentConfig: AgentConfig;
  memoryConfig: MemoryConfig;
  maxToolIterations: number;
  streamingEnabled: boolean;
  workflowId: number;
  workflowName: string;
}

/** One call of a node: everything it may see and everything it may do to its run. */
export interface NodeCall {
  src: string;
  version: number;
  /** Resolved, and parsed with the node's `input` schema. */
  input: unknown;
  node: {
    executionId: number;
    /** The run at the top of its family. */
    rootExecutionId: number;
    kind: ExecutionKind;
    nodeId: string;
    visit: number;
    attempt: number;
    item: string | null;
  };
  /** Set for calls about one item of a `wait` for items. */
  item: ItemRequest | null;
  principal: Principal;
  /** Whether its run had begun before this worker took it up: it waited, or another worker had it. */
  isContinued: boolean;
  /** When its run was started. */
  createdAt: string;
  /** The version that the run is pinned to; below zero: a draft's revision. */
  workflowVersion: number;
  /** The run that this one is a child of. */
  parentExecutionId: number | null;
  /** The versions that calls of other workflows are pinned to, by `<kind>:<id>`. */
  pinnedCalls: Readonly<Record<string, number>>;
  /** The agent that the run belongs to. */
  agent: RunAgent | null;
  /** How the run differs from a plain one. */
  options: RunOptions | null;
  /** Aborted by cancel, by the node's time-out and when the lease is lost. */
  signal: AbortSignal;
  /** The time as its run has it, in epoch milliseconds: deadlines and delays count from there. */
  now(): number;
  settings: RunSettings;
  /** hash(execution, node, visit, item, ordinal): the same on retries and takeovers. Ordinal starts at 0. */
  idempotencyKey(ordinal?: number): string;
  /** Resolves a path that the node's `reads` names, or `$.trigger`, on the run's context; undefined when missing. */
  read(path: string): Json | undefined;
  /** A domain event, written in the commit of this call's outcome. */
  emit(event: string, payload: JsonObject): void;
  log(level: "debug" | "info" | "warn" | "error", message: string, data?: Json): void;
  /** Streamed text of a part; persisted in 50–100 ms batches before it is published, addressed by offset. */
  text(partId: string, chunk: string): void;
  /** An entry of the run's log: `tool.started`, `tool.completed`, `tool.failed`, `message.added`. */
  event(name: RunEventName, fields: JsonObject): void;
}

/** Runs nodes. A failure is a thrown `OvenError`; anything else thrown counts as a retryable `NODE_ERROR`. */
export interface NodeRunner {
  run(call: NodeCall): Promise<NodeResult>;
  /** After a wait only this is called for that visit (or item), never `run`. */
  resume(call: NodeCall, signal: NodeSignal): Promise<NodeResult>;
  runItem(call: NodeCall, item: ItemRequest): Promise<NodeResult>;
}

export interface WorkQueue {
  /** Wakes a run; a wake-up may be lost or doubled, the run row is the truth. */
  enqueue(executionId: number, options?: { at?: Date }): Promise<void>;
  /** Hands wake-ups to `handler` until the returned function is called; it resolves when running handlers are done. */
  work(handler: (executionId: number) => Promise<void>): Promise<() => Promise<void>>;
}

/** Time, injected. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Calls back once at or after `at`; the returned function cancels. */
  setTimer(at: number, callback: () => void): () => void;
}

/** What decides which machine a run is. */
export type PinnedRun = Pick<RunRecord, "kind" | "workflowId" | "workflowVersion" | "tenantId" | "part" | "options">;

export interface LoadedDefinition {
  compiled: CompiledMachine;
  workflowName: string;
  /** Values of the configuration keys that it reads, as they are now. */
  config?: JsonObject | undefined;
}

/** The pinned definition of a run, compiled. */
export interface DefinitionSource {
  /** @throws OvenError when it no longer exists or cannot be compiled; the run then fails with that error */
  load(run: PinnedRun): Promise<LoadedDefinition>;
  /** What such a run begins with; also where it cannot be compiled any more. @throws OvenError when it no longer exists */
  outline(kind: ExecutionKind, workflowId: number, version: number, part: string | null): Promise<RunOutline>;
}

/** Content that is kept beside the run's rows. */
export interface ContentStore {
  /** Keeps an output that is too large for a row, and answers what stands for it. */
  write(
    position: { tenantId: number; executionId: number; nodeId: string; visit: number; item: string | null },
    output: Json,
  ): Promise<Json>;
  /** @throws OvenError NOT_FOUND */
  read(reference: JsonObject, tenantId: number): Promise<Json>;
}

/** Ids that must be known before the commit that uses them. */
export interface Ids {
  review(): Promise<number>;
  executions(count: number): Promise<number[]>;
}
