import type { WorkflowNotify } from "@oven/contract/system";
import { api } from "@oven/ui/api/api-client.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useEffect, useState } from "react";

/** What a workflow says as long as nobody said otherwise. */
export const USUAL_NOTIFY: WorkflowNotify = { onComplete: false, onFailure: true };

export async function saveNotify(
  { resource }: WorkflowKind,
  id: number,
  before: WorkflowNotify,
  after: WorkflowNotify,
): Promise<void> {
  if (before.onComplete === after.onComplete && before.onFailure === after.onFailure) return;
  await api(`${resource}/${id}/notify`, { method: "PUT", body: after });
}

/** Undefined until it has arrived. */
export function useWorkflowNotify(
  { resource }: WorkflowKind,
  id: string,
): { notify?: WorkflowNotify; error?: unknown } {
  const [answer, setAnswer] = useState<{ notify?: WorkflowNotify; error?: unknown }>({});
  useEffect(() => {
    const gone = new AbortController();
    api(`${resource}/${id}/notify`, { signal: gone.signal }).then(
      // cast: the answer of that route
      ({ json }) => setAnswer({ notify: json as WorkflowNotify }),
      (error: unknown) => {
        if (!gone.signal.aborted) setAnswer({ error });
      },
    );
    return () => gone.abort();
  }, [resource, id]);
  return answer;
}
