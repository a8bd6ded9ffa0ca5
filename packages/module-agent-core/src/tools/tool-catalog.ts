import type { JsonObject } from "@oven/contract";
import { type ToolInfo, ToolInfoSchema } from "@oven/contract/ai";
import { isCondition } from "@oven/engine";
import {
  type ActionDefinition,
  effectOf,
  type FlatArguments,
  type ModuleDefinition,
  type RegistryView,
  type Route,
  type ToolDefinition,
  toFlatArguments,
} from "@oven/module-registry";
import { z } from "zod";

/** One callable thing, with what is needed to call it. */
export type CatalogEntry =
  | { info: ToolInfo; tool: ToolDefinition }
  | { info: ToolInfo; route: Route; arguments: FlatArguments }
  | { info: ToolInfo; action: ActionDefinition; covered: { route: Route; arguments: FlatArguments } | undefined };

/** Every tool and action that modules declare, and every route that has an operation and no action, by tool id. */
export function buildCatalog(registry: RegistryView): ReadonlyMap<string, CatalogEntry> {
  const entries: CatalogEntry[] = registry.tools().map(({ module, tool }) => ({ info: fromTool(module, tool), tool }));
  for (const { module, route } of registry.routes()) {
    if (route.operation === false || route.raw) continue;
    if (module.actions.some(({ covers }) => covers === route.operation)) continue;
    const given = toFlatArguments(route);
    entries.push({ info: fromRoute(module, route, route.operation, given), route, arguments: given });
  }
  for (const module of registry.modules())
    for (const action of module.actions) entries.push(fromAction(module, action));
  entries.sort((a, b) => (a.info.id < b.info.id ? -1 : 1));
  return new Map(entries.map((entry) => [entry.info.id, entry]));
}

function fromTool(module: ModuleDefinition, tool: ToolDefinition): ToolInfo {
  return {
    id: tool.id,
    title: tool.title,
    description: describe(tool.description, module),
    inputSchema: toJsonSchema(tool.input, "input"),
    outputSchema: toJsonSchema(tool.output, "output"),
    effect: tool.effect,
    ...approvalOf(tool),
    permission: tool.permission,
    ...furtherOf(tool),
    source: "tool",
    ...(tool.tags === undefined ? {} : { tags: [...tool.tags] }),
  };
}

/** @throws Error where the condition is no CEL */
function approvalOf({ id, needsApproval = false }: ToolDefinition): Pick<ToolInfo, "needsApproval" | "approvalWhen"> {
  if (typeof needsApproval === "boolean") return { needsApproval };
  const { when } = needsApproval;
  if (!isCondition(when)) throw new Error(`The condition of ${id} is no CEL: ${when}`);
  return { needsApproval: true, approvalWhen: when };
}

function fromRoute(module: ModuleDefinition, route: Route, operation: string, given: FlatArguments): ToolInfo {
  return {
    id: `${module.namespace}.${operation}`,
    title: route.summary,
    description: describe(
      route.description === undefined ? route.summary : `${route.summary}. ${route.description}`,
      module,
    ),
    inputSchema: toJsonSchema(given.schema, "input"),
    outputSchema: route.response === undefined ? {} : toJsonSchema(route.response, "output"),
    effect: effectOf(route),
    needsApproval: route.needsApproval ?? false,
    permission: typeof route.access === "object" ? route.access.permission : null,
    ...furtherOf(route),
    source: "route",
  };
}

function fromAction(module: ModuleDefinition, action: ActionDefinition): CatalogEntry {
  const route = module.routes.find(({ operation }) => operation !== false && operation === action.covers);
  const output = action.output ?? route?.response;
  const ofRoute = typeof route?.access === "object" ? [route.access.permission] : [];
  const permissions = [...new Set([...action.permissions, ...ofRoute])];
  const info: ToolInfo = {
    id: `${module.namespace}.${action.name}`,
    title: action.title,
    description: describe(action.description, module),
    inputSchema: toJsonSchema(action.input, "input"),
    outputSchema: output === undefined ? {} : toJsonSchema(output, "output"),
    effect: action.effect ?? (route === undefined ? "at-least-once" : effectOf(route)),
    needsApproval: action.needsApproval === true || route?.needsApproval === true,
    permission: action.permissions[0],
    ...(permissions.length > 1 ? { permissions } : {}),
    ...furtherOf(route),
    source: "action",
    ...(action.tags === undefined ? {} : { tags: [...action.tags] }),
  };
  return { info, action, covered: route && { route, arguments: toFlatArguments(route) } };
}

/** What it may take beside its permissions. */
function furtherOf(
  declared: Pick<Route, "mayNeed" | "delegates"> | undefined,
): Pick<ToolInfo, "mayNeed" | "delegates"> {
  const { mayNeed, delegates } = declared ?? {};
  return {
    ...(mayNeed === undefined ? {} : { mayNeed: [...mayNeed] }),
    ...(delegates === undefined ? {} : { delegates }),
  };
}

/** Namespaces of tools that belong to connections: `mcp.shop.stock`, `api.shop.getOrder`. */
const CONNECTED: ReadonlySet<string> = new Set(["mcp", "api"]);

/** What a list of tools is divided by: `orders` of `orders.get`, `mcp.shop` of `mcp.shop.stock`. */
export function groupOf(id: string): string {
  const [namespace = id, connection] = id.split(".");
  return CONNECTED.has(namespace) && connection !== undefined ? `${namespace}.${connection}` : namespace;
}

/** Everything that a caller must hold. */
export function permissionsOf({ permission, permissions }: ToolInfo): readonly string[] {
  return permissions ?? (permission === null ? [] : [permission]);
}

/** A model sees one tool at a time; the module's own words say what kind of thing it belongs to. */
function describe(text: string, module: ModuleDefinition): string {
  return `${text.replace(/\.?$/, ".")} Part of ${module.namespace}: ${module.description}`;
}

function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _draft, ...document } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return ToolInfoSchema.shape.inputSchema.parse(document);
}
