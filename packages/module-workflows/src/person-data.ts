import type { PersonData } from "@oven/module-registry";
import { runHoldings } from "./persons/run-holdings.ts";
import { reviewComments, reviews, reviewVotes, runScores, usageRecords, workflowExecutions } from "./schema.ts";

/** Runs, and what people said about reviews. */
export const personData: PersonData = {
  holdings: [
    ...runHoldings(workflowExecutions, {
      named: "Runs of workflows whose input names the person",
      started: "Runs of workflows that the person started",
    }),
    {
      table: reviews,
      title: "Reasons of decisions",
      where: "r.decided_by = s.user_id and r.reason is not null",
      hidden: ["proposal", "context", "schema", "data"],
      erase: { how: "clear", columns: { reason: "null" } },
    },
    {
      table: reviewVotes,
      title: "Reasons of votes",
      where: "r.user_id = s.user_id and r.reason is not null",
      erase: { how: "clear", columns: { reason: "null" } },
    },
    {
      table: reviewComments,
      title: "Comments on reviews",
      where: "r.user_id = s.user_id and r.text <> ''",
      erase: { how: "clear", columns: { text: "''" } },
    },
    {
      table: runScores,
      title: "Comments on runs",
      where: "r.user_id = s.user_id and r.comment is not null",
      erase: { how: "clear", columns: { comment: "null" } },
    },
    {
      table: usageRecords,
      title: "Usage that is counted for the person",
      where: "lower(r.subject) = s.email or r.subject = 'user:' || s.user_id",
      erase: { how: "clear", columns: { subject: "'erased'" } },
    },
  ],
  numbers: [
    "workflows.created_by",
    "workflow_versions.created_by",
    "workflow_drafts.updated_by",
    "workflow_test_data.updated_by",
    "workflow_seen_differences.user_id",
    "run_holds.held_by",
    "run_scores.user_id",
    "run_migrations.created_by",
    "run_migrations.principal",
    "reviews.requested_by",
    "reviews.requesters",
    "reviews.assignees",
    "reviews.decided_by",
  ],
};
