import type { ExecutionKind } from "@oven/contract/run";

/** The module whose configuration counts for a kind of run. */
export const CONFIG_MODULES: Record<ExecutionKind, string> = {
  workflow: "module-workflows",
  "agent-workflow": "module-workflow-agents",
};
