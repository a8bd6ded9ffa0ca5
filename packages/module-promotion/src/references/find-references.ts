import { isGranted, isOvenError, type ListParams, OvenError, type Principal } from "@oven/contract";
import {
  type MappedKind,
  MappedKindSchema,
  type PromotedReference,
  type PromotionFile,
  type PromotionMapping,
  type PromotionPlan,
  type ReferenceKind,
} from "@oven/contract/workflow";
import { resolveConfigValues } from "@oven/module-workflows";
import { itemKey, orNone, type PromotionDeps } from "../promotion-deps.ts";
import { type Rename, rewriteAgent, rewriteTrigger, rewriteWorkflow } from "./rewrite-references.ts";

const ALL: ListParams = { sort: { field: "name", order: "ASC" }, range: { first: 0, last: 999 }, filter: {} };
const FIXES: Record<ReferenceKind, string> = {
  workflow: "Name a workflow that is here, or export the file again with it.",
  "agent-workflow": "Name an agent workflow that is here, or export the file again with it.",
  agent: "Name an agent that is here, or export the file again with it.",
  model: "Name an alias or a model of a provider that is set up here, or make an alias of this name.",
  secret: "Name a secret that is here, or make one of this name.",
  tool: "Name a tool that is here, or install or approve this one.",
  connection: "Name a connected MCP server that is here, or connect one under this name.",
  "vector-store": "Name a vector store that is here, or make one of this name.",
  table: "Name a table that is here, or export the file again with it.",
  node: "Install the module that brings it.",
  config: "Install the module that declares this key.",
};

type Named = Map<string, { kind: ReferenceKind; name: string; usedBy: Set<string> }>;

/** The mapping as a function. */
export function renameBy(mapping: PromotionMapping): Rename {
  return (kind, name) => (isMapped(kind) ? (own(mapping[kind], name) ?? name) : name);
}

/** Every name in the file, with what names it. @throws OvenError PROMOTION_MAPPING_UNKNOWN 422 */
function namesIn(
  { services }: PromotionDeps,
  { workflows, agents, triggers }: PromotionFile,
  mapping: PromotionMapping,
): Named {
  const named: Named = new Map();
  const note = (user: string): Rename => {
    return (kind, name) => {
      const entry = named.get(itemKey(kind, name)) ?? { kind, name, usedBy: new Set() };
      named.set(itemKey(kind, name), entry);
      entry.usedBy.add(user);
      return name;
    };
  };
  for (const workflow of workflows) rewriteWorkflow(workflow, services.workflowPlatform.nodes, note(workflow.slug));
  for (const agent of agents) rewriteAgent(agent, note(agent.slug));
  for (const trigger of triggers) rewriteTrigger(trigger, note(trigger.name));
  const items = [
    ...workflows.map(({ kind, slug }) => itemKey(kind, slug)),
    ...agents.map(({ slug }) => itemKey("agent", slug)),
  ];
  for (const kind of MappedKindSchema.options) {
    for (const name of Object.keys(mapping[kind] ?? {})) {
      if (named.has(itemKey(kind, name)) || items.includes(itemKey(kind, name))) continue;
      throw new OvenError("PROMOTION_MAPPING_UNKNOWN", `The file names no ${kind} ${name}`, {
        status: 422,
        path: `$.mapping.${kind}`,
        fix: "Map only names that the file has: the plan lists them.",
      });
    }
  }
  return named;
}

/** Which of the names are here. */
export async function findReferences(
  deps: PromotionDeps,
  principal: Principal,
  file: PromotionFile,
  mapping: PromotionMapping,
): Promise<PromotedReference[]> {
  const named = namesIn(deps, file, mapping);
  const items = new Set([
    ...file.workflows.map(({ kind, slug }) => itemKey(kind, slug)),
    ...file.agents.map(({ slug }) => itemKey("agent", slug)),
    ...file.tables.map(({ slug }) => itemKey("table", slug)),
  ]);
  const rename = renameBy(mapping);
  const secrets = new Set((await deps.services.secrets.list(principal, ALL)).rows.map(({ name }) => name));
  const references = await Promise.all(
    [...named.values()].map(async ({ kind, name, usedBy }): Promise<PromotedReference> => {
      const to = toolAt(kind, name, rename) ?? rename(kind, name);
      const isMappedName = to !== name;
      const included = !isMappedName && items.has(itemKey(kind, name));
      const here = included || (await isHere(deps, principal, kind, to, secrets));
      return {
        ...{ kind, name, to, usedBy: [...usedBy].toSorted() },
        state: included ? "included" : !here ? "missing" : isMappedName ? "mapped" : "found",
        fix: here ? null : FIXES[kind],
      };
    }),
  );
  return references.toSorted((one, other) => (itemKey(one.kind, one.name) < itemKey(other.kind, other.name) ? -1 : 1));
}

