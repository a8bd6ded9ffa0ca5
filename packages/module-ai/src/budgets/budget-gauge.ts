import { defineGauge } from "@oven/module-registry";
import { periodOf } from "./budget-subject.ts";

/** How much of the budgets of the current day and month is spent. */
export const budgetGauge = defineGauge({
  name: "oven_model_budget_used_ratio",
  help: "The largest spent share of a budget of this day or month, 1 is all of it",
  labels: ["scope", "period"],
  read: async ({ db }) => {
    const now = Date.now();
    const rows = await db.system.query<{ scope: string; period: string; ratio: number }>(
      `select b.scope, b.period, max(greatest(
          s.spent_micros / nullif(b.limit_micros, 0)::float8, s.spent_tokens / nullif(b.limit_tokens, 0)::float8))::float8 as ratio
        from ai_budget_spend s join ai_budgets b on b.id = s.budget_id
        where b.enabled and (b.period = 'day' and s.period = $1 or b.period = 'month' and s.period = $2)
        group by b.scope, b.period having max(coalesce(b.limit_micros, b.limit_tokens)) > 0`,
      [periodOf({ period: "day" }, now), periodOf({ period: "month" }, now)],
    );
    return rows.map(({ scope, period, ratio }) => ({ labels: { scope, period }, value: ratio }));
  },
});
