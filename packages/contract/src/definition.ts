import { z } from "zod";
import { type Json, type JsonObject, JsonObjectSchema, JsonSchema } from "./json.ts";
import { MemoryStrategySchema } from "./memory.ts";

/*
 * The canonical definition: XState-style JSON. The schema decides shape only; rules that need the whole graph
 * or the node registry (targets, reachability, node inputs) live in the engine's validator.
 */

export const OPERATORS = ["==", "!=", ">", "<", ">=", "<=", "contains", "exists", "empty", "in", "matches"] as const;
/** How a condition compares. */
export const OperatorSchema = z.enum(OPERATORS);
export type Operator = z.infer<typeof OperatorSchema>;

export type Guard =
  | { type: "condition"; params: { key: string; operator: Operator; value?: Json }; loose?: boolean }
  | { type: "all" | "any"; guards: Guard[] }
  | { type: "not"; guard: Guard }
  | { type: "cel"; params: { expression: string } };

/** The condition of a transition. */
export const GuardSchema: z.ZodType<Guard> = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("condition"),
      params: z.strictObject({ key: z.string().min(1), operator: OperatorSchema, value: JsonSchema.optional() }),
      loose: z.boolean().optional(),
    }),
    z.strictObject({ type: z.enum(["all", "any"]), guards: z.array(GuardSchema).min(1) }),
    z.strictObject({ type: z.literal("not"), guard: GuardSchema }),
    z.strictObject({ type: z.literal("cel"), params: z.strictObject({ expression: z.string().min(1).max(4_000) }) }),
  ]),
) as z.ZodType<Guard>; // cast: zod infers optional keys as `| undefined`, JSON has none

const guard = GuardSchema.optional();

/** An action of a transition: assign, emit or log. */
export const ActionSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("assign"),
    params: z.strictObject({
      path: z.string().min(1),
      value: JsonSchema.optional(),
      add: JsonSchema.optional(),
      append: JsonSchema.optional(),
      /** With `append`: how many newest items to keep. */
      keep: z.int().positive().optional(),
    }),
    guard,
  }),
  z.strictObject({
    type: z.literal("emit"),
    params: z.strictObject({ event: z.string().min(1), payload: JsonSchema.optional() }),
    guard,
  }),
  z.strictObject({
    type: z.literal("log"),
    params: z.strictObject({
      level: z.enum(["debug", "info", "warn", "error"]).default("info"),
      message: z.string(),
      data: JsonSchema.optional(),
    }),
    guard,
  }),
]);
export type Action = z.infer<typeof ActionSchema>;

/** A transition with its guard and actions. */
export const TransitionObjectSchema = z.strictObject({
  target: z.string().min(1).optional(),
  guard,
  actions: z.array(ActionSchema).optional(),
  reenter: z.boolean().optional(),
  description: z.string().optional(),
  meta: JsonObjectSchema.optional(),
});
export type TransitionObject = z.infer<typeof TransitionObjectSchema>;

/** A target id, an object, or a list tried in order: the first whose guard passes is taken. */
export const TransitionSchema = z.union([
  z.string().min(1),
  TransitionObjectSchema,
  z.array(z.union([z.string().min(1), TransitionObjectSchema])).min(1),
]);
export type Transition = z.infer<typeof TransitionSchema>;

/**
 * ISO-8601 durations of weeks, or of days, hours, minutes and seconds, in that order of groups. Months and years have no
 * fixed length and are refused.
 */
export const ISO_DURATION =
  /^P(?=\d|T\d)(?:(\d+(?:\.\d+)?)W|(?:(\d+(?:\.\d+)?)D)?(?:T(?=\d)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?)$/;

const DURATION_UNITS = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000];

/** Milliseconds of an ISO-8601 duration; undefined when it is none. */
export function durationToMs(duration: string): number | undefined {
  const match = ISO_DURATION.exec(duration);
  if (match === null) return undefined;
  return Math.round(DURATION_UNITS.reduce((total, unit, index) => total + Number(match[index + 1] ?? 0) * unit, 0));
}

/** Integer milliseconds, or an ISO-8601 duration such as `PT15M`. */
export const DurationSchema = z.union([
  z.int().nonnegative(),
  z.string().regex(ISO_DURATION, "an ISO-8601 duration such as PT15M or P1D"),
]);

