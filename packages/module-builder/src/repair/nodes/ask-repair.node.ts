import { isGranted, type Json, OvenError } from "@oven/contract";
import type { ReviewRequest } from "@oven/contract/node";
import { AssigneeSchema } from "@oven/contract/review";
import { contentHash, hashJson } from "@oven/engine";
import { defineNode, done, type NodeDefinition, type ServiceMap } from "@oven/module-registry";
// What it puts into `services`.
import type {} from "@oven/module-roles";
import { z } from "zod";
import type { ProposalRow } from "../builder-proposals.table.ts";
import { REPAIR_PERMISSIONS } from "../failed-runs.ts";
import type { RepairParts } from "../repair-parts.ts";
import { toReviewRequest } from "../repair-review.ts";

/** Asks a person about the proved proposal, and writes down what they decide. */
export function askRepairNode(parts: () => RepairParts): NodeDefinition {
  return defineNode({
    id: "builder.askRepair",
    version: 1,
    title: "Ask about a repair",
    synonyms: ["repair", "approve"],
    docs: [
      "Asks the workflow's owner, or without one those who may publish it, about the proposed definition: what changes, and what was found of it. A proposal that is not proved is refused.",
      "",
      "Who decides needs the permissions to change and to run agent workflows. Approved, builder.applyRepair publishes exactly this definition.",
    ].join("\n"),
    category: "api",
    kind: "human",
    effect: "idempotent",
    isWait: true,
    permissions: [...REPAIR_PERMISSIONS],
    input: z.strictObject({
      assignees: z.array(AssigneeSchema).max(50).default([]).describe("Who is asked. Empty: the workflow's owner"),
      notRequester: z.boolean().default(false).describe("The person who asked for the repair may not decide"),
    }),
    output: z.strictObject({
      action: z.string(),
      reason: z.string().nullable(),
      reviewer: z.int().nullable(),
      decidedAt: z.string(),
    }),
    outcomes: [
      { id: "approved", title: "Approved", guard: { key: "output.action", operator: "==", value: "approve" } },
      { id: "rejected", title: "Rejected" },
    ],
    async run({ input, node: { executionId }, principal, services }) {
      const { rows, publicUrl } = parts();
      const row = requireProved(await rows.get(principal, executionId));
      const { workflows } = services.workflowPlatform.face("agent-workflow");
      const { createdBy } = await workflows.get(principal, String(row.workflowId));
      const mayDecide = createdBy !== null && (await isDecider(services, createdBy, principal.tenantId));
      const assignees = input.assignees.length > 0 || !mayDecide ? input.assignees : [`user:${createdBy}`];
      const before = (await workflows.pinned(row.workflowId, row.baseVersion)).definition;
      await rows.note(principal, executionId, { status: "asked" });
      const request: ReviewRequest = toReviewRequest(row, before, publicUrl);
      const policy = { ...DECIDED_BY, notRequester: input.notRequester };
      return { type: "wait", for: "review", request: { ...request, assignees, policy } };
    },
    async resume({ node: { executionId }, principal }, signal) {
      if (signal.type !== "decision")
        throw new OvenError("UNEXPECTED_SIGNAL", `Waiting for a decision cannot be ended by ${signal.type}`);
      const { rows } = parts();
      const { definition } = requireProved(await rows.get(principal, executionId));
      const { action, reason, reviewer, decidedAt, review } = signal;
      const definitionHash = contentHash(definition);
      requireShown(signal.data, definitionHash, review?.digest);
      const decision = { action, reviewId: review?.id ?? null, by: reviewer, reason, definitionHash };
      await rows.note(principal, executionId, { decision });
      if (action !== "approve") await rows.end(principal, executionId, { status: "rejected", reason });
      return done({ action, reason, reviewer, decidedAt });
    },
  });
}

/** Whether the account may sign in and decide. */
async function isDecider({ access }: ServiceMap, userId: number, tenantId: number): Promise<boolean> {
  const person = await access.findPrincipal(userId, tenantId);
  if (person === undefined) return false;
  return ["reviews.decide", ...REPAIR_PERMISSIONS].every((permission) => isGranted(person.permissions, permission));
}

const DECIDED_BY = {
  approvals: 1,
  adminsMayDecide: true,
  onDeadline: "error",
  // Whichever way the decision comes in, a key with less may not give it.
  permissions: [...REPAIR_PERMISSIONS],
} as const satisfies Partial<NonNullable<ReviewRequest["policy"]>>;

type ProvedRow = ProposalRow & { definition: NonNullable<ProposalRow["definition"]> } & {
  evidence: NonNullable<ProposalRow["evidence"]>;
};

/** @throws OvenError REPAIR_NOT_PROVED 409 */
function requireProved(row: ProposalRow): ProvedRow {
  const { definition, evidence, executionId } = row;
  if (definition !== null && evidence !== null && evidence.wrong.length === 0)
    if (evidence.definitionHash === contentHash(definition)) return { ...row, definition, evidence };
  throw new OvenError("REPAIR_NOT_PROVED", `What run ${executionId} proposes is not proved`, {
    status: 409,
    fix: "Put builder.proveRepair before this step, and go on only where it is proved.",
  });
}

/** What was decided on must be what is there now. @throws OvenError REPAIR_NOT_APPROVED 409 */
function requireShown(shown: Json, definitionHash: string, digest: string | undefined): void {
  const is = z.looseObject({ definitionHash: z.string() }).safeParse(shown);
  const isAsShown = digest === undefined || digest === hashJson({ tool: null, proposal: shown });
  if (is.success && is.data.definitionHash === definitionHash && isAsShown) return;
  throw new OvenError("REPAIR_NOT_APPROVED", "What was decided on is not what is proposed now", {
    status: 409,
    fix: "Start the repair again.",
  });
}
