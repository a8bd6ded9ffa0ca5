import { JsonObjectSchema, JsonSchema } from "@oven/contract";
import { TestDataSchema } from "@oven/contract/workflow";
import { z } from "zod";
import { definePlatformTool, type PlatformTool, WorkflowIdSchema } from "./platform-tool.ts";

const OF = "agents-workflow.agentWorkflows";

const testDataOutput = z.strictObject({
  inputs: z.record(z.string(), JsonObjectSchema),
  pinned_steps: z.array(z.string()),
});

/** What a workflow is tried out with: saved inputs and pinned outputs. */
export const trialTools: readonly PlatformTool[] = [
  definePlatformTool({
    name: "set_test_data",
    title: "Keep test inputs and pinned outputs",
    description:
      "Keeps inputs under a name and outputs of steps, which the editor uses, too. What is named is set, or with null taken away; the rest stays. Without either it only answers what there is.",
    input: z.strictObject({
      workflow_id: WorkflowIdSchema,
      inputs: z.record(z.string(), JsonObjectSchema.nullable()).optional(),
      pins: z.record(z.string(), JsonSchema.nullable()).optional().describe("Outputs by state id"),
    }),
    output: testDataOutput,
    calls: [`${OF}.testData.change`],
    run: async ({ input: { workflow_id, inputs, pins }, call }) => {
      const pinned = Object.entries(pins ?? {}).map(([state, output]) => [
        state,
        output === null ? null : { output, basis: "" },
      ]);
      const asked = {
        id: String(workflow_id),
        ...(inputs === undefined ? {} : { inputs }),
        ...(pins === undefined ? {} : { pins: Object.fromEntries(pinned) }),
      };
      const data = await call(`${OF}.testData.change`, asked, TestDataSchema);
      return { inputs: data.inputs, pinned_steps: Object.keys(data.pins) };
    },
  }),
];
