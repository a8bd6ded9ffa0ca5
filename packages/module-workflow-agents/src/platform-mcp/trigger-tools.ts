import { JsonObjectSchema, JsonSchema } from "@oven/contract";
import { CreateTriggerSchema, TriggerProblemSchema, TriggerTypeSchema } from "@oven/contract/trigger";
import { WorkflowSchema } from "@oven/contract/workflow";
import { z } from "zod";
import { definePlatformTool, type PlatformTool, WorkflowIdSchema } from "./platform-tool.ts";
import { requirePublished } from "./published-version.ts";
import { toShortSchema } from "./short-schema.ts";

const triggerOutput = z.strictObject({
  trigger_id: z.int(),
  type: z.string(),
  enabled: z.boolean(),
  problem: TriggerProblemSchema.nullable().describe(
    "Why every firing would be refused; null: nothing is known against it",
  ),
});

/** What starts workflows by itself. */
export const triggerTools: readonly PlatformTool[] = [
  definePlatformTool({
    name: "describe_trigger_type",
    title: "Describe kinds of triggers",
    description: "The kinds of triggers; with `type` one of them with its settings and an example of what arrives.",
    input: z.strictObject({ type: z.string().max(100).optional().describe("email, schedule, webhook") }),
    output: z.strictObject({
      types: z.array(
        z.strictObject({
          type: z.string(),
          about: z.string(),
          config: JsonObjectSchema.optional(),
          arrives: JsonSchema.optional(),
        }),
      ),
    }),
    calls: ["triggers.types.list"],
    run: async ({ input: { type }, call }) => {
      const known = await call("triggers.types.list", {}, z.array(TriggerTypeSchema));
      return {
        types: known
          .filter(({ id }) => type === undefined || id === type)
          .map(({ id, docs, configSchema, sample }) => ({
            ...{ type: id, about: docs },
            ...(type === undefined ? {} : { config: toShortSchema(configSchema), arrives: sample }),
          })),
      };
    },
  }),
  definePlatformTool({
    name: "create_trigger",
    title: "Make a trigger for an agent workflow",
    description:
      "Starts the published version by itself, with the rights of the person this client acts for: publish first. Secrets are named in `config`, never sent; a person makes them in the dashboard.",
    input: z.strictObject({
      type: CreateTriggerSchema.shape.type.describe("Of describe_trigger_type"),
      name: CreateTriggerSchema.shape.name,
      workflow_id: WorkflowIdSchema,
      config: JsonObjectSchema.default({}).describe("As describe_trigger_type says"),
      filter: JsonObjectSchema.optional().describe("A guard on what arrives; left out, everything comes through"),
      input: JsonObjectSchema.optional().describe(
        'The run\'s input by paths into what arrives: {"subject": "$.subject"}; left out, what arrives',
      ),
      enabled: z.boolean().default(true),
    }),
    output: triggerOutput,
    calls: ["triggers.triggers.create", "agents-workflow.agentWorkflows.get"],
    run: async ({ input: { workflow_id, filter, input, ...given }, call }) => {
      const asking = { id: String(workflow_id) };
      const workflow = await call("agents-workflow.agentWorkflows.get", asking, WorkflowSchema);
      requirePublished(workflow);
      const asked = {
        ...given,
        target: { kind: "agent-workflow", workflowId: workflow.id },
        ...(filter === undefined ? {} : { filter }),
        ...(input === undefined ? {} : { input }),
      };
      const Made = z.object({
        id: z.int(),
        type: z.string(),
        enabled: z.boolean(),
        problem: TriggerProblemSchema.nullable(),
      });
      const made = await call("triggers.triggers.create", asked, Made);
      return { trigger_id: made.id, type: made.type, enabled: made.enabled, problem: made.problem };
    },
  }),
];
