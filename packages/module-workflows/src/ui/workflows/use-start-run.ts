import type { JsonObject } from "@oven/contract";
import type { Execution, RunOptions } from "@oven/contract/run";
import { api } from "@oven/ui/api/api-client.ts";
import { runPath, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useNavigate } from "react-router-dom";

/** Starts a run and goes to it. */
export function useStartRun({
  kind,
  resource,
}: WorkflowKind): (workflowId: number, input: JsonObject, options?: RunOptions) => Promise<void> {
  const navigate = useNavigate();
  return async (workflowId, input, options) => {
    const body = { input, ...(options === undefined ? {} : { options }) };
    const reply = await api(`${resource}/${workflowId}/execute`, { method: "POST", body });
    // cast: 202 carries the execution row
    const { id } = reply.json as Pick<Execution, "id">;
    void navigate(runPath(kind, id));
  };
}
