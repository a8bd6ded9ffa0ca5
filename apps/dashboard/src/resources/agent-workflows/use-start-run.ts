import type { Execution, JsonObject } from "@oven/contract";
import { useNavigate } from "react-router-dom";
import { api } from "../../providers/api-client.ts";

/** Starts a run and goes to it. */
export function useStartRun(): (workflowId: number, input: JsonObject) => Promise<void> {
  const navigate = useNavigate();
  return async (workflowId, input) => {
    const reply = await api(`agent-workflows/${workflowId}/execute`, { method: "POST", body: { input } });
    // cast: 202 carries the execution row
    const { id } = reply.json as Pick<Execution, "id">;
    void navigate(`/agent-workflow-executions/${id}/show`);
  };
}
