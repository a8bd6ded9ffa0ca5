import type { TriggerTarget } from "@oven/contract/trigger";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { useGetList } from "react-admin";

const BY_NAME = { pagination: { page: 1, perPage: 500 }, sort: { field: "name", order: "ASC" as const } };

export interface TargetChoice extends TriggerTarget {
  name: string;
  payloadSchema: unknown;
}

/** Every workflow that a trigger can start, agent workflows first. */
export function useTargets(): TargetChoice[] {
  const agents = useGetList<Workflow>("agent-workflows", BY_NAME);
  const regular = useGetList<Workflow>("workflows", BY_NAME);
  const toChoices = (rows: Workflow[] | undefined, kind: TriggerTarget["kind"]): TargetChoice[] =>
    (rows ?? []).map(({ id, name, definition }) => ({
      kind,
      workflowId: id,
      name,
      payloadSchema: definition.payloadSchema,
    }));
  return [...toChoices(agents.data, "agent-workflow"), ...toChoices(regular.data, "workflow")];
}

/** Names of workflows, by kind and id. One that cannot be read is named by its id. */
export function useTargetNames(): (target: TriggerTarget) => string {
  const targets = useTargets();
  return ({ kind, workflowId }) =>
    targets.find((target) => target.kind === kind && target.workflowId === workflowId)?.name ??
    `${kind === "workflow" ? "workflow" : t("agent workflow")} ${workflowId}`;
}
