import type { JsonObject } from "@oven/contract";
import type { WorstCase } from "@oven/contract/workflow";
import { api } from "@oven/ui/api/api-client.ts";
import { asApiError } from "@oven/ui/api/api-error.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useEffect, useState } from "react";

/** The last answer, which may be about an earlier definition until the next one comes. */
export interface WorstCaseAnswer {
  worst: WorstCase | null;
  failure: unknown;
}

const NONE: WorstCaseAnswer = { worst: null, failure: null };

/** What a run of a definition needs at most. @param definition a valid one; null: nothing to ask about */
export function useWorstCase(
  resource: WorkflowKind["resource"],
  workflowId: number,
  definition: JsonObject | null,
): WorstCaseAnswer {
  const [answer, setAnswer] = useState(NONE);
  useEffect(() => {
    if (definition === null) return;
    const controller = new AbortController();
    api(`${resource}/worst-case`, {
      method: "POST",
      body: { definition, workflowId },
      signal: controller.signal,
    }).then(
      ({ json }) => setAnswer({ worst: json as WorstCase, failure: null }), // cast: the shape of the route
      (failure: unknown) => {
        if (controller.signal.aborted) return;
        // It was changed meanwhile to what is not valid: the check says so.
        if (asApiError(failure).code === "INVALID_DEFINITION") return;
        setAnswer({ worst: null, failure });
      },
    );
    return () => controller.abort();
  }, [resource, workflowId, definition]);
  return answer;
}
