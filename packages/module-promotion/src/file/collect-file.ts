import { type ListParams, OvenError, type Principal } from "@oven/contract";
import type { Agent } from "@oven/contract/agent";
import { withoutSource } from "@oven/contract/format";
import type { ExecutionKind } from "@oven/contract/run";
import type { Trigger } from "@oven/contract/trigger";
import type {
  PromotedAgent,
  PromotedTrigger,
  PromotedWorkflow,
  PromotionFile,
  Workflow,
} from "@oven/contract/workflow";
import { requirePermission } from "@oven/module-registry";
import { calledWorkflows } from "@oven/module-workflows";
import { itemKey, orNone, type PromotionDeps, requireOn } from "../promotion-deps.ts";
import { type Rename, rewriteAgent, rewriteTrigger, rewriteWorkflow } from "../references/rewrite-references.ts";
import { collectTables } from "./collect-tables.ts";

export interface Wanted {
  kind: ExecutionKind;
  idOrSlug: string;
  /** Of the workflow itself; what it calls is taken as it is published. */
  version?: number | undefined;
  triggers: boolean;
}

/** What has been looked up by the name that a definition has for it: its slug; null: it is gone. */
export type Slugs = Map<string, string | null>;

/**
 * A workflow with what it calls and whom it asks, by slugs.
 * @throws OvenError NOT_FOUND, FORBIDDEN, PROMOTION_VERSION_NAMED 422
 */
export async function collectFile(deps: PromotionDeps, principal: Principal, wanted: Wanted): Promise<PromotionFile> {
  const { workflowPlatform, agents } = deps.services;
  const workflows = new Map<string, PromotedWorkflow & { id: number }>();
  const asked = new Map<string, PromotedAgent>();
  const slugs: Slugs = new Map();

  const addWorkflow = async (kind: ExecutionKind, idOrSlug: string, version?: number): Promise<string | null> => {
    requireOn(principal, kind, "read");
    const face = workflowPlatform.face(kind).workflows;
    const row = await orNone(face.get(principal, idOrSlug));
    if (row === undefined) return null;
    const key = itemKey(kind, row.slug);
    if (workflows.has(key)) return row.slug;
    const definition = version === undefined ? row.definition : (await face.pinned(row.id, version)).definition;
    const promoted = toPromoted(kind, { ...row, definition });
    workflows.set(key, { ...promoted, id: row.id });
    requireNoVersion(deps, promoted);
    await addNamed((rename) => rewriteWorkflow(promoted, workflowPlatform.nodes, rename));
    return row.slug;
  };
  const addAgent = async (idOrSlug: string): Promise<string | null> => {
    requirePermission(principal, "agents.read");
    const row = await orNone(agents.get(principal, idOrSlug));
    if (row === undefined) return null;
    if (asked.has(row.slug)) return row.slug;
    const promoted = toPromotedAgent(row);
    asked.set(row.slug, promoted);
    await addNamed((rename) => rewriteAgent(promoted, rename));
    return row.slug;
  };
  const addNamed = async (walk: (rename: Rename) => unknown): Promise<void> => {
    for (const [kind, name] of rowsNamedBy(walk)) {
      if (slugs.has(itemKey(kind, name))) continue;
      const slug = kind === "agent" ? await addAgent(name) : await addWorkflow(kind, name);
      slugs.set(itemKey(kind, name), slug);
    }
  };
  const bySlug: Rename = (kind, name) => slugs.get(itemKey(kind, name)) ?? name;

  const root = await workflowPlatform.face(wanted.kind).workflows.get(principal, wanted.idOrSlug);
  await addWorkflow(wanted.kind, String(root.id), wanted.version);
  const list = [...workflows.values()];
  const triggers = wanted.triggers ? await triggersOf(deps, principal, list) : [];
  const tables = new Set<string>();
  const note: Rename = (kind, name) => {
    if (kind === "table") tables.add(name);
    return name;
  };
  for (const workflow of list) rewriteWorkflow(workflow, workflowPlatform.nodes, note);
  for (const trigger of triggers) rewriteTrigger(trigger, note);
  return {
    format: "oven-promotion",
    version: 1,
    root: { kind: wanted.kind, slug: root.slug },
    workflows: list
      .map(({ id: _id, ...workflow }) => rewriteWorkflow(workflow, workflowPlatform.nodes, bySlug))
      .toSorted((one, other) => compare(itemKey(one.kind, one.slug), itemKey(other.kind, other.slug))),
    agents: [...asked.values()]
      .map((agent) => rewriteAgent(agent, bySlug))
      .toSorted((one, other) => compare(one.slug, other.slug)),
    triggers,
    tables: await collectTables(deps, principal, tables),
  };
}

