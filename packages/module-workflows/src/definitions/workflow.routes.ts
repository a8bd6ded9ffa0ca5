import {
  ChangeTagsSchema,
  IdOrSlugSchema,
  JsonObjectSchema,
  LookalikeGroupsSchema,
  type Principal,
  type Problem,
  ProblemSchema,
  TagCountSchema,
} from "@oven/contract";
import { GrantReportSchema } from "@oven/contract/access";
import { withoutSource } from "@oven/contract/format";
import {
  CreateWorkflowSchema,
  type Definition,
  DefinitionSchema,
  UpdateWorkflowSchema,
  WorkflowSchema,
  WorkflowVersionSchema,
  WorstCaseSchema,
} from "@oven/contract/workflow";
import { type NodeCatalog, validateDefinition } from "@oven/engine";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { GrantReporter } from "../authority/grant-reporter.ts";
import { compareRoute } from "../compare/compare.route.ts";
import { importRoute } from "../import/import.route.ts";
import type { PolicyService } from "../policies/policy-service.ts";
import type { ReviewService } from "../reviews/review-service.ts";
import { type WorkflowKind, withArticle } from "../workflow-kind.ts";
import type { WorstCases } from "../worst-case/worst-cases.ts";
import { keepToWorkflows } from "./bound-to.ts";
import { changesDefinition, requireNotOwned } from "./owned-by-source.ts";
import { prepareDefinition } from "./prepare-definition.ts";
import type { WorkflowService } from "./workflow-service.ts";

export const DEFINITION_LIMIT = 8 * 1_048_576;
const Params = z.object({ id: IdOrSlugSchema });

