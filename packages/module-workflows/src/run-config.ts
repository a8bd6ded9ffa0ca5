import { DEFAULT_MAX_TOOL_ITERATIONS, DEFAULT_TIMEOUT_MS, type ExecutionKind } from "@oven/contract";
import type { ConfigKey, ConfigService } from "@oven/module-registry";
import { z } from "zod";

const MAX_TOOL_ITERATIONS = z.int().positive().max(1_000);
const EXECUTION_TIMEOUT_MS = z.int().positive();
const INSTANCES = "id of a workflow";

/** What each module with workflows declares: defaults of what a definition leaves out. */
export const runConfigKeys: ConfigKey[] = [
  {
    key: "MAX_TOOL_ITERATIONS",
    type: "number",
    description: "How many answers a model may give in one tool loop, where the definition has no maxToolIterations",
    defaultValue: DEFAULT_MAX_TOOL_ITERATIONS,
    schema: MAX_TOOL_ITERATIONS,
    instances: INSTANCES,
  },
  {
    key: "EXECUTION_TIMEOUT_MS",
    type: "number",
    description: "How long a run may be active, in milliseconds, where the definition has no timeoutMs",
    defaultValue: DEFAULT_TIMEOUT_MS,
    schema: EXECUTION_TIMEOUT_MS,
    instances: INSTANCES,
  },
];

/** The module whose configuration counts for a kind of run. */
const CONFIG_MODULES: Record<ExecutionKind, string> = {
  workflow: "module-workflows",
  "agent-workflow": "module-workflow-agents",
};

export interface RunDefaults {
  maxToolIterations: number;
  timeoutMs: number;
}

export async function resolveRunDefaults(
  config: ConfigService,
  kind: ExecutionKind,
  tenantId: number,
  workflowId: number,
): Promise<RunDefaults> {
  const of = { module: CONFIG_MODULES[kind], tenantId, instance: String(workflowId) };
  const [iterations, timeout] = await Promise.all([
    config.resolve({ ...of, key: "MAX_TOOL_ITERATIONS" }),
    config.resolve({ ...of, key: "EXECUTION_TIMEOUT_MS" }),
  ]);
  return {
    maxToolIterations: MAX_TOOL_ITERATIONS.parse(iterations.value),
    timeoutMs: EXECUTION_TIMEOUT_MS.parse(timeout.value),
  };
}
