import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { usageInput } from "../usage/usage-input.ts";
import { USAGE_PERIODS } from "../usage/usage-service.ts";

export const checkQuotaNode = defineNode({
  id: "core.checkQuota",
  version: 1,
  title: "Check quota",
  docs: [
    "Answers whether `amount` more of a metric still fits under `limit` in the hour, day or month (UTC) that runs now, or in all. It counts nothing itself: put core.trackUsage after what was used.",
    "",
    "Two runs that ask at the same time may both be allowed; what must never be exceeded needs a limit where the effect is.",
  ].join("\n"),
  category: "core",
  kind: "flow",
  effect: "pure",
  input: z.strictObject({
    ...usageInput,
    limit: z.number().nonnegative(),
    period: z.enum(USAGE_PERIODS).default("day"),
    amount: z.number().nonnegative().default(1),
  }),
  output: z.strictObject({
    allowed: z.boolean(),
    used: z.number(),
    limit: z.number(),
    remaining: z.number().describe("What is left, without the amount asked for; never below 0"),
  }),
  outcomes: [
    { id: "allowed", title: "Allowed", guard: { key: "output.allowed", operator: "==", value: true } },
    { id: "exceeded", title: "Exceeded" },
  ],
  async run({ input, principal, services }) {
    const { metric, subject, period, limit, amount } = input;
    const used = await services.usage.used({ tenantId: principal.tenantId, metric, subject }, period);
    return done({ allowed: used + amount <= limit, used, limit, remaining: Math.max(0, limit - used) });
  },
});
