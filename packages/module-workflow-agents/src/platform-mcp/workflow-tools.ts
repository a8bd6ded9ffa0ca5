import { JsonObjectSchema, JsonSchema, OvenError, SlugSchema } from "@oven/contract";
import {
  compareDefinitions,
  FIRST_VERSION,
  VersionComparisonSchema,
  WorkflowDraftSchema,
  WorkflowSchema,
} from "@oven/contract/workflow";
import { z } from "zod";
import { withDefinitionFormat } from "./definition-input.ts";
import {
  checkDefinition,
  findDraft,
  getWorkflow,
  saveDraft,
  toWritten,
  urlOf,
  WORKFLOWS,
  writtenOutput,
} from "./draft-access.ts";
import {
  definePlatformTool,
  type PlatformTool,
  pageInput,
  pageOutput,
  toListArguments,
  toPage,
  toPreview,
  WorkflowIdSchema,
} from "./platform-tool.ts";
import { problemOutput } from "./problem-answers.ts";
import { publishedVersion } from "./published-version.ts";

/** Both of creating and of changing a workflow. */
const written = {
  name: z.string().trim().min(1).max(200),
  slug: SlugSchema.optional().describe("Made from the name where it is left out"),
  description: z.string().max(10_000).optional(),
  tags: z.array(z.string().min(1).max(100)).max(50).optional(),
  definition: JsonObjectSchema,
};
const createInput = z.strictObject(written);
const updateInput = z.strictObject({
  workflow_id: WorkflowIdSchema,
  draft_revision: z
    .int()
    .nonnegative()
    .optional()
    .describe("The draft that is replaced, so that a newer one is not lost; left out, whichever there is"),
  ...written,
  name: written.name.optional(),
  definition: written.definition.optional().describe("As in create_agent_workflow"),
});
/** Workflows as documents: found, read, written as drafts, checked, published, compared. */
export const workflowTools: readonly PlatformTool[] = [
  definePlatformTool({
    name: "list_agent_workflows",
    title: "List agent workflows",
    description: "The workflows of this installation, the newest first, without their definitions.",
    input: z.strictObject({
      words: z.string().max(200).optional().describe("Words that name, slug or description have"),
      tag: z.string().max(100).optional(),
      enabled: z.boolean().optional(),
      ...pageInput,
    }),
    output: z.strictObject({
      workflows: z.array(
        z.strictObject({
          workflow_id: z.int(),
          slug: z.string(),
          name: z.string(),
          version: z.int(),
          enabled: z.boolean(),
          tags: z.array(z.string()),
        }),
      ),
      ...pageOutput,
    }),
    calls: [`${WORKFLOWS}.list`],
    run: async ({ input: { words, tag, enabled, ...page }, call }) => {
      const filter = {
        ...(words ? { q: words } : {}),
        ...(tag === undefined ? {} : { tags: [tag] }),
        ...(enabled === undefined ? {} : { enabled }),
      };
      const { rows, next_offset } = toPage(
        page,
        await call(`${WORKFLOWS}.list`, toListArguments(page, filter), z.array(WorkflowSchema)),
      );
      return {
        workflows: rows.map(({ id, slug, name, version, enabled: isEnabled, tags }) => ({
          ...{ workflow_id: id, slug, name, version, enabled: isEnabled, tags },
        })),
        next_offset,
      };
    },
  }),
  definePlatformTool({
    name: "get_agent_workflow",
    title: "Get an agent workflow",
    description: "A workflow with its definition: the draft where there is one, else the published version.",
    input: z.strictObject({
      workflow_id: WorkflowIdSchema,
      which: z.enum(["newest", "published"]).default("newest").describe("`newest`: the draft, where there is one"),
    }),
    output: z.strictObject({
      workflow_id: z.int(),
      slug: z.string(),
      name: z.string(),
      description: z.string().nullable(),
      enabled: z.boolean(),
      published_version: writtenOutput.shape.published_version,
      draft_revision: writtenOutput.shape.draft_revision,
      definition: JsonObjectSchema,
      url: z.string(),
    }),
    calls: [`${WORKFLOWS}.get`],
    run: async ({ input: { workflow_id, which }, publicUrl, call, find }) => {
      const workflow = await getWorkflow(call, workflow_id);
      const draft = which === "published" ? undefined : await findDraft({ find }, workflow.id);
      const { id, slug, name, description, enabled } = workflow;
      return {
        ...{ workflow_id: id, slug, name, description, enabled, published_version: publishedVersion(workflow) },
        draft_revision: draft?.revision ?? null,
        definition: draft?.definition ?? workflow.definition,
        url: urlOf(publicUrl, id),
      };
    },
  }),
  definePlatformTool({
    name: "validate_definition",
    title: "Check a definition",
    description:
      "What is wrong with a definition, or with a workflow's draft, without saving anything. Creating and updating check, too.",
    input: z.strictObject({
      definition: JsonObjectSchema.optional().describe("As in create_agent_workflow"),
      workflow_id: WorkflowIdSchema.optional().describe("Instead of a definition: its draft, else what is published"),
    }),
    output: z.strictObject(problemOutput),
    calls: [`${WORKFLOWS}.validate`],
    run: async ({ input: { definition, workflow_id }, call, find }) => {
      if ((definition === undefined) === (workflow_id === undefined))
        throw new OvenError("INVALID_REQUEST", "What is to be checked is given once", {
          fix: "Send either `definition` or `workflow_id`.",
        });
      if (definition !== undefined) return checkDefinition(call, definition);
      const workflow = await getWorkflow(call, workflow_id ?? "");
      return checkDefinition(call, ((await findDraft({ find }, workflow.id)) ?? workflow).definition);
    },
  }),
  definePlatformTool({
    name: "create_agent_workflow",
    title: "Create an agent workflow",
    description:
      "Creates a workflow whose definition is a draft: nothing goes live before publish_agent_workflow. Answers what is wrong with the definition; a draft may have errors.",
    input: createInput,
    shownInput: () => withDefinitionFormat(createInput),
    output: writtenOutput,
    calls: [`${WORKFLOWS}.create`, `${WORKFLOWS}.drafts.save`, `${WORKFLOWS}.validate`],
    run: async ({ input: { definition, ...given }, publicUrl, call }) => {
      const workflow = await call(`${WORKFLOWS}.create`, { ...given, definition: FIRST_VERSION }, WorkflowSchema);
      return saveDraft(call, workflow, { definition, revision: 0, publicUrl });
    },
  }),
  definePlatformTool({
    name: "update_agent_workflow",
    title: "Change an agent workflow",
    description:
      "Takes what create_agent_workflow takes, each part optional. `definition` replaces the draft and is not live before publish_agent_workflow; name, slug, description and tags change at once.",
    input: updateInput,
    output: writtenOutput,
    calls: [`${WORKFLOWS}.update`, `${WORKFLOWS}.get`, `${WORKFLOWS}.drafts.save`, `${WORKFLOWS}.validate`],
    run: async ({ input: { workflow_id, draft_revision, definition, ...given }, publicUrl, call, find }) => {
      const isGiven = Object.values(given).some((value) => value !== undefined);
      const workflow = isGiven
        ? await call(`${WORKFLOWS}.update`, { id: String(workflow_id), body: given }, WorkflowSchema)
        : await getWorkflow(call, workflow_id);
      const draft = await findDraft({ find }, workflow.id);
      if (definition !== undefined) {
        const revision = draft_revision ?? draft?.revision ?? 0;
        return saveDraft(call, workflow, { definition, revision, publicUrl });
      }
      return toWritten(workflow, draft, await checkDefinition(call, (draft ?? workflow).definition), publicUrl);
    },
  }),
  definePlatformTool({
    name: "publish_agent_workflow",
    title: "Publish the draft of an agent workflow",
    description:
      "Makes the draft the version that runs from now on, with the rights of the person this client acts for. Publish when that person has asked for it. A draft with errors is refused.",
    input: z.strictObject({
      workflow_id: WorkflowIdSchema,
      draft_revision: z.int().positive().describe("The draft that is meant, as it was answered last"),
      note: z.string().max(2_000).optional().describe("Why; shown in the history"),
    }),
    output: writtenOutput,
    calls: [`${WORKFLOWS}.update`, `${WORKFLOWS}.drafts.get`, `${WORKFLOWS}.validate`],
    run: async ({ input: { workflow_id, draft_revision, note }, publicUrl, call }) => {
      const draft = await call(`${WORKFLOWS}.drafts.get`, { id: String(workflow_id) }, WorkflowDraftSchema);
      if (draft.revision !== draft_revision)
        throw new OvenError("STALE_DRAFT", `The draft is at revision ${draft.revision} by now`, {
          status: 409,
          fix: "Read it with get_agent_workflow, and publish the revision that is meant.",
          details: { revision: draft.revision },
        });
      const body = {
        definition: draft.definition,
        version: draft.baseVersion,
        draftRevision: draft.revision,
        ...(note === undefined ? {} : { note }),
      };
      const workflow = await call(`${WORKFLOWS}.update`, { id: String(workflow_id), body }, WorkflowSchema);
      return toWritten(workflow, undefined, await checkDefinition(call, workflow.definition), publicUrl);
    },
  }),
  definePlatformTool({
    name: "compare_agent_workflow",
    title: "Compare versions of an agent workflow",
    description:
      "What two published versions differ in, by state. Without versions: what the draft would change of the published one.",
    input: z.strictObject({
      workflow_id: WorkflowIdSchema,
      from: z.int().positive().optional().describe("A published version"),
      to: z.int().positive().optional().describe("A published version"),
    }),
    output: z.strictObject({
      added: z.array(z.string()),
      removed: z.array(z.string()),
      changed: z.array(z.strictObject({ state: z.string(), path: z.string(), from: JsonSchema, to: JsonSchema })),
      settings: z.array(z.strictObject({ path: z.string(), from: JsonSchema, to: JsonSchema })),
    }),
    calls: [`${WORKFLOWS}.compare`, `${WORKFLOWS}.get`, `${WORKFLOWS}.drafts.get`],
    run: async ({ input: { workflow_id, from, to }, call }) => {
      const id = String(workflow_id);
      if ((from === undefined) !== (to === undefined))
        throw new OvenError("INVALID_REQUEST", "Two versions are compared", { fix: "Send both `from` and `to`." });
      const { added, removed, changed, settings } =
        from === undefined || to === undefined
          ? compareDefinitions(
              (await getWorkflow(call, id)).definition,
              (await call(`${WORKFLOWS}.drafts.get`, { id }, WorkflowDraftSchema)).definition,
            )
          : await call(`${WORKFLOWS}.compare`, { id, from, to }, VersionComparisonSchema);
      const whole = "get_agent_workflow";
      const sides = (change: { from?: unknown; to?: unknown }) => ({
        from: toPreview(JsonSchema.parse(change.from ?? null), whole),
        to: toPreview(JsonSchema.parse(change.to ?? null), whole),
      });
      return {
        added,
        removed,
        changed: changed.map(({ stateId, path, ...change }) => ({ state: stateId, path, ...sides(change) })),
        settings: settings.map(({ path, ...change }) => ({ path, ...sides(change) })),
      };
    },
  }),
];