/** How often a failed call is repeated, and after which wait in milliseconds. */
export const RetrySchema = z.strictObject({
  maxAttempts: z.int().min(1).max(20).optional(),
  backoff: z.enum(["exponential", "fixed"]).optional(),
  initialMs: z.int().nonnegative().optional(),
  maxMs: z.int().nonnegative().optional(),
});
export type Retry = z.infer<typeof RetrySchema>;

/** What a state calls: a node type with its input. */
export const InvokeSchema = z.strictObject({
  src: z.string().min(1),
  version: z.int().positive().optional(),
  input: z.record(z.string(), JsonSchema).optional(),
  /** Bounds each active attempt, in milliseconds. */
  timeoutMs: z.int().positive().optional(),
  retry: RetrySchema.optional(),
  onDone: TransitionSchema.optional(),
  onError: TransitionSchema.optional(),
});
export type Invoke = z.infer<typeof InvokeSchema>;

export interface Loop {
  type: "forEach" | "while";
  collection?: Json | undefined;
  condition?: Guard | undefined;
  itemVariable?: string | undefined;
  indexVariable?: string | undefined;
  maxIterations?: number | undefined;
  timeoutMs?: number | undefined;
  concurrency?: number | undefined;
  continueOnError?: boolean | undefined;
  onLimit?: "fail" | "continue" | undefined;
  bodyInitial: string;
  bodyStates: Record<string, State>;
  onDone?: Transition | undefined;
  onError?: Transition | undefined;
}

export interface State {
  type?: "atomic" | "compound" | "parallel" | "history" | "final" | undefined;
  label?: string | undefined;
  description?: string | undefined;
  disabled?: boolean | undefined;
  initial?: string | undefined;
  states?: Record<string, State> | undefined;
  invoke?: Invoke | undefined;
  loop?: Loop | undefined;
  always?: Transition | undefined;
  on?: Record<string, Transition> | undefined;
  after?: Record<string, Transition> | undefined;
  afterActive?: boolean | undefined;
  onDone?: Transition | undefined;
  onError?: Transition | undefined;
  undo?: string | undefined;
  entry?: Action[] | undefined;
  exit?: Action[] | undefined;
  /** The output of a final state. */
  output?: Json | undefined;
  outcome?: string | undefined;
  history?: "shallow" | "deep" | undefined;
  target?: string | undefined;
  meta?: JsonObject | undefined;
}

/** One state of a definition. */
export const StateSchema: z.ZodType<State> = z.lazy(() =>
  z.strictObject({
    type: z.enum(["atomic", "compound", "parallel", "history", "final"]).optional(),
    label: z.string().optional(),
    description: z.string().optional(),
    /** Does nothing, and passes on to where its `onDone` without a guard leads. */
    disabled: z.boolean().optional(),
    initial: z.string().optional(),
    states: z.record(z.string(), StateSchema).optional(),
    invoke: InvokeSchema.optional(),
    loop: LoopSchema.optional(),
    always: TransitionSchema.optional(),
    on: z.record(z.string(), TransitionSchema).optional(),
    after: z.record(z.string(), TransitionSchema).optional(),
    /** Its `after` counts only time in which steps work: what people take to answer does not count. */
    afterActive: z.boolean().optional(),
    onDone: TransitionSchema.optional(),
    onError: TransitionSchema.optional(),
    /** Id of the state at the top level that undoes what this one did, when the run fails or is cancelled later. */
    undo: z.string().min(1).optional(),
    entry: z.array(ActionSchema).optional(),
    exit: z.array(ActionSchema).optional(),
    output: JsonSchema.optional(),
    outcome: z.string().min(1).max(64).optional(),
    history: z.enum(["shallow", "deep"]).optional(),
    target: z.string().optional(),
    meta: JsonObjectSchema.optional(),
  }),
);

const LoopSchema: z.ZodType<Loop> = z.lazy(() =>
  z.strictObject({
    type: z.enum(["forEach", "while"]),
    collection: JsonSchema.optional(),
    condition: GuardSchema.optional(),
    itemVariable: z.string().optional(),
    indexVariable: z.string().optional(),
    maxIterations: z.int().positive().max(10_000).optional(),
    timeoutMs: z.int().positive().optional(),
    concurrency: z.int().positive().optional(),
    continueOnError: z.boolean().optional(),
    onLimit: z.enum(["fail", "continue"]).optional(),
    bodyInitial: z.string(),
    bodyStates: z.record(z.string(), StateSchema),
    onDone: TransitionSchema.optional(),
    onError: TransitionSchema.optional(),
  }),
);

