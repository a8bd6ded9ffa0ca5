import type { ModelBudget } from "@oven/contract/ai";
import type { ModelCaller } from "../usage/record-usage.ts";

type Terms = Pick<ModelBudget, "scope" | "target" | "period">;

/** Whose amount a call is taken from; undefined when the budget is not about this call. */
export function subjectOf({ scope, target }: Terms, caller: ModelCaller): string | undefined {
  switch (scope) {
    case "tenant":
      return "tenant";
    case "run": {
      const run = caller.rootExecutionId ?? caller.executionId;
      if (run === undefined || (target !== null && target !== caller.workflow)) return undefined;
      return `run:${run}`;
    }
    case "workflow":
      return caller.workflow === undefined || (target !== null && target !== caller.workflow)
        ? undefined
        : caller.workflow;
    case "agent":
      return caller.agent === undefined || (target !== null && target !== caller.agent)
        ? undefined
        : `agent:${caller.agent}`;
    case "key":
      return caller.keyId === undefined || (target !== null && target !== String(caller.keyId))
        ? undefined
        : `key:${caller.keyId}`;
  }
}

/** `run`, `2026-01-31` or `2026-01`, in UTC. */
export function periodOf({ period }: Pick<Terms, "period">, now: number): string {
  if (period === "run") return "run";
  return new Date(now).toISOString().slice(0, period === "day" ? 10 : 7);
}
