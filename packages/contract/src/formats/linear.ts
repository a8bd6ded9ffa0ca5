import { z } from "zod";
import { JsonObjectSchema, JsonSchema } from "../json.ts";

/*
 * Linear workflows with data containers, as their document (000) spells them: names with underscores, ids as UUIDs. The
 * engine runs what they compile to.
 */

const Uuid = z.uuid();
const Name = z.string().trim().min(1).max(200);
const Time = z.string();

/** The kinds of steps of linear workflows. */
export const LINEAR_STEP_TYPES = ["custom_llm", "custom_agent", "stop_checker"] as const;
/** The kind of a step of a linear workflow. */
export const LinearStepTypeSchema = z.enum(LINEAR_STEP_TYPES);
export type LinearStepType = z.infer<typeof LinearStepTypeSchema>;

/** How a stop condition compares. */
export const STOP_OPERATORS = ["equals", "not_equals", "contains", "greater_than", "less_than"] as const;
/** How one stop condition compares. */
export const StopOperatorSchema = z.enum(STOP_OPERATORS);
export type StopOperator = z.infer<typeof StopOperatorSchema>;

/** One condition of a stop checker. */
export const StopConditionSchema = z.strictObject({
  datacontainer_definition_uuid: Uuid,
  /** A path into the container's `raw_data`: `$.a.b[0]`. */
  extraction_json_path: z.string().min(1).max(2_000),
  operator: StopOperatorSchema,
  target_value: JsonSchema,
});
export type StopCondition = z.infer<typeof StopConditionSchema>;

/** A data container, as `GET /api/linear-data-containers` answers it. */
export const DataContainerSchema = z.strictObject({ uuid: Uuid, user_id: Uuid, name: Name });
export type DataContainer = z.infer<typeof DataContainerSchema>;

/** Empty until it is written; what is missing is told when it is to run. */
const Prompt = z.string().max(200_000);
const Description = z.string().max(10_000);

const ofModelSteps = {
  uuid: Uuid,
  user_id: Uuid,
  name: Name,
  description: Description,
  model: z.string().max(300),
  system_prompt: Prompt,
  output_datacontainer_uuid: Uuid,
  /** A sentence for people that says what the step does; null until it is written. */
  generated_summary: z.string().nullable(),
};

/** A step of a linear workflow that calls a model. */
export const CustomLlmSchema = z.strictObject({ ...ofModelSteps, type: z.literal("custom_llm") });
export type CustomLlm = z.infer<typeof CustomLlmSchema>;

/** By tool id; what else a tool's settings hold is kept. */
export const LinearToolsSchema = z.record(z.string(), z.looseObject({ enabled: z.boolean().optional() }));

/** A step of a linear workflow that calls a model with tools. */
export const CustomAgentSchema = z.strictObject({
  ...ofModelSteps,
  type: z.literal("custom_agent"),
  tools: LinearToolsSchema,
});
export type CustomAgent = z.infer<typeof CustomAgentSchema>;

/** A step that ends a linear workflow when its conditions hold. */
export const StopCheckerSchema = z.strictObject({
  uuid: Uuid,
  user_id: Uuid,
  name: Name,
  description: Description,
  type: z.literal("stop_checker"),
  stop_conditions: z.array(StopConditionSchema).max(100),
});
export type StopChecker = z.infer<typeof StopCheckerSchema>;

/** A step of a linear workflow. */
export const LinearStepSchema = z.discriminatedUnion("type", [CustomLlmSchema, CustomAgentSchema, StopCheckerSchema]);
export type LinearStep = z.infer<typeof LinearStepSchema>;

/** A trigger of linear workflows; also the body of `PUT /api/linear-triggers/[uuid]`. */
export const LinearTriggerSchema = z.strictObject({
  uuid: Uuid,
  user_id: Uuid,
  workflow_uuid: Uuid,
  /** The kind of trigger: `schedule`, `webhook`, … */
  type: z.string().min(1).max(100),
  /** The kind's settings, as its schema says. */
  config: JsonObjectSchema,
  /** Path into the event to a value it must equal, or to `{operator, value}`; `{}` matches everything. */
  filter_rules: JsonObjectSchema,
  output_datacontainer_uuid: Uuid,
  initial_data_description: z.string().max(10_000),
  created_at: Time,
  updated_at: Time,
});
export type LinearTrigger = z.infer<typeof LinearTriggerSchema>;

