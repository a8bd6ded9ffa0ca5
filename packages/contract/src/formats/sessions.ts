import { z } from "zod";
import { OPERATORS } from "../definition.ts";
import { JsonObjectSchema, JsonSchema } from "../json.ts";
import { WorkflowIdSchema } from "../workflow-format.ts";

/*
 * Session graphs, named and shaped as their document has them: steps, `NEXT` paths between them, and one session for each
 * run with its state.
 */

const REFUSED = new Set(["__proto__", "prototype", "constructor"]);

/** The id of a step in a session graph. */
export const SessionStepIdSchema = z
  .string()
  .max(64)
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, "must be a letter or _, then letters, digits, _ or -")
  .refine((id) => !REFUSED.has(id), "this name cannot be used");

/** One step of a session graph. */
export const SessionStepSchema = z.strictObject({
  /** A node type such as `core.http`, or `utils.request.request` to ask the user. */
  function: z.string().trim().min(1).max(200),
  /** An object, or text that is the JSON of one. References in it are resolved when the step runs. */
  input: z.union([JsonObjectSchema, z.string().max(1_000_000)]).optional(),
  description: z.string().max(10_000).optional(),
});
export type SessionStep = z.infer<typeof SessionStepSchema>;

/** One condition of a path between steps. */
export const SessionConditionSchema = z.strictObject({
  /** `@{SESSION_ID}.step.field` */
  variable: z.string().min(1).max(1_000),
  /** Absent: `==`. */
  operator: z.enum(OPERATORS).optional(),
  /** The value to compare with. The operators `exists` and `empty` have none. */
  value: JsonSchema.optional(),
});
export type SessionCondition = z.infer<typeof SessionConditionSchema>;

/** A path from one step of a session graph to another. */
export const SessionPathSchema = z.strictObject({
  from: z.string().min(1).max(64),
  to: z.string().min(1).max(64),
  /** A path without conditions, or with an empty list of them, always holds. */
  conditions: z.union([z.array(SessionConditionSchema).max(100), z.string().max(100_000)]).optional(),
  /** Whether all conditions must hold (AND) or at least one (OR). Absent: AND. */
  operator: z.enum(["AND", "OR"]).optional(),
  /** Lower goes first; those without one come last, in their order. */
  priority: z.number().optional(),
});
export type SessionPath = z.infer<typeof SessionPathSchema>;

/** The body of `POST /api/session-graphs` and `PUT /api/session-graphs/[graph]`. */
export const SessionGraphSpecSchema = z.strictObject({
  /** A word of your own, such as `region_report`; absent: made of the name. */
  workflow_id: WorkflowIdSchema.optional(),
  name: z.string().trim().min(1).max(255).optional(),
  description: z.string().max(10_000).optional(),
  /** Steps that one session may run. Absent: 100. */
  max_iterations: z.int().positive().max(100_000).optional(),
  /** By their id. `root` begins. */
  steps: z.record(SessionStepIdSchema, SessionStepSchema),
  next: z.array(SessionPathSchema).max(10_000).optional(),
});
export type SessionGraphSpec = z.infer<typeof SessionGraphSpecSchema>;

/** A document as text: this format's own, or an export of Neo4j with STEP nodes and NEXT relationships. */
export const ImportSessionGraphSchema = z.strictObject({ source: z.string().min(1).max(2_000_000) });

/** The body that imports a graph from the Neo4j database that the operator has configured. */
export const ImportNeo4jGraphSchema = z.strictObject({
  /** The property `graph` of the steps that are meant; absent: all steps are of one graph. */
  graph: z.string().min(1).max(255).optional(),
  workflow_id: WorkflowIdSchema.optional(),
  name: z.string().trim().min(1).max(255).optional(),
  description: z.string().max(10_000).optional(),
  max_iterations: z.int().positive().max(100_000).optional(),
});
export type ImportNeo4jGraph = z.infer<typeof ImportNeo4jGraphSchema>;

/** What does not keep a graph from being stored, but will be an error of a step. */
export const SessionGraphWarningSchema = z.strictObject({ path: z.string(), message: z.string(), fix: z.string() });
export type SessionGraphWarning = z.infer<typeof SessionGraphWarningSchema>;

