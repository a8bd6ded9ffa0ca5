import { type JsonObject, JsonObjectSchema, JsonSchema, OvenError } from "@oven/contract";
import { findState } from "@oven/scope";
import { z } from "zod";
import { findDraft, getWorkflow, saveDraft, WORKFLOWS, writtenOutput } from "./draft-access.ts";
import {
  definePlatformTool,
  type PlatformTool,
  pageInput,
  pageOutput,
  toPage,
  WorkflowIdSchema,
} from "./platform-tool.ts";
import { editSteps, outlineSteps } from "./step-edits.ts";

const StateIdSchema = z.string().min(1).max(64);

/** Parts of a draft, so that large graphs are read and changed without being sent whole. */
export const stepTools: readonly PlatformTool[] = [
  definePlatformTool({
    name: "read_steps",
    title: "Read steps of a workflow",
    description:
      "The draft, or what is published, as one line per state with what it leads to. `steps` names states to have in full, `words` narrows the list. For large graphs instead of get_agent_workflow.",
    input: z.strictObject({
      workflow_id: WorkflowIdSchema,
      steps: z.array(StateIdSchema).max(50).optional(),
      words: z.string().max(200).default(""),
      ...pageInput,
      limit: z.int().min(1).max(200).default(100),
    }),
    output: z.strictObject({
      draft_revision: z.int().nullable(),
      initial: JsonSchema,
      outline: z.array(
        z.strictObject({
          step: z.string(),
          does: z.string().describe("The node type, else what kind of state it is"),
          label: z.string().optional(),
          inside: z.string().optional(),
          to: z.array(z.string()),
        }),
      ),
      states: z.record(z.string(), JsonObjectSchema).describe("Those that `steps` names"),
      settings: JsonObjectSchema.describe("What the definition has besides states"),
      ...pageOutput,
    }),
    calls: [`${WORKFLOWS}.get`],
    run: async ({ input: { workflow_id, steps = [], words, ...page }, call, find }) => {
      const workflow = await getWorkflow(call, workflow_id);
      const draft = await findDraft({ find }, workflow.id);
      const { definition } = draft ?? workflow;
      const { rows, next_offset } = toPage(
        page,
        outlineSteps(definition, words).slice(page.offset, page.offset + page.limit + 1),
      );
      const { states: _states, meta: _meta, initial, ...settings } = definition;
      return {
        ...{ draft_revision: draft?.revision ?? null, initial: initial ?? null, outline: rows, settings, next_offset },
        states: Object.fromEntries(steps.map((id) => [id, stateOf(definition, id)])),
      };
    },
  }),
  definePlatformTool({
    name: "change_steps",
    title: "Change steps of a workflow",
    description:
      "Changes the draft by state: `put` adds or replaces states, `remove` takes them away, `settings` changes what the definition has besides (initial, payloadSchema; null removes). Nothing is live before publish_agent_workflow. Answers what is wrong with the draft now.",
    input: z.strictObject({
      workflow_id: WorkflowIdSchema,
      draft_revision: z
        .int()
        .nonnegative()
        .optional()
        .describe(
          "The draft that you have read, so that a newer one is not changed unseen; left out, whichever there is",
        ),
      put: z.record(StateIdSchema, JsonObjectSchema).optional().describe("States by id, as in a definition"),
      inside: StateIdSchema.optional().describe("Id of the loop or state that new states stand in"),
      remove: z.array(StateIdSchema).max(200).optional(),
      settings: z.record(z.string().min(1).max(100), JsonSchema).optional(),
    }),
    output: writtenOutput,
    calls: [`${WORKFLOWS}.get`, `${WORKFLOWS}.drafts.save`, `${WORKFLOWS}.validate`],
    run: async ({ input: { workflow_id, draft_revision, ...edits }, publicUrl, call, find }) => {
      const workflow = await getWorkflow(call, workflow_id);
      const draft = await findDraft({ find }, workflow.id);
      const definition = editSteps((draft ?? workflow).definition, edits);
      const revision = draft_revision ?? draft?.revision ?? 0;
      return saveDraft(call, workflow, { definition, revision, publicUrl });
    },
  }),
];

/** @throws OvenError INVALID_REQUEST */
function stateOf(definition: JsonObject, id: string): JsonObject {
  const place = findState(definition, id);
  if (place !== undefined) return place.state;
  throw new OvenError("INVALID_REQUEST", `There is no state ${JSON.stringify(id)}`, {
    path: "$.steps",
    fix: "Without `steps` the answer lists the states that there are.",
  });
}
