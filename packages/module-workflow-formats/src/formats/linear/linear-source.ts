import type {
  CustomAgent,
  CustomLlm,
  LinearStep,
  LinearTrigger,
  LinearWorkflow,
  LinearWorkflowWithDetails,
  StopChecker,
} from "@oven/contract/formats/linear.ts";
import { toUserUuid } from "../../shared/source-ids.ts";
import type { linearSteps, linearTriggers, linearWorkflows } from "./schema.ts";
import type { StepDetails } from "./tables/linear-steps.table.ts";

export type WorkflowRow = typeof linearWorkflows.$inferSelect;
export type StepRow = typeof linearSteps.$inferSelect;
export type TriggerRow = typeof linearTriggers.$inferSelect;

/** A workflow with all that belongs to it, as it was written. */
export interface LinearSource {
  workflow: WorkflowRow;
  /** In the order in which they run. */
  steps: StepRow[];
  trigger: TriggerRow | null;
}

function ofWorkflow(row: WorkflowRow) {
  return {
    uuid: row.uuid,
    user_id: toUserUuid(row.userId),
    name: row.name,
    description: row.description,
    is_active: row.isActive,
    template_id: row.templateId,
    template_version: row.templateVersion,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

export function toLinearWorkflow(row: WorkflowRow): LinearWorkflow {
  return { ...ofWorkflow(row), trigger_uuid: row.triggerUuid, steps: row.steps };
}

export function toDetails({ workflow, steps, trigger }: LinearSource): LinearWorkflowWithDetails {
  return {
    ...ofWorkflow(workflow),
    trigger: trigger === null ? null : toLinearTrigger(trigger),
    steps: steps.map(toLinearStep),
  };
}

export function toLinearTrigger({
  uuid,
  userId,
  workflowUuid,
  details,
  createdAt,
  updatedAt,
}: TriggerRow): LinearTrigger {
  return {
    uuid,
    user_id: toUserUuid(userId),
    workflow_uuid: workflowUuid,
    type: details.type,
    config: details.config,
    filter_rules: details.filterRules,
    output_datacontainer_uuid: details.outputContainer,
    initial_data_description: details.initialDataDescription,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

export function toLinearStep(row: StepRow): LinearStep {
  const { uuid, name, type, details } = row;
  const base = { uuid, user_id: toUserUuid(row.userId), name, description: details.description };
  if (type === "stop_checker")
    return { ...base, type, stop_conditions: details.stopConditions ?? [] } satisfies StopChecker;
  const model = {
    ...base,
    model: details.model ?? "",
    system_prompt: details.systemPrompt ?? "",
    output_datacontainer_uuid: details.outputContainer ?? "",
    generated_summary: details.summary ?? null,
  };
  if (type === "custom_llm") return { ...model, type } satisfies CustomLlm;
  return { ...model, type, tools: details.tools ?? {} } satisfies CustomAgent;
}

/** What a step holds beside its name, as it is stored. The summary is the writer's, never the sender's. */
export function toStepDetails(step: LinearStep, before: StepDetails): StepDetails {
  const { description } = step;
  if (step.type === "stop_checker") return { description, stopConditions: step.stop_conditions };
  return {
    description,
    model: step.model,
    systemPrompt: step.system_prompt,
    ...(step.type === "custom_agent" ? { tools: step.tools } : {}),
    outputContainer: step.output_datacontainer_uuid,
    summary: before.summary ?? null,
  };
}