/** A session graph, as `GET /api/session-graphs` answers it. */
export const SessionGraphSchema = z.strictObject({
  graph_id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  definition: SessionGraphSpecSchema,
  warnings: z.array(SessionGraphWarningSchema),
  /** What it is compiled to. */
  agent_workflow_id: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type SessionGraph = z.infer<typeof SessionGraphSchema>;

/** How far a step of a session is. */
export const SessionStepStatusSchema = z.enum(["active", "pending", "complete", "error", "awaiting_input"]);
export type SessionStepStatus = z.infer<typeof SessionStepStatusSchema>;

/** Seconds since 1970, with fractions. */
const Timestamp = z.number().nonnegative();

/** How many outputs of each step are kept. */
export const SESSION_OUTPUTS_KEPT = 5;

/** A session state, as `GET /api/graph-sessions/[session]/state` answers it. */
export const SessionStateSchema = z.strictObject({
  /** That of the session. */
  id: z.string(),
  /** Steps that were never active are absent. */
  workflow: z.record(
    z.string(),
    z.strictObject({
      status: SessionStepStatusSchema,
      /** Empty: none. */
      error: z.string().max(100_000),
      /** Absent: it has not run yet. */
      last_executed: Timestamp.optional(),
    }),
  ),
  /** When paths were last followed; 0: never. */
  last_evaluated: Timestamp,
  data: z.strictObject({
    /** Newest last. */
    outputs: z.record(z.string(), z.array(JsonSchema).max(SESSION_OUTPUTS_KEPT)),
    messages: z.array(JsonSchema).max(10_000),
  }),
});
export type SessionState = z.infer<typeof SessionStateSchema>;

/** What is left out of `workflow` and `data` is gone from the session. */
export const WriteSessionStateSchema = SessionStateSchema.extend({
  workflow: z.record(
    z.string(),
    z.strictObject({
      status: SessionStepStatusSchema,
      error: z.string().max(100_000).default(""),
      /** The engine's; what is written here is not taken. */
      last_executed: Timestamp.optional(),
    }),
  ),
  /** As it was read: when the session has moved since, the write is refused. Absent: it is not compared. */
  last_evaluated: Timestamp.optional(),
});
export type WriteSessionState = z.input<typeof WriteSessionStateSchema>;

/** How far a session of a graph is. */
export const GraphSessionStatusSchema = z.enum([
  "pending",
  "running",
  "waiting",
  "completed",
  "completed_with_errors",
  "failed",
  "cancelled",
]);
export type GraphSessionStatus = z.infer<typeof GraphSessionStatusSchema>;

/** What a step of a session waits for. */
export const SessionWaitSchema = z.strictObject({
  step: z.string(),
  for: z.enum(["variables", "input"]),
  /** The missing references, of a wait for variables. */
  needs: z.array(z.string()),
  /** The question, and the JSON Schema of its answer, of a wait for input. */
  prompt: z.string().nullable(),
  schema: JsonObjectSchema.nullable(),
});
export type SessionWait = z.infer<typeof SessionWaitSchema>;

/** A graph session, as `GET /api/session-graphs/[graph]/sessions` answers it. */
export const GraphSessionSchema = z.strictObject({
  id: z.uuid(),
  state: SessionStateSchema,
  created_at: z.string(),
  graph_id: z.uuid(),
  status: GraphSessionStatusSchema,
  /** Why it is as it is, where that is not plain: what it waits for, which steps failed, which limit ended it. */
  reason: z.string().nullable(),
  waiting: z.array(SessionWaitSchema),
  failed_steps: z.array(z.string()),
  /** The engine's number of it; of one that was taken up again the newest. */
  execution_id: z.int(),
});
export type GraphSession = z.infer<typeof GraphSessionSchema>;

/** What the user answered. */
export const AnswerSessionSchema = z.strictObject({ step: z.string().min(1).max(64), input: JsonSchema });
export type AnswerSession = z.infer<typeof AnswerSessionSchema>;
