import type { EventEnvelope } from "@oven/contract";
import { z } from "zod";
import type { WorkflowKind } from "../workflow-kind.ts";
import type { CanaryService } from "./canary-service.ts";

/** Looks at the rule of a canary when a run of its workflow has failed. */
export function canaryListeners(
  { namespace, workflowIdField }: WorkflowKind,
  deps: () => { canaries: CanaryService },
): Record<string, (event: EventEnvelope) => Promise<void>> {
  const Payload = z.looseObject({ [workflowIdField]: z.int() });
  return {
    [`${namespace}.execution.failed`]: ({ payload, tenantId }) =>
      deps().canaries.check(Number(Payload.parse(payload)[workflowIdField]), tenantId),
  };
}
