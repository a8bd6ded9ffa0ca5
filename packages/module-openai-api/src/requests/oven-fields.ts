import { type JsonObject, JsonSchema, OvenError } from "@oven/contract";
import { z } from "zod";

/** Fields that this API has beside OpenAI's. */
export const ovenFields = {
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullish(),
  oven: z
    .strictObject({
      /** Of an agent what it exposes, of a workflow the other fields of its input. */
      parameters: z.record(z.string(), JsonSchema).default({}),
    })
    .optional(),
};

interface OvenFields {
  metadata?: Record<string, unknown> | null | undefined;
  oven?: { parameters: JsonObject } | undefined;
}

export function parametersOf({ oven }: OvenFields): JsonObject {
  return oven?.parameters ?? {};
}

/** The run whose outcome is asked for; undefined: a new one is. @throws OvenError INVALID_REQUEST */
export function handleOf({ metadata }: OvenFields): number | undefined {
  const handle = metadata?.oven_run_id;
  if (handle == null || handle === "") return undefined;
  const id = /^\d{1,15}$/.test(String(handle)) ? Number(handle) : 0;
  if (id > 0) return id;
  throw new OvenError("INVALID_REQUEST", "metadata.oven_run_id must be the number of a run", {
    path: "$.metadata.oven_run_id",
  });
}
