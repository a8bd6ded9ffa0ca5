import { OvenError } from "@oven/contract";
import { WorkflowSchema } from "@oven/contract/workflow";
import type {} from "@oven/module-chat";
import { defineNode, done, type NodeContext, type RunnableNode } from "@oven/module-registry";
import { z } from "zod";
import { readDraft, WORKFLOWS } from "../desks/desk.ts";
import type { DeskRows } from "../desks/desk-rows.ts";
import { catalogueOfStep } from "./node-desk.ts";

/** Configuration key: US cents. */
export const CONVERSATION_MAX_COST = "CONVERSATION_MAX_COST_CENTS";

/** `builder.begin`: what a run of the builder is about. */
export function beginNode(rows: () => DeskRows): RunnableNode {
  return defineNode({
    id: "builder.begin",
    version: 1,
    title: "Begin building",
    firstFields: ["workflow"],
    docs: [
      "Says which agent workflow the run builds, explains or repairs. The `build.*` tools of the run change and try out this one only.",
      "",
      "The person who started the run must be allowed to change it. A conversation that has cost more than `CONVERSATION_MAX_COST_CENTS` ends with COST_LIMIT. A workflow that is shared, or that belongs to a source of its own, is refused when it is changed.",
    ].join("\n"),
    category: "api",
    kind: "data",
    effect: "idempotent",
    permissions: ["agent-workflows.read"],
    input: z.strictObject({ workflow: z.int().positive().describe("Id of an agent workflow") }),
    output: z.strictObject({
      workflowId: z.int(),
      name: z.string(),
      slug: z.string(),
      description: z.string(),
      draftRevision: z.int().describe("0: there is no draft"),
      states: z.int().describe("How many it has"),
    }),
    run: async (context) => {
      await requireBudget(context);
      const ask = catalogueOfStep(context);
      const workflow = WorkflowSchema.parse(await ask(`${WORKFLOWS}.get`, { id: String(context.input.workflow) }));
      const { id, name, slug, description } = workflow;
      const { definition, revision } = await readDraft(ask, id);
      const { executionId } = context.node;
      const { tenantId } = context.principal;
      await rows().begin({ executionId, tenantId, workflowId: id, slug, seenRevision: revision, seen: definition });
      const states = Object.keys(z.record(z.string(), z.unknown()).parse(definition.states ?? {})).length;
      return done({ workflowId: id, name, slug, description: description ?? "", draftRevision: revision, states });
    },
  });
}

/** @throws OvenError COST_LIMIT once the conversation has cost what it may */
async function requireBudget({ services, node, config }: NodeContext): Promise<void> {
  const most = z.number().parse(await config(CONVERSATION_MAX_COST)) * 10_000;
  const spent = await services.chats.costBefore(node.rootExecutionId);
  if (spent < most) return;
  throw new OvenError("COST_LIMIT", `This conversation has cost ${(spent / 1_000_000).toFixed(2)} USD`, {
    fix: `Begin a new conversation, or have ${CONVERSATION_MAX_COST} of module-builder raised.`,
  });
}
