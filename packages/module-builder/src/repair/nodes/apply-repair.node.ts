import { RetriedRunSchema } from "@oven/contract/workflow";
import { defineNode, done, type NodeDefinition, toToolRun } from "@oven/module-registry";
import { z } from "zod";
import type { RepairParts } from "../repair-parts.ts";

/** Publishes what was approved, as the person who approved it, and tries the failed runs again. */
export function applyRepairNode(parts: () => RepairParts): NodeDefinition {
  return defineNode({
    id: "builder.applyRepair",
    version: 1,
    title: "Apply a repair",
    synonyms: ["repair", "publish", "retry"],
    docs: [
      "Publishes exactly the definition that builder.askRepair had approved, as the person who approved it, with the rights that person has now, and tries the failed runs again on it.",
      "",
      "Where another version was published meanwhile it changes nothing: `status` is `stale`. Where it may not be published, `status` is `refused` and `reason` says why.",
    ].join("\n"),
    category: "api",
    kind: "data",
    effect: "idempotent",
    input: z.strictObject({}),
    output: z.strictObject({
      status: z.enum(["applied", "stale", "refused"]),
      reason: z.string().nullable(),
      publishedVersion: z.int().nullable(),
      retried: z.array(RetriedRunSchema),
    }),
    outcomes: [
      { id: "applied", title: "Applied", guard: { key: "output.status", operator: "==", value: "applied" } },
      { id: "notApplied", title: "Not applied" },
    ],
    async run(context) {
      const { principal, signal, idempotencyKey, node } = context;
      const { rows, applier } = parts();
      const row = await rows.get(principal, node.executionId);
      const applied = await applier.apply(row, {
        ...{ tenantId: principal.tenantId, signal, idempotencyKey: idempotencyKey(), run: toToolRun(context) },
      });
      const { status, reason, publishedVersion, retried } = applied;
      await rows.end(principal, node.executionId, {
        ...{ status, reason, retried },
        ...(publishedVersion === null ? {} : { publishedVersion }),
      });
      return done({ status, reason, publishedVersion, retried });
    },
  });
}
