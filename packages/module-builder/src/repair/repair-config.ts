import type { ConfigKey } from "@oven/module-registry";
import { z } from "zod";

/** Whether failed runs are repaired without being asked for, and what repairs may take. */
export const repairConfigKeys: ConfigKey[] = [
  {
    key: "REPAIR_AUTOMATICALLY",
    type: "boolean",
    description:
      "Whether a repair is proposed once a run of an agent workflow fails in a new way, in the name of the workflow's owner. A person decides about each",
    defaultValue: false,
    instances: "id of a workflow",
  },
  {
    key: "REPAIR_MAX_PER_DAY",
    type: "number",
    description: "How many repairs a day begin automatically",
    defaultValue: 5,
    schema: z.int().min(0).max(1_000),
  },
  {
    key: "REPAIR_MAX_COST_MICROS",
    type: "number",
    description: "What one repair may spend on models, in 10⁻⁶ USD",
    defaultValue: 1_000_000,
    schema: z.int().min(0).max(1_000_000_000),
    instances: "id of a workflow",
  },
];
