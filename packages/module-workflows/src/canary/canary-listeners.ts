import type { JsonObject } from "@oven/contract";
import type { SelectiveListener } from "@oven/module-registry";
import { z } from "zod";
import type { WorkflowKind } from "../workflow-kind.ts";
import type { CanaryService } from "./canary-service.ts";

/** Looks at the rule of a canary when a run of its workflow has failed; of a workflow that is known to have none no event is delivered. */
export function canaryListeners(
  { namespace, workflowIdField }: WorkflowKind,
  deps: () => { canaries: CanaryService },
): Record<string, SelectiveListener> {
  const Payload = z.looseObject({ [workflowIdField]: z.int() });
  const workflowOf = (payload: JsonObject): number => Number(Payload.parse(payload)[workflowIdField]);
  return {
    [`${namespace}.execution.failed`]: {
      handle: ({ payload, tenantId }) => deps().canaries.check(workflowOf(payload), tenantId),
      // Runs that other runs begin take no candidate.
      concerns: ({ payload, run }) =>
        (run?.parentId ?? null) === null && deps().canaries.mayHaveOne(workflowOf(payload)),
    },
  };
}
