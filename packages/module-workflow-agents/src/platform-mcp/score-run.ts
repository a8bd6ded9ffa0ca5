import type { Principal } from "@oven/contract";
import type { McpToolDefinition } from "@oven/contract/mcp";
import { NewRunScoreSchema, THUMBS } from "@oven/contract/run";
import { mcpScorerOf, toJsonSchema, type WorkflowPlatform } from "@oven/module-workflows";
import { z } from "zod";
import { RunIdSchema } from "./platform-tool.ts";
import { toShortSchema } from "./short-schema.ts";

/** What the tool takes. */
export const ScoreRunSchema = NewRunScoreSchema.extend({
  run_id: RunIdSchema,
  name: NewRunScoreSchema.shape.name.default(THUMBS),
});
const outputSchema = z.strictObject({ run_id: z.int(), name: z.string(), value: z.number() });

export const SCORE_RUN: McpToolDefinition = {
  name: "score_run",
  title: "Score a run",
  description: "Says how good a run was: 0 bad, 1 good. Yours of that name is replaced.",
  inputSchema: toShortSchema(toJsonSchema(ScoreRunSchema, "input")),
  outputSchema: toShortSchema(toJsonSchema(outputSchema, "output")),
  annotations: { readOnlyHint: false, idempotentHint: true },
};

/** @throws OvenError as `ScoreService.add` */
export async function scoreRun(
  { scores }: Pick<WorkflowPlatform, "scores">,
  principal: Principal,
  given: Record<string, unknown>,
): Promise<z.input<typeof outputSchema>> {
  const { run_id, ...score } = ScoreRunSchema.parse(given);
  const { name, value } = await scores.addToRun(principal, run_id, score, mcpScorerOf(principal));
  return { run_id, name, value };
}