/** What may be named instead, for those who may see it. */
export async function findChoices(
  { services }: PromotionDeps,
  principal: Principal,
  references: readonly PromotedReference[],
): Promise<PromotionPlan["choices"]> {
  const may = (permission: string) => isGranted(principal.permissions, permission);
  const slugs = <T extends { slug: string }>(rows: readonly T[]) => rows.map(({ slug }) => slug);
  const readers: Record<MappedKind, () => Promise<string[]>> = {
    workflow: async () =>
      may("workflows.read")
        ? slugs((await services.workflowPlatform.face("workflow").workflows.list(principal, ALL)).rows)
        : [],
    "agent-workflow": async () =>
      may("agent-workflows.read")
        ? slugs((await services.workflowPlatform.face("agent-workflow").workflows.list(principal, ALL)).rows)
        : [],
    agent: async () => (may("agents.read") ? slugs(await services.agents.list(principal)) : []),
    model: async () => services.ai.aliases(principal.tenantId),
    secret: async () =>
      may("secrets.update") ? (await services.secrets.list(principal, ALL)).rows.map(({ name }) => name) : [],
    tool: async () => services.tools.list(principal).map(({ id }) => id),
    connection: async () => [
      ...new Set(services.tools.list(principal).flatMap(({ id }) => /^(?:mcp|api)\.([^.]+)\./.exec(id)?.[1] ?? [])),
    ],
    "vector-store": async () =>
      may("vector-stores.read") ? slugs((await services.vectorStores.list(principal, ALL)).stores) : [],
    table: async () => (may("tables.read") ? slugs((await services.tables.definitions.list(principal, ALL)).rows) : []),
  };
  const kinds = MappedKindSchema.options.filter((kind) => references.some((reference) => reference.kind === kind));
  return Object.fromEntries(await Promise.all(kinds.map(async (kind) => [kind, await readers[kind]()] as const)));
}

async function isHere(
  { services }: PromotionDeps,
  principal: Principal,
  kind: ReferenceKind,
  name: string,
  secrets: ReadonlySet<string>,
): Promise<boolean> {
  const { workflowPlatform, agents, ai, tools, vectorStores, config } = services;
  const { tenantId } = principal;
  switch (kind) {
    case "workflow":
    case "agent-workflow":
      return (await orNone(workflowPlatform.face(kind).workflows.get(principal, name))) !== undefined;
    case "agent":
      return (await orNone(agents.get(principal, name))) !== undefined;
    case "model":
      return known(ai.resolve(name, tenantId), ["MODEL_UNKNOWN", "MODEL_PROVIDER_NOT_CONFIGURED"]);
    case "secret":
      return secrets.has(name);
    case "tool":
      return tools.named([name], tenantId).length > 0;
    case "connection":
      return tools.named([`mcp.${name}.*`], tenantId).length > 0;
    case "vector-store":
      return (await orNone(vectorStores.get(tenantId, name))) !== undefined;
    case "table":
      return (await orNone(services.tables.definitions.get(principal, name))) !== undefined;
    case "node":
      return workflowPlatform.nodes.get(name) !== undefined;
    case "config":
      // Either kind of workflow may read it: the publishing itself says which does not.
      return (
        (await known(resolveConfigValues(config, "workflow", tenantId, 0, [name]), ["CONFIG_KEY_UNKNOWN"])) ||
        known(resolveConfigValues(config, "agent-workflow", tenantId, 0, [name]), ["CONFIG_KEY_UNKNOWN"])
      );
  }
}

/** One that is only away for the moment is known. */
async function known(read: Promise<unknown>, unknown: readonly string[]): Promise<boolean> {
  try {
    await read;
    return true;
  } catch (error) {
    if (!isOvenError(error)) throw error;
    return !unknown.includes(error.code);
  }
}

/** A tool of a connected server goes where its connection goes. */
function toolAt(kind: ReferenceKind, name: string, rename: Rename): string | undefined {
  if (kind !== "tool" || rename(kind, name) !== name) return undefined;
  return name.replace(
    /^(mcp|api)\.([^.*]+)\./,
    (_all, kind: string, connection: string) => `${kind}.${rename("connection", connection)}.`,
  );
}

function own(table: Record<string, string> | undefined, name: string): string | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

function isMapped(kind: ReferenceKind): kind is MappedKind {
  return kind !== "node" && kind !== "config";
}
