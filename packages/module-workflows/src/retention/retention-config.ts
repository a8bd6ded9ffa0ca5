import type { ConfigKey, ConfigService } from "@oven/module-registry";
import { z } from "zod";

const DAYS = z.int().min(1).max(36_500);
const DAY_MS = 86_400_000;

/** How long runs are kept, per tenant. */
export const retentionConfigKeys: ConfigKey[] = [
  {
    key: "RETENTION_RUN_DETAIL_DAYS",
    type: "number",
    description: "Days after its end for which a run keeps its log, node runs, blobs and context",
    defaultValue: 30,
    schema: DAYS,
  },
  {
    key: "RETENTION_RUNS_DAYS",
    type: "number",
    description: "Days after its end for which a run is kept at all, with its reviews",
    defaultValue: 180,
    schema: DAYS,
  },
];

export interface RetentionCutoffs {
  detailDays: number;
  /** Runs that ended before lose their details. */
  details: Date;
  /** Runs that ended before go. */
  runs: Date;
}

export async function resolveCutoffs(
  config: Pick<ConfigService, "resolve">,
  tenantId: number,
  now: number,
): Promise<RetentionCutoffs> {
  const [detail, runs] = await Promise.all(
    retentionConfigKeys.map(async ({ key }) =>
      DAYS.parse((await config.resolve({ module: "module-workflows", key, tenantId })).value),
    ),
  );
  if (detail === undefined || runs === undefined) throw new Error("two keys give two values");
  // A run that goes takes its details along.
  const detailDays = Math.min(detail, runs);
  return { detailDays, details: new Date(now - detailDays * DAY_MS), runs: new Date(now - runs * DAY_MS) };
}

/** How long runs of the tenant stay after their end, in ms. */
export async function runRetentionMs(config: Pick<ConfigService, "resolve">, tenantId: number): Promise<number> {
  const { value } = await config.resolve({ module: "module-workflows", key: "RETENTION_RUNS_DAYS", tenantId });
  return DAYS.parse(value) * DAY_MS;
}
