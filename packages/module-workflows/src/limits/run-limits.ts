import type { ExecutionKind } from "@oven/contract/run";
import type { ConfigKey, ConfigService } from "@oven/module-registry";
import { z } from "zod";
import { CONFIG_MODULES } from "../config-modules.ts";

const LIMIT = z.int().nonnegative();
const INSTANCES = "id of a workflow";

/** 0 means no limit. */
export const runLimitKeys: ConfigKey[] = [
  {
    key: "MAX_CONCURRENT_RUNS",
    type: "number",
    description:
      "How many runs of a workflow may be under way at once; more wait. Paused runs do not count. 0: no limit",
    defaultValue: 0,
    schema: LIMIT,
    instances: INSTANCES,
  },
  {
    key: "MAX_CONCURRENT_RUNS_TENANT",
    type: "number",
    description: "The same for all runs of a tenant, of this module's workflows. 0: no limit",
    defaultValue: 0,
    schema: LIMIT,
  },
  {
    key: "MAX_STARTS_PER_MINUTE",
    type: "number",
    description: "How many runs of a workflow may be accepted within a minute; more are answered with 429. 0: no limit",
    defaultValue: 0,
    schema: LIMIT,
    instances: INSTANCES,
  },
  {
    key: "MAX_PENDING_RUNS",
    type: "number",
    description: "How many runs of a workflow may wait for their start; more are answered with 429. 0: no limit",
    defaultValue: 10_000,
    schema: LIMIT,
    instances: INSTANCES,
  },
];

/** What a run is counted with. */
export interface RunScope {
  kind: ExecutionKind;
  tenantId: number;
  workflowId: number;
}

/** Absent: no limit. */
export interface ConcurrencyLimits {
  workflow: number | undefined;
  tenant: number | undefined;
}

export function isUnlimited({ workflow, tenant }: ConcurrencyLimits): boolean {
  return workflow === undefined && tenant === undefined;
}

/** Absent: no limit. */
export interface StartLimits {
  perMinute: number | undefined;
  pending: number | undefined;
}

/** The limits that the configuration gives to the runs of a workflow. */
export class RunLimits {
  readonly #config: ConfigService;

  constructor(config: ConfigService) {
    this.#config = config;
  }

  async concurrency(scope: RunScope): Promise<ConcurrencyLimits> {
    const [workflow, tenant] = await Promise.all([
      this.#limit(scope, "MAX_CONCURRENT_RUNS"),
      this.#limit(scope, "MAX_CONCURRENT_RUNS_TENANT"),
    ]);
    return { workflow, tenant };
  }

  async starts(scope: RunScope): Promise<StartLimits> {
    const [perMinute, pending] = await Promise.all([
      this.#limit(scope, "MAX_STARTS_PER_MINUTE"),
      this.#limit(scope, "MAX_PENDING_RUNS"),
    ]);
    return { perMinute, pending };
  }

  async #limit({ kind, tenantId, workflowId }: RunScope, key: string): Promise<number | undefined> {
    const declared = runLimitKeys.find((entry) => entry.key === key);
    const instance = declared?.instances === undefined ? undefined : String(workflowId);
    const { value } = await this.#config.resolve({ module: CONFIG_MODULES[kind], key, tenantId, instance });
    const limit = LIMIT.parse(value);
    return limit === 0 ? undefined : limit;
  }
}