const ofWorkflows = {
  uuid: Uuid,
  user_id: Uuid,
  name: Name,
  description: Description,
  is_active: z.boolean(),
  template_id: z.string().max(200).nullable(),
  template_version: z.string().max(200).nullable(),
  created_at: Time,
  updated_at: Time,
};

/** A linear workflow, as `GET /api/linear-workflows` answers it. */
export const LinearWorkflowSchema = z.strictObject({
  ...ofWorkflows,
  /** Null until a trigger is set. */
  trigger_uuid: Uuid.nullable(),
  steps: z.array(Uuid),
});
export type LinearWorkflow = z.infer<typeof LinearWorkflowSchema>;

/** A linear workflow with its steps and containers, as `GET /api/linear-workflows/[uuid]/details` answers it. */
export const LinearWorkflowWithDetailsSchema = z.strictObject({
  ...ofWorkflows,
  trigger: LinearTriggerSchema.nullable(),
  steps: z.array(LinearStepSchema),
});
export type LinearWorkflowWithDetails = z.infer<typeof LinearWorkflowWithDetailsSchema>;

/** A message of a model step. */
export const LinearMessageSchema = z.looseObject({
  content: z.string().nullable(),
  role: z.string(),
  tool_calls: z.array(JsonObjectSchema).nullable(),
});
export type LinearMessage = z.infer<typeof LinearMessageSchema>;

/** How far a step of a linear run is. */
export const LinearStepStatusSchema = z.enum(["pending", "running", "completed", "failed", "skipped"]);
export type LinearStepStatus = z.infer<typeof LinearStepStatusSchema>;

const ofStepInstances = {
  uuid: Uuid,
  user_id: Uuid,
  workflow_instance_uuid: Uuid,
  status: LinearStepStatusSchema,
  started_at: Time.nullable(),
  finished_at: Time.nullable(),
  error_message: z.string().nullable(),
  created_at: Time,
  input_data: JsonObjectSchema.nullable(),
};
const ofModelStepInstances = {
  ...ofStepInstances,
  messages: z.array(LinearMessageSchema),
  output_container_instance_uuid: Uuid.nullable(),
};

/** A model step of one run. */
export const CustomLlmInstanceSchema = z.strictObject({
  ...ofModelStepInstances,
  type: z.literal("custom_llm"),
  llm_definition_uuid: Uuid,
});
/** An agent step of one run. */
export const CustomAgentInstanceSchema = z.strictObject({
  ...ofModelStepInstances,
  type: z.literal("custom_agent"),
  agent_definition_uuid: Uuid,
});
/** A stop checker of one run. */
export const StopCheckerInstanceSchema = z.strictObject({
  ...ofStepInstances,
  type: z.literal("stop_checker"),
  checker_definition_uuid: Uuid,
});
/** A step of one run of a linear workflow; also the body of `PUT /api/linear-step-instances/[uuid]`. */
export const LinearStepInstanceSchema = z.discriminatedUnion("type", [
  CustomLlmInstanceSchema,
  CustomAgentInstanceSchema,
  StopCheckerInstanceSchema,
]);
export type LinearStepInstance = z.infer<typeof LinearStepInstanceSchema>;

/** How far a run of a linear workflow is. */
export const LinearInstanceStatusSchema = z.enum(["running", "completed", "stopped", "failed"]);

/** A linear instance, as `GET /api/linear-workflows/[uuid]/instances` answers it. */
export const LinearInstanceSchema = z.strictObject({
  uuid: Uuid,
  user_id: Uuid,
  workflow_definition_uuid: Uuid,
  status: LinearInstanceStatusSchema,
  /** Why it was stopped: `condition` or `cancelled`. */
  stop_reason: z.enum(["condition", "cancelled"]).nullable(),
  error_message: z.string().nullable(),
  triggering_data: JsonSchema,
  step_instances: z.array(LinearStepInstanceSchema),
  /** The run in the engine. */
  execution_id: z.int().positive(),
  created_at: Time,
  updated_at: Time,
});
export type LinearInstance = z.infer<typeof LinearInstanceSchema>;

/** A data container instance, as `GET /api/linear-data-containers/[uuid]/instances` answers it. */
export const DataContainerInstanceSchema = z.strictObject({
  uuid: Uuid,
  user_id: Uuid,
  workflow_instance_uuid: Uuid,
  datacontainer_uuid: Uuid,
  /** Null: what the trigger brought. */
  step_instance_uuid: Uuid.nullable(),
  raw_data: JsonSchema,
  generated_summary: z.string().nullable(),
  markdown_representation: z.string().nullable(),
  created_at: Time,
});
export type DataContainerInstance = z.infer<typeof DataContainerInstanceSchema>;

