import { WorkflowSchema } from "@oven/contract/workflow";
import { defineNode, done, type RunnableNode } from "@oven/module-registry";
import { z } from "zod";
import { readDraft, WORKFLOWS } from "../desks/desk.ts";
import type { DeskRows } from "../desks/desk-rows.ts";
import { catalogueOfStep } from "./node-desk.ts";

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
      "The person who started the run must be allowed to change it. A workflow that is shared, or that belongs to a source of its own, is refused when it is changed.",
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
