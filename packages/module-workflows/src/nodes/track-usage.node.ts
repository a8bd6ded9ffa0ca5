import { JsonSchema } from "@oven/contract";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { usageInput } from "../usage/usage-input.ts";

export const trackUsageNode = defineNode({
  id: "core.trackUsage",
  version: 1,
  title: "Track usage",
  docs: "Counts `amount` of a metric for the tenant of this run, once for each time the state is entered: a repeated attempt counts nothing. core.checkQuota reads the sums. `metadata` stays with the run, in this step's input.",
  category: "core",
  kind: "data",
  effect: "idempotent",
  input: z.strictObject({
    ...usageInput,
    amount: z.number().nonnegative().default(1),
    metadata: z.record(z.string(), JsonSchema).default({}),
  }),
  output: z.strictObject({
    metric: z.string(),
    subject: z.string(),
    amount: z.number(),
  }),
  async run({ input, node, principal, services, idempotencyKey }) {
    const { metric, subject, amount } = input;
    await services.usage.record({
      tenantId: principal.tenantId,
      metric,
      subject,
      amount,
      executionId: node.executionId,
      dedupeKey: idempotencyKey(),
    });
    return done({ metric, subject, amount });
  },
});
