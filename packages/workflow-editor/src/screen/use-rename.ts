import type { Workflow } from "@oven/contract/workflow";
import { asApiError } from "@oven/ui/api/api-error.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useUpdate } from "react-admin";
import { followName } from "./follow-name.ts";

/** Renames a workflow at once, apart from its draft; a slug that another one has is left as it was. */
export function useRename({ resource }: WorkflowKind, workflow: Workflow): (name: string) => Promise<void> {
  const [update] = useUpdate<Workflow>();
  const send = async (data: Partial<Workflow>): Promise<void> => {
    await update(resource, { id: workflow.id, previousData: workflow, data }, { returnPromise: true });
  };
  return async (name) => {
    const more = followName(workflow, name);
    try {
      await send({ name, ...more });
    } catch (error) {
      if (more.slug === undefined || asApiError(error).code !== "SLUG_TAKEN") throw error;
      await send({ name });
    }
  };
}