/** The workflows and agents that something names, once each. */
export function rowsNamedBy(
  walk: (rename: Rename) => unknown,
): MapIterator<[kind: ExecutionKind | "agent", name: string]> {
  const found = new Map<string, [kind: ExecutionKind | "agent", name: string]>();
  walk((kind, name) => {
    if (isPromoted(kind)) found.set(itemKey(kind, name), [kind, name]);
    return name;
  });
  return found.values();
}

export function toPromoted(kind: ExecutionKind, row: Workflow): PromotedWorkflow {
  const { slug, name, description, tags, definition } = row;
  return { kind, slug, name, description, tags: tags.toSorted(), definition: withoutSource(definition) };
}

/** The workflow as the agent has it, by its id. */
export function toPromotedAgent(agent: Agent): PromotedAgent {
  const { slug, name, description, workflowId } = agent;
  const { systemPrompt, model, agentConfig, exposedParameters, toolBindings, memoryConfig, outputSchema } = agent;
  const { maxToolIterations, streamingEnabled, callerTools, a2aExport } = agent;
  return {
    ...{ slug, name, description },
    settings: {
      ...{ systemPrompt, model, agentConfig, exposedParameters, toolBindings, memoryConfig, outputSchema },
      ...{ maxToolIterations, streamingEnabled, callerTools, a2aExport },
    },
    workflow: workflowId === null ? null : String(workflowId),
  };
}

export function toPromotedTrigger(trigger: Trigger, target: PromotedTrigger["target"]): PromotedTrigger {
  const { type, name, config, filter, input, shaping, overlap, overlapCountsPaused } = trigger;
  return { target, type, name, config, filter, input, shaping, overlap, overlapCountsPaused };
}

/** Those of some workflows, in the order in which they were made. */
export async function triggerRows(
  { services }: PromotionDeps,
  principal: Principal,
  kind: ExecutionKind,
  ids: readonly number[],
): Promise<Trigger[]> {
  if (ids.length === 0) return [];
  const params: ListParams = {
    sort: { field: "id", order: "ASC" },
    range: { first: 0, last: 999 },
    filter: { kind, workflowId: [...ids] },
  };
  return (await services.triggers.rows.list(principal, params)).rows;
}

export async function triggersOf(
  deps: PromotionDeps,
  principal: Principal,
  workflows: readonly (PromotedWorkflow & { id: number })[],
): Promise<PromotedTrigger[]> {
  requirePermission(principal, "triggers.read");
  const found: PromotedTrigger[] = [];
  for (const kind of ["workflow", "agent-workflow"] as const) {
    const ofKind = workflows.filter((workflow) => workflow.kind === kind);
    const rows = await triggerRows(
      deps,
      principal,
      kind,
      ofKind.map(({ id }) => id),
    );
    for (const row of rows) {
      const slug = ofKind.find(({ id }) => id === row.target.workflowId)?.slug;
      if (slug !== undefined) found.push(toPromotedTrigger(row, { kind, slug }));
    }
  }
  return found.toSorted((one, other) => compare(triggerKey(one), triggerKey(other)));
}

function triggerKey({ target, type, name }: PromotedTrigger): string {
  return `${itemKey(target.kind, target.slug)} ${type} ${name}`;
}

/** Numbers of versions mean nothing elsewhere. */
export function requireNoVersion({ services }: PromotionDeps, { slug, definition }: PromotedWorkflow): void {
  const named = calledWorkflows(definition, services.workflowPlatform.nodes).find((call) => call.version !== undefined);
  if (named === undefined) return;
  throw new OvenError(
    "PROMOTION_VERSION_NAMED",
    `${slug} calls version ${named.version} of ${named.workflow}; another installation numbers its versions itself`,
    {
      status: 422,
      path: named.path,
      fix: "Take `workflowVersion` out of the step, so that it calls what is published.",
    },
  );
}

function isPromoted(kind: string): kind is ExecutionKind | "agent" {
  return kind === "agent" || kind === "workflow" || kind === "agent-workflow";
}

export function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
