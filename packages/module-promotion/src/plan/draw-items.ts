import { diffJson, type Json, type JsonObject, type Principal } from "@oven/contract";
import { withoutSource } from "@oven/contract/format";
import type { ExecutionKind } from "@oven/contract/run";
import type { Trigger } from "@oven/contract/trigger";
import {
  compareDefinitions,
  type PromotedAgent,
  type PromotedItem,
  type PromotedTrigger,
  type PromotedWorkflow,
  type PromotionFile,
  type PromotionMapping,
} from "@oven/contract/workflow";
import { hashJson } from "@oven/engine";
import { requirePermission } from "@oven/module-registry";
import { requireNotOwned } from "@oven/module-workflows";
import { toPromoted, toPromotedAgent, toPromotedTrigger, triggerRows } from "../file/collect-file.ts";
import { orNone, type PromotionDeps, requireOn } from "../promotion-deps.ts";
import { renameBy } from "../references/find-references.ts";
import { rewriteAgent, rewriteTrigger, rewriteWorkflow } from "../references/rewrite-references.ts";

export interface Drawn<T> {
  item: PromotedItem;
  /** As it shall be here. */
  wanted: T;
  /** Of what is here: part of the plan's digest. */
  base: string | null;
}

export interface DrawnItems {
  workflows: Drawn<PromotedWorkflow>[];
  agents: Drawn<PromotedAgent>[];
  triggers: Drawn<PromotedTrigger>[];
}

interface Given {
  file: PromotionFile;
  mapping: PromotionMapping;
  publish: boolean;
}

/** What would become of each item of the file. @throws OvenError NOT_FOUND for a mapped one, WORKFLOW_OWNED, TRIGGER_TYPE_UNKNOWN */
export async function drawItems(deps: PromotionDeps, principal: Principal, given: Given): Promise<DrawnItems> {
  const { file, mapping } = given;
  const rename = renameBy(mapping);
  const { nodes } = deps.services.workflowPlatform;
  const workflows: DrawnItems["workflows"] = [];
  for (const workflow of file.workflows)
    workflows.push(
      rename(workflow.kind, workflow.slug) === workflow.slug
        ? await drawWorkflow(deps, principal, rewriteWorkflow(workflow, nodes, rename), given.publish)
        : await leaveWorkflow(deps, principal, workflow, rename(workflow.kind, workflow.slug)),
    );
  const agents: DrawnItems["agents"] = [];
  for (const agent of file.agents)
    agents.push(
      rename("agent", agent.slug) === agent.slug
        ? await drawAgent(deps, principal, rewriteAgent(agent, rename), given.publish)
        : await leaveAgent(deps, principal, agent, rename("agent", agent.slug)),
    );
  const rows = new Map<string, Trigger[]>();
  const triggers: DrawnItems["triggers"] = [];
  for (const trigger of file.triggers) {
    const { kind, slug } = trigger.target;
    const wanted = rewriteTrigger(trigger, rename);
    if (rename(kind, slug) !== slug) {
      triggers.push({ item: triggerItem(trigger, "mapped", null), wanted, base: null });
      continue;
    }
    const key = `${kind}:${slug}`;
    if (!rows.has(key)) rows.set(key, await triggersAt(deps, principal, kind, slug));
    triggers.push(drawTrigger(deps, wanted, rows.get(key) ?? [], given.publish));
  }
  return { workflows, agents, triggers };
}

async function drawWorkflow(
  { services }: PromotionDeps,
  principal: Principal,
  given: PromotedWorkflow,
  publish: boolean,
): Promise<Drawn<PromotedWorkflow>> {
  const { kind, slug } = given;
  const wanted = { ...given, definition: withoutSource(given.definition) };
  const face = services.workflowPlatform.face(kind);
  const row = await orNone(face.workflows.get(principal, slug));
  const item: Omit<PromotedItem, "change"> = {
    kind,
    name: slug,
    of: null,
    current: null,
    definition: null,
    fields: [],
  };
  if (row !== undefined) requireOn(principal, kind, "read");
  const here = row === undefined ? null : toPromoted(kind, row);
  if (row === undefined || here === null) return { item: { ...item, change: "create" }, wanted, base: null };
  const current = { id: row.id, version: row.version };
  const base = hashJson(asJson(here));
  if (base === hashJson(asJson(wanted))) return { item: { ...item, change: "same", current }, wanted, base };
  // What all tenants share is left alone: the tenant gets its own.
  if (row.tenantId !== principal.tenantId) return { item: { ...item, change: "create" }, wanted, base };
  requireNotOwned(row);
  const draft = publish ? undefined : await orNone(face.drafts.get(principal, slug));
  const isDrafted = draft !== undefined && hashJson(draft.definition) === hashJson(wanted.definition);
  const isSame = hashJson(here.definition) === hashJson(wanted.definition);
  const change = publish ? "update" : isSame ? "kept" : isDrafted ? "same" : "draft";
  return {
    item: {
      ...{ ...item, current, change },
      definition: isSame ? null : compareDefinitions(here.definition, wanted.definition),
      fields: diffJson(fieldsOf(here), fieldsOf(wanted)),
    },
    wanted,
    base: draft === undefined ? base : hashJson([base, draft.revision]),
  };
}

