export { evalCases } from "./tables/eval-cases.table.ts";
export { evalDatasets } from "./tables/eval-datasets.table.ts";
export { evalResults } from "./tables/eval-results.table.ts";
export { evalRuns } from "./tables/eval-runs.table.ts";
export { scoreJudgements, scoreJudges } from "./tables/score-judges.table.ts";
