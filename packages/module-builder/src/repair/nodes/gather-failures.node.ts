import { MAX_REPAIRED_RUNS, RepairedFailureSchema } from "@oven/contract/workflow";
import { defineNode, done, type NodeDefinition } from "@oven/module-registry";
import { z } from "zod";
import { mergeRuns, REPAIR_PERMISSIONS } from "../failed-runs.ts";
import { toBrief } from "../repair-brief.ts";
import type { RepairParts } from "../repair-parts.ts";

/** Reads the failed runs and begins a proposal. */
export function gatherFailuresNode(parts: () => RepairParts): NodeDefinition {
  return defineNode({
    id: "builder.gatherFailures",
    version: 1,
    title: "Gather failures",
    synonyms: ["repair", "failed runs"],
    docs: [
      "Reads failed runs of one agent workflow that failed in the same way, and begins a proposal of how to repair it.",
      "",
      "The proposal belongs to this run: its tools read and change that, and no person's draft. `brief` says to a model what failed.",
    ].join("\n"),
    category: "api",
    kind: "data",
    effect: "idempotent",
    permissions: [...REPAIR_PERMISSIONS],
    input: z.strictObject({
      runs: z.array(z.int().positive()).min(1).max(MAX_REPAIRED_RUNS).describe("Ids of failed runs"),
      group: z
        .boolean()
        .default(false)
        .describe("With all that failed in the same way and was not tried again, also what fails meanwhile"),
      automatic: z.boolean().default(false).describe("It was begun by a rule"),
    }),
    output: z.strictObject({
      workflowId: z.int(),
      workflowName: z.string(),
      baseVersion: z.int(),
      failure: RepairedFailureSchema,
      runs: z.array(z.int()),
      brief: z.string(),
    }),
    async run({ input: { runs, group, automatic }, node: { executionId }, principal }) {
      const { failedRuns, rows, desks } = parts();
      const found = await failedRuns.gather(principal, runs);
      const { workflow, failure, failureKey, example } = found;
      const alike = group ? await failedRuns.alike(principal, workflow.id, failure) : [];
      const runIds = mergeRuns(found.runIds, alike);
      const base = { workflowId: workflow.id, workflowName: workflow.name, baseVersion: workflow.version };
      const proposal = { executionId, ...base, failure, failureKey, runIds, wholeGroup: group, automatic };
      await rows.begin(principal, proposal);
      // What the run's tools read and change is the proposal: `proposalDesk` answers in the place of the draft.
      const { id: workflowId, slug, definition: seen } = workflow;
      await desks.begin({ executionId, tenantId: principal.tenantId, workflowId, slug, seenRevision: 0, seen });
      return done({ ...base, failure, runs: runIds, brief: toBrief({ workflow, failure, example, runIds }) });
    },
  });
}
