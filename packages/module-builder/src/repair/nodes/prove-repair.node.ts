import { MAX_REPAIR_ATTEMPTS } from "@oven/contract/workflow";
import { defineNode, done, type NodeDefinition } from "@oven/module-registry";
import { z } from "zod";
import { mergeRuns, REPAIR_PERMISSIONS } from "../failed-runs.ts";
import type { RepairParts } from "../repair-parts.ts";
import { toCorrection } from "../repair-words.ts";

const MOST_SAID = 10_000;

/** Proves the run's proposal on recordings. */
export function proveRepairNode(parts: () => RepairParts): NodeDefinition {
  return defineNode({
    id: "builder.proveRepair",
    version: 1,
    title: "Prove a repair",
    synonyms: ["repair", "rehearse"],
    docs: [
      "Goes through the failed runs, through runs that completed and through those of eval datasets on the proposed definition, from their recordings, and asks the policies. Nothing outside is called.",
      "",
      "`proved` is true where every failed run gets past its failure, no completed run comes out otherwise, and no policy is against it. Otherwise `again` says whether there is another attempt, and `message` says to a model what is wrong.",
    ].join("\n"),
    category: "api",
    kind: "data",
    effect: "idempotent",
    permissions: [...REPAIR_PERMISSIONS],
    input: z.strictObject({
      explanation: z.string().default("").describe("What the model says of its change"),
    }),
    output: z.strictObject({
      proved: z.boolean(),
      again: z.boolean(),
      attempt: z.int(),
      message: z.string(),
      wrong: z.array(z.string()),
    }),
    async run({ input, node: { executionId, visit: attempt }, principal, signal, idempotencyKey, services }) {
      const { rows, prover, failedRuns } = parts();
      const row = await rows.get(principal, executionId);
      const { workflowId, baseVersion, failure } = row;
      const alike = row.wholeGroup ? await failedRuns.alike(principal, workflowId, failure) : [];
      const runIds = mergeRuns(row.runIds, alike);
      const { workflows } = services.workflowPlatform.face("agent-workflow");
      const live = await workflows.get(principal, String(workflowId));
      const definition = row.definition ?? live.definition;
      const call = { principal, signal, attempt, idempotencyKey: idempotencyKey() };
      const isStale = live.version !== baseVersion;
      const evidence = await prover.prove({ workflowId, baseVersion, failure, runIds, definition }, call);
      const wrong = isStale
        ? [`Version ${live.version} of ${live.name} was published meanwhile.`, ...evidence.wrong]
        : evidence.wrong;
      const explanation = input.explanation.slice(0, MOST_SAID);
      await rows.note(principal, executionId, { runIds, evidence: { ...evidence, wrong }, explanation });
      const proved = wrong.length === 0;
      const again = !proved && !isStale && attempt < MAX_REPAIR_ATTEMPTS;
      if (!proved && !again)
        await rows.end(principal, executionId, { status: isStale ? "stale" : "unproved", reason: wrong.join("\n") });
      return done({ proved, again, attempt, message: proved ? "" : toCorrection(wrong), wrong });
    },
  });
}