async function leaveWorkflow(
  { services }: PromotionDeps,
  principal: Principal,
  wanted: PromotedWorkflow,
  to: string,
): Promise<Drawn<PromotedWorkflow>> {
  const row = await orNone(services.workflowPlatform.face(wanted.kind).workflows.get(principal, to));
  const current = row === undefined ? null : { id: row.id, version: row.version };
  return { item: mappedItem(wanted.kind, wanted.slug, current), wanted, base: null };
}

async function drawAgent(
  deps: PromotionDeps,
  principal: Principal,
  wanted: PromotedAgent,
  publish: boolean,
): Promise<Drawn<PromotedAgent>> {
  const { agents, workflowPlatform } = deps.services;
  const row = await orNone(agents.get(principal, wanted.slug));
  const item = { kind: "agent", name: wanted.slug, of: null, definition: null } as const;
  if (row === undefined) return { item: { ...item, change: "create", current: null, fields: [] }, wanted, base: null };
  requirePermission(principal, "agents.read");
  const promoted = toPromotedAgent(row);
  const { workflows } = workflowPlatform.face("agent-workflow");
  const bound = promoted.workflow === null ? undefined : await orNone(workflows.get(principal, promoted.workflow));
  const here = { ...promoted, workflow: bound?.slug ?? promoted.workflow };
  const fields = diffJson(asJson(here), asJson(wanted));
  const base = hashJson(asJson(here));
  const current = { id: row.id, version: row.version };
  if (fields.length === 0) return { item: { ...item, change: "same", current, fields }, wanted, base };
  if (row.tenantId !== principal.tenantId)
    return { item: { ...item, change: "create", current: null, fields: [] }, wanted, base };
  return { item: { ...item, change: publish ? "update" : "kept", current, fields }, wanted, base };
}

async function leaveAgent(
  { services }: PromotionDeps,
  principal: Principal,
  wanted: PromotedAgent,
  to: string,
): Promise<Drawn<PromotedAgent>> {
  const row = await orNone(services.agents.get(principal, to));
  const current = row === undefined ? null : { id: row.id, version: row.version };
  return { item: mappedItem("agent", wanted.slug, current), wanted, base: null };
}

async function triggersAt(
  deps: PromotionDeps,
  principal: Principal,
  kind: ExecutionKind,
  slug: string,
): Promise<Trigger[]> {
  const row = await orNone(deps.services.workflowPlatform.face(kind).workflows.get(principal, slug));
  if (row !== undefined) requirePermission(principal, "triggers.read");
  return row === undefined ? [] : triggerRows(deps, principal, kind, [row.id]);
}

/** Of several of the same kind and name, the first is the first one here. */
function drawTrigger(
  { services }: PromotionDeps,
  given: PromotedTrigger,
  rows: Trigger[],
  publish: boolean,
): Drawn<PromotedTrigger> {
  const { types } = services.triggers;
  const wanted = { ...given, config: types.parse(types.get(given.type), given.config) };
  const at = rows.findIndex(({ type, name }) => type === wanted.type && name === wanted.name);
  const [row] = at === -1 ? [] : rows.splice(at, 1);
  if (row === undefined) return { item: triggerItem(wanted, "create", null), wanted, base: null };
  const here = toPromotedTrigger(row, wanted.target);
  const fields = diffJson(asJson(here), asJson(wanted));
  const change = fields.length === 0 ? "same" : publish ? "update" : "kept";
  const item = triggerItem(wanted, change, { id: row.id, version: null });
  return { item: { ...item, fields }, wanted, base: hashJson(asJson(here)) };
}

function triggerItem(
  { name, target }: PromotedTrigger,
  change: PromotedItem["change"],
  current: PromotedItem["current"],
): PromotedItem {
  return { kind: "trigger", name, of: target.slug, change, current, definition: null, fields: [] };
}

function mappedItem(kind: PromotedItem["kind"], name: string, current: PromotedItem["current"]): PromotedItem {
  return { kind, name, of: null, change: "mapped", current, definition: null, fields: [] };
}

function fieldsOf({ name, description, tags, definition }: PromotedWorkflow): JsonObject {
  return { name, description, tags, layout: definition.meta ?? null };
}

function asJson(value: PromotedWorkflow | PromotedAgent | PromotedTrigger): Json {
  return JSON.parse(JSON.stringify(value));
}
