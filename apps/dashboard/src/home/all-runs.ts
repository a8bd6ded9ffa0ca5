import { jointResource } from "@oven/ui/api/joint-list.ts";
import { WORKFLOW_KINDS } from "@oven/ui/components/workflow-kind.ts";

/** Runs of both kinds of workflow. */
export const ALL_RUNS = jointResource(WORKFLOW_KINDS.map(({ executionResource }) => executionResource));
