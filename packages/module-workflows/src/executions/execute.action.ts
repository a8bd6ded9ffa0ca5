import { IdOrSlugSchema, JsonObjectSchema } from "@oven/contract";
import { type ActionDefinition, defineAction } from "@oven/module-registry";
import { z } from "zod";
import { type WorkflowKind, withArticle } from "../workflow-kind.ts";

/** The operation that models see for running a workflow: without options for programs, and waiting for the result. */
export function executeAction({ kind, resource, title }: WorkflowKind): ActionDefinition {
  const operation = `${kind === "workflow" ? "workflows" : "agentWorkflows"}.execute`;
  return defineAction({
    name: operation,
    title: `Run ${withArticle(title)}`,
    description:
      "Starts the workflow with the input that its payload schema asks for and waits for it. `status` says how it stands: `completed` with its `output`, `failed` with its `error`, `paused` when a person must decide first, `running` when it takes longer",
    input: z.strictObject({
      workflow: IdOrSlugSchema.describe("Its slug or id"),
      input: JsonObjectSchema.default({}).describe("What it begins with"),
      waitSeconds: z.int().min(1).max(60).default(30).describe("How long to wait for its end"),
    }),
    permissions: [`${resource}.execute`],
    covers: operation,
    toArguments: ({ workflow, input, waitSeconds }) => ({ id: String(workflow), input, wait: waitSeconds }),
  });
}
