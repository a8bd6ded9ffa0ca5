import { isGranted, isOvenError, type ListParams, type Principal } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type {
  PromotedAgent,
  PromotedEverything,
  PromotedTrigger,
  PromotedWorkflow,
  Workflow,
} from "@oven/contract/workflow";
import { AGENT, REGULAR } from "@oven/module-workflows";
import { itemKey, orNone, type PromotionDeps } from "../promotion-deps.ts";
import { type Rename, rewriteAgent, rewriteWorkflow } from "../references/rewrite-references.ts";
import {
  compare,
  requireNoVersion,
  rowsNamedBy,
  type Slugs,
  toPromoted,
  toPromotedAgent,
  triggersOf,
} from "./collect-file.ts";
import { collectTables } from "./collect-tables.ts";

const PAGE = 500;
const OF_AGENT = "it is made from the settings of its agent, and its triggers are not exported";

type Kind = PromotedEverything["withheld"][number];
/** What reading each kind takes. An agent names the workflow that it runs. */
const TAKES: Record<Kind, readonly string[]> = {
  workflow: [`${REGULAR.resource}.read`],
  "agent-workflow": [`${AGENT.resource}.read`],
  agent: ["agents.read", `${AGENT.resource}.read`],
  trigger: ["triggers.read"],
  table: ["tables.read"],
};

/**
 * The principal's whole tenant as promotion takes it, as far as the principal may read it, each item once. What all tenants share is
 * left out: each installation has its own.
 */
export async function collectEverything(deps: PromotionDeps, principal: Principal): Promise<PromotedEverything> {
  const { workflowPlatform, agents, tables } = deps.services;
  const kinds = Object.keys(TAKES) as Kind[]; // cast: it has these keys
  const withheld = kinds.filter((kind) => !TAKES[kind].every((name) => isGranted(principal.permissions, name)));
  const may = (kind: Kind): boolean => !withheld.includes(kind);
  const found = may("workflow") ? await collectWorkflows(deps, principal, REGULAR.kind, may("trigger")) : NOTHING;
  const ofAgents = may("agent-workflow")
    ? await collectWorkflows(deps, principal, AGENT.kind, may("trigger"))
    : NOTHING;
  const workflows = [...found.workflows, ...ofAgents.workflows];
  const rows = may("agent") ? ofTenant(principal, await allRows((params) => agents.rows.list(principal, params))) : [];
  const ownTables = may("table") ? await allRows((params) => tables.definitions.list(principal, params)) : [];

  const named = bySlugs(deps, principal, may);
  const written: PromotedWorkflow[] = [];
  for (const { id: _id, ...workflow } of workflows)
    written.push(await named((rename) => rewriteWorkflow(workflow, workflowPlatform.nodes, rename)));
  const asked: PromotedAgent[] = [];
  for (const agent of rows.map(toPromotedAgent)) asked.push(await named((rename) => rewriteAgent(agent, rename)));
  const slugs = ownTables.map(({ slug }) => slug);
  return {
    workflows: written.toSorted(byKindAndSlug),
    agents: asked.toSorted((one, other) => compare(one.slug, other.slug)),
    triggers: may("trigger") ? await triggersOf(deps, principal, workflows) : [],
    tables: await collectTables(deps, principal, slugs),
    notExported: [...found.notExported, ...ofAgents.notExported].toSorted(byKindAndSlug),
    withheld,
  };
}

interface Collected {
  workflows: (PromotedWorkflow & { id: number })[];
  notExported: PromotedEverything["notExported"];
}
const NOTHING: Collected = { workflows: [], notExported: [] };

async function collectWorkflows(
  deps: PromotionDeps,
  principal: Principal,
  kind: ExecutionKind,
  withTriggers: boolean,
): Promise<Collected> {
  const { workflowPlatform, agents } = deps.services;
  const face = workflowPlatform.face(kind).workflows;
  const rows = ofTenant(principal, await allRows((params) => face.list(principal, params)));
  const ids = rows.map(({ id }) => id);
  // An agent without a workflow has one that is made from its settings, there as well.
  const made = kind === AGENT.kind ? await agents.rows.ownedBy(principal.tenantId, ids) : new Set<number>();
  const ofAgents = rows.filter(({ id }) => made.has(id));
  const triggered = withTriggers ? await triggeredOf(deps, principal, ofAgents) : [];
  const notExported = triggered.map(({ slug }) => ({ kind, slug, message: OF_AGENT }));
  const workflows: Collected["workflows"] = [];
  for (const row of rows) {
    if (made.has(row.id)) continue;
    const workflow = toPromoted(kind, row);
    const refusal = refusalOf(() => requireNoVersion(deps, workflow));
    if (refusal === null) workflows.push({ ...workflow, id: row.id });
    else notExported.push({ kind, slug: row.slug, message: refusal });
  }
  return { workflows, notExported };
}

/** Looks up each row that something names once, and names it by its slug; by what it has for it where the principal may not see it. */
function bySlugs(
  { services: { agents, workflowPlatform } }: PromotionDeps,
  principal: Principal,
  may: (kind: ExecutionKind | "agent") => boolean,
): <T>(walk: (rename: Rename) => T) => Promise<T> {
  const slugs: Slugs = new Map();
  const find = async (kind: ExecutionKind | "agent", name: string): Promise<string | null> => {
    if (!may(kind)) return null;
    const read =
      kind === "agent" ? agents.get(principal, name) : workflowPlatform.face(kind).workflows.get(principal, name);
    return (await orNone<{ slug: string }>(read))?.slug ?? null;
  };
  return async (walk) => {
    for (const [kind, name] of rowsNamedBy(walk))
      if (!slugs.has(itemKey(kind, name))) slugs.set(itemKey(kind, name), await find(kind, name));
    return walk((kind, name) => slugs.get(itemKey(kind, name)) ?? name);
  };
}

/** Those that have triggers. */
async function triggeredOf(
  deps: PromotionDeps,
  principal: Principal,
  rows: readonly Workflow[],
): Promise<PromotedTrigger["target"][]> {
  const workflows = rows.map((row) => ({ ...toPromoted(AGENT.kind, row), id: row.id }));
  const targets = (await triggersOf(deps, principal, workflows)).map(({ target }) => target);
  return targets.filter(({ slug }, at) => targets.findIndex((other) => other.slug === slug) === at);
}

async function allRows<T>(list: (params: ListParams) => Promise<{ rows: T[]; total: number }>): Promise<T[]> {
  const found: T[] = [];
  for (;;) {
    const range = { first: found.length, last: found.length + PAGE - 1 };
    const { rows, total } = await list({ sort: { field: "id", order: "ASC" }, range, filter: {} });
    found.push(...rows);
    if (rows.length === 0 || found.length >= total) return found;
  }
}

function ofTenant<T extends { tenantId: number | null }>({ tenantId }: Principal, rows: readonly T[]): T[] {
  return rows.filter((row) => row.tenantId === tenantId);
}

function byKindAndSlug(one: PromotedTrigger["target"], other: PromotedTrigger["target"]): number {
  return compare(itemKey(one.kind, one.slug), itemKey(other.kind, other.slug));
}

function refusalOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!isOvenError(error)) throw error;
    return error.message;
  }
}
