export { runMigrationItems, runMigrations } from "./tables/run-migrations.table.ts";
export { executionIds, nodeRunIds } from "./tables/run-tables.ts";
export {
  idempotencyKeys,
  reviewComments,
  reviewIds,
  reviewReleases,
  reviews,
  reviewVotes,
  runBlobs,
  runEvents,
  runHolds,
  runScores,
  runSignals,
  usageRecords,
} from "./tables/shared-run-tables.ts";
export {
  nodeExecutions,
  workflowDrafts,
  workflowExecutions,
  workflowSeenDifferences,
  workflows,
  workflowTestData,
  workflowVersions,
} from "./tables/workflows.table.ts";