/** Model settings: node input wins over this, this over the agent's, the agent's over the alias's defaults. */
export const AgentConfigSchema = z.strictObject({
  model: z.string().min(1).optional(),
  system: z.string().optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxOutputTokens: z.int().positive().optional(),
  seed: z.int().optional(),
  tools: z.array(z.string()).optional(),
  timeoutMs: z.int().positive().optional(),
});
export type AgentConfig = z.infer<typeof AgentConfigSchema>;

/** What a single run may ask models with instead of what was published. */
export const ModelSettingsSchema = AgentConfigSchema.pick({
  model: true,
  temperature: true,
  topP: true,
  maxOutputTokens: true,
  seed: true,
});
export type ModelSettings = z.infer<typeof ModelSettingsSchema>;

/** How the model steps of a workflow remember. */
export const MemoryConfigSchema = z.strictObject({
  enabled: z.boolean().optional(),
  scope: z.enum(["agent", "agent+user"]).optional(),
  strategy: MemoryStrategySchema.optional(),
  topK: z.int().positive().max(100).optional(),
  /** Slug of the vector store that memories are kept in; absent: the tenant's own. */
  store: z.string().min(1).max(63).optional(),
});
export type MemoryConfig = z.infer<typeof MemoryConfigSchema>;

/** How a workflow is offered over MCP. */
const McpSettingsSchema = z.strictObject({
  /** Whether a run ends when the client that called it cancels the call. Absent: where nothing else waits for the run. */
  cancelOnAbort: z.boolean().optional(),
});

/** A JSON Schema document. Only objects are taken: `true` and `false` say nothing a form could show. */
export const JsonSchemaDocumentSchema: z.ZodType<JsonObject> = JsonObjectSchema;

/** A workflow as a document of states; docs/guides/definition-format.md describes it. */
export const DefinitionSchema = z.strictObject({
  id: z.string().min(1).max(200).optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  type: z.enum(["compound", "parallel"]).optional(),
  initial: z.string().optional(),
  states: z.record(z.string(), StateSchema),
  payloadSchema: JsonSchemaDocumentSchema.optional(),
  outputSchema: JsonSchemaDocumentSchema.optional(),
  context: JsonObjectSchema.optional(),
  on: z.record(z.string(), TransitionSchema).optional(),
  entry: z.array(ActionSchema).optional(),
  maxToolIterations: z.int().positive().max(1_000).optional(),
  maxSteps: z.int().positive().max(100_000).optional(),
  /** Active time of a run in milliseconds; waiting for a person does not count. */
  timeoutMs: z.int().positive().optional(),
  /** Tokens a run and its children may use. */
  maxTokens: z.int().nonnegative().optional(),
  /** What a run and its children may cost, in 10⁻⁶ USD. */
  maxCostMicros: z.int().nonnegative().optional(),
  agentConfig: AgentConfigSchema.optional(),
  memoryConfig: MemoryConfigSchema.optional(),
  mcpExport: z.boolean().optional(),
  mcp: McpSettingsSchema.optional(),
  streamingEnabled: z.boolean().optional(),
  meta: JsonObjectSchema.optional(),
});
export type Definition = z.infer<typeof DefinitionSchema>;

/** Steps of a run, where its definition sets no limit. */
export const DEFAULT_MAX_STEPS = 1_000;
/** Milliseconds that a call of a node may take, where its step sets no limit. */
export const DEFAULT_TIMEOUT_MS = 300_000;
/** Calls of the model in a tool loop, where its step sets no limit. */
export const DEFAULT_MAX_TOOL_ITERATIONS = 10;
/** How many states a definition may have. */
export const MAX_STATES = 10_000;
/** How deep states may be nested. */
export const MAX_NESTING = 30;

/** A transition in any of its three forms as a list of objects. */
export function toTransitions(transition: Transition | undefined): TransitionObject[] {
  if (transition === undefined) return [];
  const list = Array.isArray(transition) ? transition : [transition];
  return list.map((entry) => (typeof entry === "string" ? { target: entry } : entry));
}
