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
