import type { Principal } from "@oven/contract";
import type {
  PromotedItem,
  PromotedTable,
  PromotedTrigger,
  PromotedWorkflow,
  PromotionFile,
  PromotionMapping,
} from "@oven/contract/workflow";
import { requirePermission } from "@oven/module-registry";
import { calledWorkflows } from "@oven/module-workflows";
import { itemKey, orNone, type PromotionDeps, requireOn } from "../promotion-deps.ts";
import { renameBy } from "../references/find-references.ts";
import type { Drawn, DrawnItems } from "./draw-items.ts";

/** Writes what was drawn: what is called first. @throws OvenError FORBIDDEN, and what writing each of them throws */
export async function applyItems(
  deps: PromotionDeps,
  principal: Principal,
  items: DrawnItems,
  { root, tables }: Pick<PromotionFile, "root" | "tables">,
  mapping: PromotionMapping,
): Promise<void> {
  await makeTables(deps, principal, tables, mapping);
  const note = `Imported with ${root.slug} from another installation`;
  const { ordered, inCircle } = calledFirst(deps, items.workflows);
  for (const drawn of inCircle) await writeWorkflow(deps, principal, { ...drawn, wanted: toEmpty(drawn.wanted) }, note);
  for (const drawn of ordered)
    await writeWorkflow(deps, principal, inCircle.has(drawn) ? await asUpdate(deps, principal, drawn) : drawn, note);
  for (const drawn of items.agents) await writeAgent(deps, principal, drawn, note);
  for (const drawn of items.triggers) await writeTrigger(deps, principal, drawn);
  await grantAgain(deps, principal, items);
}

/** Tables that are not here, without rows. Those that are here stay as they are, whatever their columns. */
async function makeTables(
  { services }: PromotionDeps,
  principal: Principal,
  tables: readonly PromotedTable[],
  mapping: PromotionMapping,
): Promise<void> {
  const rename = renameBy(mapping);
  for (const { columns, ...table } of tables) {
    if (rename("table", table.slug) !== table.slug) continue;
    if ((await orNone(services.tables.definitions.get(principal, table.slug))) !== undefined) continue;
    requirePermission(principal, "tables.create");
    const renamed = columns.map(({ references, ...column }) => ({
      ...column,
      ...(references === undefined ? {} : { references: rename("table", references) }),
    }));
    await services.tables.definitions.create(principal, { ...table, columns: renamed });
  }
}

async function writeWorkflow(
  { services }: PromotionDeps,
  principal: Principal,
  { item, wanted }: Drawn<PromotedWorkflow>,
  note: string,
): Promise<void> {
  const { kind, ...body } = wanted;
  const { workflows, drafts } = services.workflowPlatform.face(kind);
  const { current } = item;
  if (item.change === "create") {
    requireOn(principal, kind, "create");
    await workflows.create(principal, { ...body, note });
  } else if (item.change === "update" && current?.version != null) {
    requireOn(principal, kind, "update");
    await workflows.update(principal, String(current.id), { ...body, version: current.version, note });
  } else if (item.change === "draft" && current?.version != null) {
    requireOn(principal, kind, "update");
    // A draft that somebody works on is not replaced.
    const draft = { definition: wanted.definition, baseVersion: current.version, revision: 0 };
    await drafts.save(principal, String(current.id), draft);
  }
}

async function writeAgent(
  { services }: PromotionDeps,
  principal: Principal,
  { item, wanted }: DrawnItems["agents"][number],
  note: string,
): Promise<void> {
  const { workflow, settings, ...body } = wanted;
  if (item.change !== "create" && item.change !== "update") return;
  const { workflows } = services.workflowPlatform.face("agent-workflow");
  const workflowId = workflow === null ? null : (await workflows.get(principal, workflow)).id;
  const whole = { ...body, ...settings, workflowId, note };
  if (item.change === "create") {
    requirePermission(principal, "agents.create");
    await services.agents.rows.create(principal, whole);
  } else if (item.current?.version != null) {
    requirePermission(principal, "agents.update");
    await services.agents.rows.update(principal, String(item.current.id), { ...whole, version: item.current.version });
  }
}

/** A workflow is written before the agents that it asks, so its grant is computed once they are there; theirs likewise. */
async function grantAgain({ services }: PromotionDeps, principal: Principal, items: DrawnItems): Promise<void> {
  for (const { item, wanted } of items.workflows)
    if (isPublished(item)) await services.workflowPlatform.face(wanted.kind).workflows.regrant(principal, wanted.slug);
  for (const { item, wanted } of items.agents)
    if (isPublished(item)) await services.agents.rows.regrant(principal, wanted.slug);
}

function isPublished({ change }: PromotedItem): boolean {
  return change === "create" || change === "update";
}

async function writeTrigger(
  { services }: PromotionDeps,
  principal: Principal,
  { item, wanted }: Drawn<PromotedTrigger>,
): Promise<void> {
  const { rows } = services.triggers;
  const { target, ...body } = wanted;
  if (item.change === "create") {
    requirePermission(principal, "triggers.create");
    const { id: workflowId } = await services.workflowPlatform.face(target.kind).workflows.get(principal, target.slug);
    // Nothing begins to run by itself until somebody switches it on here.
    await rows.create(principal, { ...body, enabled: false, target: { kind: target.kind, workflowId } });
  } else if (item.change === "update" && item.current !== null) {
    requirePermission(principal, "triggers.update");
    const { type: _type, ...change } = body;
    await rows.update(principal, item.current.id, change);
  }
}

type DrawnWorkflow = Drawn<PromotedWorkflow>;

/** Stands for a workflow until what it calls is there. */
function toEmpty(workflow: PromotedWorkflow): PromotedWorkflow {
  return { ...workflow, definition: { initial: "done", states: { done: { type: "final" } } } };
}

/** What was made empty gets what it calls. */
async function asUpdate(
  { services }: PromotionDeps,
  principal: Principal,
  drawn: DrawnWorkflow,
): Promise<DrawnWorkflow> {
  const { kind, slug } = drawn.wanted;
  const { id, version } = await services.workflowPlatform.face(kind).workflows.get(principal, slug);
  return { ...drawn, item: { ...drawn.item, change: "update", current: { id, version } } };
}

/**
 * Workflows after those that they call, as publishing wants them.
 * @returns `inCircle`: new ones that are called before their turn, by what they call themselves
 */
function calledFirst(
  { services }: PromotionDeps,
  workflows: readonly DrawnWorkflow[],
): { ordered: ReadonlySet<DrawnWorkflow>; inCircle: ReadonlySet<DrawnWorkflow> } {
  const byKey = new Map(workflows.map((drawn) => [itemKey(drawn.wanted.kind, drawn.wanted.slug), drawn]));
  const ordered = new Set<DrawnWorkflow>();
  const inCircle = new Set<DrawnWorkflow>();
  const visited = new Set<string>();
  const visit = (key: string, caller?: string): void => {
    const drawn = byKey.get(key);
    if (drawn === undefined) return;
    if (visited.has(key)) {
      // Its own turn is not over. Itself it may call as it is made.
      if (!ordered.has(drawn) && drawn.item.change === "create" && key !== caller) inCircle.add(drawn);
      return;
    }
    visited.add(key);
    for (const { kind, workflow } of calledWorkflows(drawn.wanted.definition, services.workflowPlatform.nodes))
      visit(itemKey(kind, workflow), key);
    ordered.add(drawn);
  };
  for (const key of byKey.keys()) visit(key);
  return { ordered, inCircle };
}
