import {
  type ChangeTags,
  MAX_TAGS,
  notFound,
  OvenError,
  type Principal,
  type TagCount,
  TagsSchema,
} from "@oven/contract";
import type { CreateWorkflow } from "@oven/contract/workflow";
import type { Orm, Transaction } from "@oven/db";
import { and, asc, count, desc, eq, inArray, sql } from "@oven/db/drizzle";
import { visibleTo } from "@oven/module-registry";
import type { WorkflowKind } from "../workflow-kind.ts";
import { boundTo } from "./bound-to.ts";
import type { WorkflowRow } from "./workflow-row.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

const SHOWN_TAGS = 500;

/** Exports carry tags in `meta.tags`: a new workflow takes them out of there, unless it is given others. */
export function takeTags<Body extends Pick<CreateWorkflow, "definition" | "tags">>(body: Body): Body {
  const { meta } = body.definition;
  if (body.tags !== undefined || typeof meta !== "object" || meta === null || Array.isArray(meta)) return body;
  const { tags: carried, ...others } = meta;
  // What else a document keeps under this name is its own.
  const tags = TagsSchema.safeParse(carried);
  if (!tags.success) return body;
  return { ...body, tags: tags.data, definition: { ...body.definition, meta: others } };
}

/** The tags in use, the most used first. */
export async function countTags(
  orm: Orm,
  principal: Principal,
  { kind, workflows }: { kind: WorkflowKind; workflows: WorkflowTables["workflows"] },
): Promise<TagCount[]> {
  const each = orm
    .select({ tag: sql<string>`unnest(${workflows.tags})`.as("tag") })
    .from(workflows)
    .where(and(visibleTo(principal, workflows.tenantId), boundTo(principal, kind.kind, workflows.id)))
    .as("each");
  return orm
    .select({ tag: each.tag, count: count() })
    .from(each)
    .groupBy(each.tag)
    .orderBy(desc(count()), asc(each.tag))
    .limit(SHOWN_TAGS);
}

/**
 * Locks the rows, so that tags which another request sets meanwhile stay.
 * @throws OvenError NOT_FOUND, SHARED_WORKFLOW 403, TOO_MANY_TAGS 422
 */
export async function changeTags(
  tx: Transaction,
  principal: Principal,
  { ids, add, remove }: ChangeTags,
  { kind, workflows }: { kind: WorkflowKind; workflows: WorkflowTables["workflows"] },
): Promise<WorkflowRow[]> {
  const rows = await tx.orm
    .select()
    .from(workflows)
    .where(and(visibleTo(principal, workflows.tenantId), inArray(workflows.id, ids)))
    .orderBy(asc(workflows.id))
    .for("update");
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw notFound(kind.title, missing);
  const shared = rows.find(({ tenantId }) => tenantId !== principal.tenantId);
  if (shared !== undefined) throw sharedWorkflow(shared);
  const changed: WorkflowRow[] = [];
  for (const row of rows) {
    const tags = [...new Set([...row.tags, ...add])].filter((tag) => !remove.includes(tag)).sort();
    if (tags.length > MAX_TAGS) throw tooManyTags(row, tags.length);
    if (tags.join("\n") === row.tags.join("\n")) continue;
    const updated = await tx.orm
      .update(workflows)
      .set({ tags, updatedAt: sql`now()` })
      .where(eq(workflows.id, row.id))
      .returning();
    changed.push(...updated);
  }
  return changed;
}

/** What all tenants share belongs to the installation. */
export function sharedWorkflow({ name }: Pick<WorkflowRow, "name">): OvenError {
  return new OvenError("SHARED_WORKFLOW", `${name} is shared by all tenants and cannot be changed from one of them`, {
    status: 403,
    fix: "Create a copy of your own.",
  });
}

function tooManyTags({ name }: WorkflowRow, tags: number): OvenError {
  return new OvenError("TOO_MANY_TAGS", `${name} would carry ${tags} tags; a workflow has at most ${MAX_TAGS}`, {
    status: 422,
    path: "$.add",
    fix: "Take some off it first, or leave it out.",
  });
}
