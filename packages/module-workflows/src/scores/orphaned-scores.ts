import type { RetainedRows } from "../retention/retained-rows.ts";
import { allRuns, type RunKind } from "../runtime/run-kinds.ts";

/** Scores of runs that went with their workflow; otherwise scores go when their run does. */
export function orphanedScores(kinds: () => readonly RunKind[]): RetainedRows {
  return {
    table: "run_scores",
    since: "created_at",
    get settled() {
      return `not exists (select 1 from (${allRuns(kinds(), "id")}) x where x.id = run_scores.execution_id)`;
    },
    setting: { module: "module-workflows", key: "RETENTION_RUN_DETAIL_DAYS" },
  };
}
