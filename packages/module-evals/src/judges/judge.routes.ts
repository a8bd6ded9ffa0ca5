import { NewScoreJudgeSchema, ScoreJudgeSchema, UpdateScoreJudgeSchema } from "@oven/contract/eval";
import { type Route, rowRoutes } from "@oven/module-registry";
import { z } from "zod";
import type { JudgeService } from "./judge-service.ts";

/** Judges that score a sample of real runs. */
export function judgeRoutes(deps: () => { judges: JudgeService }): Route[] {
  return rowRoutes({
    path: "score-judges",
    operation: "judges",
    permission: (action) => `evals.${action}`,
    summaries: {
      list: "List judges of real runs; `filter.kind` and `filter.targetId` name the workflow",
      create: "Let a model score a sample of a workflow's completed runs",
      get: "Get a judge",
      update: "Change a judge; runs that wait for it are judged as it is then",
      delete: "Delete a judge; the scores that it gave stay",
    },
    params: z.object({ id: z.coerce.number().int().positive() }),
    row: ScoreJudgeSchema,
    create: NewScoreJudgeSchema,
    update: UpdateScoreJudgeSchema,
    rows: () => deps().judges,
  });
}
