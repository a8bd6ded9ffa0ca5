import type { Principal, PromotedTrigger, PromotedWorkflow, PromotionFile } from "@oven/contract";
import { requirePermission } from "@oven/module-registry";
import { calledWorkflows } from "@oven/module-workflows";
import { itemKey, type PromotionDeps, requireOn } from "../promotion-deps.ts";
import type { Drawn, DrawnItems } from "./draw-items.ts";

/** Writes what was drawn: what is called first. @throws OvenError FORBIDDEN, and what writing each of them throws */
export async function applyItems(
  deps: PromotionDeps,
  principal: Principal,
  items: DrawnItems,
  { root }: Pick<PromotionFile, "root">,
): Promise<void> {
  const note = `Imported with ${root.slug} from another installation`;
  for (const drawn of calledFirst(deps, items.workflows)) await writeWorkflow(deps, principal, drawn, note);
  for (const drawn of items.agents) await writeAgent(deps, principal, drawn, note);
  for (const drawn of items.triggers) await writeTrigger(deps, principal, drawn);
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

/** Workflows after those that they call, as publishing wants them; of a circle, in the order of the file. */
function calledFirst({ services }: PromotionDeps, workflows: DrawnItems["workflows"]): DrawnItems["workflows"] {
  const byKey = new Map(workflows.map((drawn) => [itemKey(drawn.wanted.kind, drawn.wanted.slug), drawn]));
  const ordered = new Set<Drawn<PromotedWorkflow>>();
  const visited = new Set<string>();
  const visit = (key: string): void => {
    const drawn = byKey.get(key);
    if (drawn === undefined || visited.has(key)) return;
    visited.add(key);
    for (const { kind, workflow } of calledWorkflows(drawn.wanted.definition, services.workflowPlatform.nodes))
      visit(itemKey(kind, workflow));
    ordered.add(drawn);
  };
  for (const key of byKey.keys()) visit(key);
  return [...ordered];
}
