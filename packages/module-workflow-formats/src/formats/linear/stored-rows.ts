import type { JsonObject, Principal } from "@oven/contract";
import type { LinearStepInstance } from "@oven/contract/formats/linear.ts";
import { ownerOf } from "../../shared/owner.ts";
import { toUserUuid } from "../../shared/source-ids.ts";
import type { LinearParts } from "./linear-parts.ts";
import { toLinearStep, toLinearTrigger, toLinearWorkflow } from "./linear-source.ts";

/** The tables that the document proposes, in its own words, filled from ours. */
export const STORED_TABLES = [
  "workflows",
  "workflow_steps",
  "data_containers",
  "triggers",
  "workflow_instances",
  "workflow_step_instances",
  "data_container_instances",
] as const;
export type StoredTable = (typeof STORED_TABLES)[number];

/** The rows of one workflow. @throws OvenError NOT_FOUND */
export async function readStoredRows(
  { store, instances }: LinearParts,
  principal: Principal,
  workflow: string,
  table: StoredTable,
): Promise<JsonObject[]> {
  const owner = ownerOf(principal);
  const source = await store.source(owner, workflow);
  if (table === "workflows") {
    const { template_id: _, template_version: __, ...row } = toLinearWorkflow(source.workflow);
    return [row];
  }
  if (table === "workflow_steps") {
    return source.steps.map((step): JsonObject => {
      const { uuid, user_id, name, type, ...details } = toLinearStep(step) as unknown as JsonObject; // cast: a shape of JSON
      const times = { created_at: step.createdAt.toISOString(), updated_at: step.updatedAt.toISOString() };
      return {
        uuid: uuid ?? null,
        user_id: user_id ?? null,
        name: name ?? null,
        type: type ?? null,
        details,
        ...times,
      };
    });
  }
  if (table === "triggers") {
    if (source.trigger === null) return [];
    const { uuid, user_id, workflow_uuid, created_at, updated_at, ...details } = toLinearTrigger(source.trigger);
    return [{ uuid, user_id, workflow_uuid, details, created_at, updated_at }];
  }
  if (table === "data_containers") {
    const used = new Set([
      source.trigger?.details.outputContainer,
      ...source.steps.map(({ details }) => details.outputContainer),
    ]);
    const rows = await store.listContainers(owner);
    return rows
      .filter(({ uuid }) => used.has(uuid))
      .map(({ uuid, userId, name }) => ({ uuid, user_id: toUserUuid(userId), name }));
  }
  const runs = await instances.list(principal, workflow);
  if (table === "workflow_instances") {
    return runs.map(({ uuid, user_id, workflow_definition_uuid, status, triggering_data, created_at, updated_at }) => ({
      ...{ uuid, user_id, workflow_definition_uuid, status, created_at, updated_at },
      triggering_data: triggering_data as JsonObject, // cast: it came as JSON
    }));
  }
  if (table === "workflow_step_instances") return runs.flatMap(({ step_instances }) => step_instances.map(toStepRow));
  const data = await Promise.all(runs.map(({ uuid }) => instances.data(principal, uuid)));
  return data.flat().map(({ created_at: _, raw_data, ...row }) => ({ ...row, raw_data: raw_data as JsonObject })); // cast: JSON
}

function toStepRow(instance: LinearStepInstance): JsonObject {
  const { uuid, user_id, workflow_instance_uuid, status, started_at, finished_at, error_message, input_data } =
    instance;
  const isChecker = instance.type === "stop_checker";
  const definition =
    instance.type === "custom_llm"
      ? instance.llm_definition_uuid
      : instance.type === "custom_agent"
        ? instance.agent_definition_uuid
        : instance.checker_definition_uuid;
  const messages = isChecker ? [] : instance.messages;
  return {
    ...{ uuid, user_id, workflow_instance_uuid, step_definition_uuid: definition, status, started_at, finished_at },
    details: { messages: messages as unknown as JsonObject[], error_message, input_data }, // cast: messages are JSON
    output_container_instance_uuid: isChecker ? null : instance.output_container_instance_uuid,
  };
}