/** The routes of definitions, for either kind. */
export function workflowRoutes(
  kind: WorkflowKind,
  deps: () => {
    workflows: WorkflowService;
    catalog: NodeCatalog;
    policies: PolicyService;
    grants: GrantReporter;
    worstCases: WorstCases;
    reviews: Pick<ReviewService, "checkAssignees">;
    /** What nodes find wrong with its steps. */
    inspect(principal: Principal, definition: Definition): Promise<Problem[]>;
  },
): Route[] {
  const { resource, title } = kind;
  const operation = (verb: string) => `${kind.kind === "workflow" ? "workflows" : "agentWorkflows"}.${verb}`;
  const may = (action: string) => ({ permission: `${resource}.${action}` });
  const publishing = `${resource}.update`;
  return keepToWorkflows([
    defineRoute({
      method: "GET",
      path: resource,
      operation: operation("list"),
      summary: `List ${title}s`,
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(WorkflowSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().workflows.list(principal, params);
        return listReply(resource, params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: resource,
      operation: operation("create"),
      delegates: true,
      summary: `Create and publish ${withArticle(title)}`,
      access: may("create"),
      effect: "at-least-once",
      body: CreateWorkflowSchema,
      bodyLimit: DEFINITION_LIMIT,
      response: WorkflowSchema,
      handler: async ({ principal, body }) =>
        created(await deps().workflows.create(principal, { ...body, definition: withoutSource(body.definition) })),
    }),
    importRoute(kind, deps),
    defineRoute({
      method: "POST",
      path: `${resource}/validate`,
      operation: operation("validate"),
      summary: "Check a definition without saving it",
      access: may("read"),
      effect: "pure",
      body: z.strictObject({ definition: JsonObjectSchema }),
      bodyLimit: DEFINITION_LIMIT,
      response: z.strictObject({ problems: z.array(ProblemSchema) }),
      handler: async ({ principal, body }) => {
        const { catalog, policies, reviews, inspect } = deps();
        const { problems, definition } = validateDefinition(body.definition, catalog);
        const asked = await reviews.checkAssignees(principal, body.definition);
        // Code is looked at while the rest of the workflow is not finished yet.
        const shaped = definition ?? DefinitionSchema.safeParse(body.definition).data;
        const inside = shaped === undefined ? [] : await inspect(principal, shaped);
        const more = definition === undefined ? [] : await policies.check(principal, kind.kind, body.definition);
        const all = [...problems, ...asked, ...inside, ...more];
        const of = (wanted: string) => all.filter(({ severity }) => severity === wanted);
        return ok({ problems: [...of("error"), ...of("warning")] });
      },
    }),
    defineRoute({
      method: "POST",
      path: `${resource}/grant`,
      operation: false,
      summary: "What a definition may do if you publish it: the permissions it needs and those you lack",
      access: may("read"),
      effect: "pure",
      body: z.strictObject({ definition: JsonObjectSchema }),
      bodyLimit: DEFINITION_LIMIT,
      response: GrantReportSchema,
      handler: async ({ principal, body }) => {
        const { catalog, grants } = deps();
        const { definition } = prepareDefinition(body.definition, {}, catalog);
        return ok(await grants.report(principal, definition, { publishing }));
      },
    }),
    defineRoute({
      method: "POST",
      path: `${resource}/worst-case`,
      operation: false,
      summary: "What a run of a definition needs at most: model calls, tokens, money, calls of tools, reviews and time",
      access: may("read"),
      effect: "pure",
      body: z.strictObject({
        definition: JsonObjectSchema,
        /** Whose settings hold for what the definition leaves out. */
        workflowId: z.int().positive().max(2_147_483_647).optional(),
      }),
      bodyLimit: DEFINITION_LIMIT,
      response: WorstCaseSchema,
      handler: async ({ principal, body }) => {
        const { catalog, worstCases } = deps();
        const { definition } = prepareDefinition(body.definition, {}, catalog);
        const { workflowId } = body;
        return ok(
          await worstCases.of(principal, definition, {
            kind: kind.kind,
            ...(workflowId === undefined ? {} : { workflowId }),
          }),
        );
      },
    }),
    defineRoute({
      method: "GET",
      path: `${resource}/[id]`,
      operation: operation("get"),
      summary: `Get ${withArticle(title)} by id or slug`,
      access: may("read"),
      effect: "pure",
      params: Params,
      response: WorkflowSchema,
      handler: async ({ principal, params }) => ok(await deps().workflows.get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: `${resource}/[id]`,
      operation: operation("update"),
      delegates: true,
      summary: `Change ${withArticle(title)}; anything but \`meta\` publishes a new version`,
      access: may("update"),
      effect: "idempotent",
      params: Params,
      body: UpdateWorkflowSchema,
      bodyLimit: DEFINITION_LIMIT,
      response: WorkflowSchema,
      handler: async ({ principal, params, body }) => {
        const { workflows } = deps();
        if (changesDefinition(body)) requireNotOwned(await workflows.get(principal, params.id));
        const { definition } = body;
        const own = definition === undefined ? body : { ...body, definition: withoutSource(definition) };
        return ok(await workflows.update(principal, params.id, own));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${resource}/[id]`,
      operation: operation("delete"),
      summary: `Delete ${withArticle(title)}; 409 while runs are live, unless force=true cancels them`,
      access: may("delete"),
      effect: "at-least-once",
      needsApproval: true,
      params: Params,
      query: z.object({ force: z.enum(["true", "false"]).optional() }),
      handler: async ({ principal, params, query }) => {
        await deps().workflows.delete(principal, params.id, query.force === "true");
        return noContent();
      },
    }),
    defineRoute({
      method: "GET",
      path: `${resource}/[id]/versions`,
      operation: operation("versions"),
      summary: "The published versions, newest first",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: z.array(WorkflowVersionSchema),
      handler: async ({ principal, params }) => ok(await deps().workflows.versions(principal, params.id)),
    }),
    defineRoute({
      method: "GET",
      path: `${kind.kind}-tags`,
      operation: operation("tags"),
      summary: `The tags that ${title}s carry, the most used first`,
      access: may("read"),
      effect: "pure",
      response: z.array(TagCountSchema),
      handler: async ({ principal }) => ok(await deps().workflows.tags(principal)),
    }),
    defineRoute({
      method: "POST",
      path: `${kind.kind}-tags`,
      operation: operation("changeTags"),
      summary: `Add and take off tags of several ${title}s, of all or none; answers those that changed`,
      access: may("update"),
      effect: "idempotent",
      body: ChangeTagsSchema,
      response: z.array(WorkflowSchema),
      handler: async ({ principal, body }) => ok(await deps().workflows.changeTags(principal, body)),
    }),
    defineRoute({
      method: "GET",
      path: `${kind.kind}-lookalikes`,
      operation: false,
      summary: `Names of ${title}s that people take for each other, in groups`,
      access: may("read"),
      effect: "pure",
      response: LookalikeGroupsSchema,
      handler: async ({ principal }) => ok(await deps().workflows.lookalikes(principal)),
    }),
    compareRoute(kind, deps),
    defineRoute({
      method: "GET",
      path: `${resource}/[id]/versions/[versionId]`,
      operation: operation("version"),
      summary: "One published version",
      access: may("read"),
      effect: "pure",
      params: z.object({ id: IdOrSlugSchema, versionId: z.coerce.number().int().positive() }),
      response: WorkflowVersionSchema,
      handler: async ({ principal, params }) =>
        ok(await deps().workflows.version(principal, params.id, params.versionId)),
    }),
    defineRoute({
      method: "GET",
      path: `${resource}/[id]/versions/[versionId]/grant`,
      operation: false,
      summary: "What a published version may do: the permissions it needs and has, and those it lacks",
      access: may("read"),
      effect: "pure",
      params: z.object({ id: IdOrSlugSchema, versionId: z.coerce.number().int().positive() }),
      response: GrantReportSchema,
      handler: async ({ principal, params }) => {
        const { workflows, grants } = deps();
        const { workflowId, definition, granted } = await workflows.version(principal, params.id, params.versionId);
        const self = { kind: kind.kind, id: workflowId };
        return ok(await grants.report(principal, definition, { publishing, stored: granted, self }));
      },
    }),
    defineRoute({
      method: "POST",
      path: `${resource}/[id]/versions/[versionId]/restore`,
      operation: operation("restore"),
      delegates: true,
      summary: "Publish an earlier version again, as a new one",
      access: may("update"),
      effect: "at-least-once",
      params: z.object({ id: IdOrSlugSchema, versionId: z.coerce.number().int().positive() }),
      response: WorkflowSchema,
      handler: async ({ principal, params }) =>
        ok(await deps().workflows.restore(principal, params.id, params.versionId)),
    }),
  ]);
}
