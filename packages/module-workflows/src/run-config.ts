import type { JsonObject } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import { DEFAULT_MAX_TOOL_ITERATIONS, DEFAULT_TIMEOUT_MS } from "@oven/contract/workflow";
import type { ConfigKey, ConfigService } from "@oven/module-registry";
import { z } from "zod";
import { CONFIG_MODULES } from "./config-modules.ts";
import { runLimitKeys } from "./limits/run-limits.ts";

const MAX_TOOL_ITERATIONS = z.int().positive().max(1_000);
const EXECUTION_TIMEOUT_MS = z.int().positive();
const CHECKPOINT_ENABLED = z.boolean();
const EXECUTION_COST_CAP_CENTS = z.number().nonnegative();
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
  {
    key: "CHECKPOINT_ENABLED",
    type: "boolean",
    description:
      "Whether a run's log keeps what each step was made of. Without it runs are as durable, but cannot be retried from a step, forked or gone through again",
    defaultValue: true,
    schema: CHECKPOINT_ENABLED,
    instances: INSTANCES,
  },
  {
    key: "EXECUTION_COST_CAP_CENTS",
    type: "number",
    description:
      "What a run and its children may cost at most, in US cents; a definition's maxCostMicros can only lower it",
    defaultValue: 1_000,
    schema: EXECUTION_COST_CAP_CENTS,
    instances: INSTANCES,
  },
  ...runLimitKeys,
];

export interface RunDefaults {
  maxToolIterations: number;
  timeoutMs: number;
  checkpoints: boolean;
  /** 10⁻⁶ USD. */
  costCapMicros: number;
}

const MICROS_PER_CENT = 10_000;

/** What `$config` reads: keys of the module that brings the workflow, for its tenant and the workflow itself. */
export async function resolveConfigValues(
  config: ConfigService,
  kind: ExecutionKind,
  tenantId: number,
  workflowId: number,
  keys: readonly string[],
): Promise<JsonObject> {
  const of = { module: CONFIG_MODULES[kind], tenantId, instanceIfAny: String(workflowId) };
  const values = await Promise.all(
    keys.map(async (key) => [key, (await config.resolve({ ...of, key })).value] as const),
  );
  return Object.fromEntries(values);
}

/** @param workflowId null: of no workflow that is stored */
export async function resolveRunDefaults(
  config: ConfigService,
  kind: ExecutionKind,
  tenantId: number,
  workflowId: number | null,
): Promise<RunDefaults> {
  const instance = workflowId === null ? {} : { instance: String(workflowId) };
  const of = { module: CONFIG_MODULES[kind], tenantId, ...instance };
  const [iterations, timeout, checkpoints, cap] = await Promise.all([
    config.resolve({ ...of, key: "MAX_TOOL_ITERATIONS" }),
    config.resolve({ ...of, key: "EXECUTION_TIMEOUT_MS" }),
    config.resolve({ ...of, key: "CHECKPOINT_ENABLED" }),
    config.resolve({ ...of, key: "EXECUTION_COST_CAP_CENTS" }),
  ]);
  return {
    maxToolIterations: MAX_TOOL_ITERATIONS.parse(iterations.value),
    timeoutMs: EXECUTION_TIMEOUT_MS.parse(timeout.value),
    checkpoints: CHECKPOINT_ENABLED.parse(checkpoints.value),
    costCapMicros: Math.floor(EXECUTION_COST_CAP_CENTS.parse(cap.value) * MICROS_PER_CENT),
  };
}