/** What keeps a workflow from running, with the step it is about. */
export const LinearProblemSchema = z.strictObject({
  step_uuid: Uuid.nullable(),
  message: z.string(),
  fix: z.string(),
});
export type LinearProblem = z.infer<typeof LinearProblemSchema>;

/** A tool that steps of linear workflows may call, as `GET /api/linear-mcp-tools` answers it. */
export const LinearToolSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  input_schema: JsonObjectSchema,
  server: z.string(),
  /** What to know before it is used now, such as that its server does not answer. */
  note: z.string().optional(),
});
export type LinearTool = z.infer<typeof LinearToolSchema>;

/** The body of `POST /api/linear-workflows`. */
export const CreateLinearWorkflowSchema = z.strictObject({ name: Name, description: Description });
/** The body of `PUT /api/linear-workflows/[uuid]`. */
export const UpdateLinearWorkflowSchema = z.strictObject({
  name: Name.optional(),
  description: Description.optional(),
  is_active: z.boolean().optional(),
  template_id: ofWorkflows.template_id.optional(),
  template_version: ofWorkflows.template_version.optional(),
});
export type UpdateLinearWorkflow = z.infer<typeof UpdateLinearWorkflowSchema>;
/** The body of `POST /api/linear-workflows/[uuid]/steps`. */
export const AddLinearStepSchema = z.strictObject({
  type: LinearStepTypeSchema,
  name: Name,
  /** Where it is put; -1: at the end. */
  position: z.int().default(-1),
});
/** The body of `PUT /api/linear-workflows/[uuid]/steps`. */
export const ReorderLinearStepsSchema = z.strictObject({ steps: z.array(Uuid).max(1_000) });
/** The body of `PUT /api/linear-workflows/[uuid]/trigger`. */
export const SetLinearTriggerSchema = z.strictObject({ type_id: z.string().min(1).max(100) });
/** A run is changed by stopping it. */
export const UpdateLinearInstanceSchema = z.strictObject({ status: z.literal("stopped") });
/** The body of `POST /api/linear-workflows/[uuid]/instances`. */
export const StartLinearInstanceSchema = z.strictObject({ triggering_data: JsonSchema });

/** A new step of a linear workflow that calls a model. */
export const CreateModelStepSchema = z.strictObject({
  name: Name,
  model: z.string().min(1).max(300),
  system_prompt: Prompt,
});
/** A new step that decides whether a linear workflow goes on. */
export const CreateCheckerSchema = z.strictObject({
  name: Name,
  stop_conditions: StopCheckerSchema.shape.stop_conditions,
});
/** The body of `POST /api/linear-triggers`. */
export const CreateLinearTriggerSchema = z.strictObject({ workflow_uuid: Uuid, type_id: z.string().min(1).max(100) });
/** The body that makes the record of a step that a client runs elsewhere. */
export const CreateStepInstanceSchema = z.strictObject({ workflow_instance_uuid: Uuid });
/** The body of `POST /api/linear-data-containers/[uuid]/instances`. */
export const CreateDataInstanceSchema = z.strictObject({
  workflow_instance_uuid: Uuid,
  raw_data: JsonSchema,
  step_instance_uuid: Uuid.nullable().default(null),
  markdown_representation: z.string().nullable().default(null),
});
export type CreateDataInstance = z.infer<typeof CreateDataInstanceSchema>;
/** The body of `PUT /api/linear-data-instances/[uuid]`. */
export const UpdateDataInstanceSchema = CreateDataInstanceSchema.pick({
  raw_data: true,
  markdown_representation: true,
});
export type UpdateDataInstance = z.infer<typeof UpdateDataInstanceSchema>;
/** The body of `PUT /api/linear-data-containers/[uuid]`. */
export const UpdateDataContainerSchema = DataContainerSchema.pick({ name: true });
export type UpdateDataContainer = z.infer<typeof UpdateDataContainerSchema>;
/** The query of `GET /api/linear-data-containers/[uuid]/resolve`. */
export const ResolveDataSchema = z.strictObject({
  workflow_instance_uuid: Uuid,
  target_format: z.enum(["compressed", "uncompressed"]),
});
