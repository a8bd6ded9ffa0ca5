import { type Json, type ListParams, OvenError, type Principal } from "@oven/contract";
import {
  CallToolSchema,
  type CatalogTool,
  CatalogToolSchema,
  ToolGroupSchema,
  TriedToolSchema,
  UsesSchema,
} from "@oven/contract/agent";
import { schemaNotes } from "@oven/engine";
import {
  approvalNeeded,
  defineRoute,
  ListQuerySchema,
  listReply,
  ok,
  type Route,
  requirePermission,
  type ServiceMap,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { asksFirst } from "../tools/asks-first.ts";
import { permissionsOf } from "../tools/tool-catalog.ts";
import { tryCall } from "../tools/try-call.ts";

const FIELDS = ["id", "title", "group", "source", "effect", "needsApproval", "permission", "granted"] as const;
type Field = (typeof FIELDS)[number];

const READ = { permission: "tools.read" };
const Params = z.object({ id: z.string().min(1).max(300).describe("Id of the tool, such as `orders.get`") });
/** Milliseconds: whoever waits at a form has gone by then. */
const BY_HAND_MS = 120_000;

export const toolRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "tools",
    operation: "tools.list",
    summary: "List the tools you may call, with their schemas",
    description: 'With the filter `{"granted": [true, false]}` also those of modules that you may not call.',
    access: READ,
    query: ListQuerySchema,
    response: z.array(CatalogToolSchema),
    effect: "pure",
    async handler({ query, principal, services }) {
      const params = toListParams(query);
      const filter = { granted: true, ...params.filter };
      const found = filterTools(services.tools.catalog(principal), { ...params, filter });
      const page = found.slice(params.range.first, params.range.last + 1);
      return listReply("tools", params, page, found.length);
    },
  }),
  defineRoute({
    method: "GET",
    path: "tool-groups",
    operation: "tools.groups",
    summary: "The groups that tools come in: modules and connected servers",
    access: READ,
    response: z.array(ToolGroupSchema),
    effect: "pure",
    async handler({ principal, services }) {
      const groups = Object.entries(Object.groupBy(services.tools.catalog(principal), ({ group }) => group));
      return ok(
        groups.map(([id, tools = []]) => ({
          id,
          tools: tools.length,
          granted: tools.filter(({ granted }) => granted).length,
        })),
      );
    },
  }),
  defineRoute({
    method: "GET",
    path: "tools/[id]",
    operation: "tools.get",
    summary: "One tool with its schemas, and whether you may call it",
    access: READ,
    params: Params,
    response: CatalogToolSchema,
    effect: "pure",
    handler: async ({ params, principal, services }) => ok(find(services, principal, params.id)),
  }),
  defineRoute({
    method: "GET",
    path: "tools/[id]/uses",
    operation: "tools.uses",
    summary: "The agents and published workflows that name a tool, as far as you may see them",
    access: READ,
    params: Params,
    response: UsesSchema,
    effect: "pure",
    handler: async ({ params, principal, services }) => {
      const { id } = find(services, principal, params.id);
      return ok(await services.uses.of(principal, { tool: id }));
    },
  }),
  defineRoute({
    method: "POST",
    path: "tools/[id]/call",
    // No operation: a model would reach every tool by it, and no approval would be asked for.
    operation: false,
    summary: "Call a tool once, by hand, as yourself",
    description:
      "As a model's call: the same permissions, the same check of the arguments. A tool that needs approval is refused with APPROVAL_NEEDED: only a run can ask for it. What the tool itself says went wrong is in `error`.",
    access: { permission: "tools.call" },
    params: Params,
    body: CallToolSchema,
    dataSchema: async ({ params, principal, services }) => ({
      at: ["arguments"],
      schema: find(services, principal, params.id).inputSchema,
    }),
    response: TriedToolSchema,
    effect: "at-most-once",
    async handler({ params, body, principal, services, signal }) {
      const { id, ...tool } = find(services, principal, params.id);
      for (const permission of permissionsOf({ id, ...tool })) requirePermission(principal, permission);
      services.tools.check(id, body.arguments, principal.tenantId);
      if (asksFirst(tool, body.arguments)) throw approvalNeeded(id);
      const options = { principal, signal, timeoutMs: BY_HAND_MS, idempotencyKey: crypto.randomUUID() };
      return ok(await tryCall(services, principal, () => services.tools.call(id, body.arguments, options)));
    },
  }),
  defineRoute({
    method: "GET",
    path: "model-uses",
    operation: "modelUses",
    summary: "The agents and published workflows that name a model or an alias, as far as you may see them",
    access: { permission: "agents.read" },
    query: z.object({ model: z.string().min(1).max(300) }),
    response: UsesSchema,
    effect: "pure",
    handler: async ({ query, principal, services }) => ok(await services.uses.of(principal, { model: query.model })),
  }),
];

/** @throws OvenError TOOL_UNKNOWN */
function find({ tools }: Pick<ServiceMap, "tools">, principal: Principal, id: string): CatalogTool {
  const found = tools.catalog(principal).find((tool) => tool.id === id);
  if (found !== undefined) return { ...found, notes: schemaNotes(found.inputSchema) };
  throw new OvenError("TOOL_UNKNOWN", `There is no tool \`${id}\``, {
    status: 404,
    fix: "See the list of tools at /api/tools, or list_tools over MCP",
  });
}

/** The list conventions over tools, which are declared in code and not stored. */
function filterTools(tools: CatalogTool[], { sort, filter }: ListParams): CatalogTool[] {
  const field = toField("sort", sort.field);
  const found = Object.entries(filter).reduce(
    (rest, [key, value]) =>
      rest.filter((tool) => (key === "q" ? search(tool, value) : equals(tool[toField("filter", key)], value))),
    tools,
  );
  const direction = sort.order === "ASC" ? 1 : -1;
  return found.toSorted((a, b) => direction * (String(a[field]) < String(b[field]) ? -1 : 1));
}

function equals(value: Json, wanted: unknown): boolean {
  return Array.isArray(wanted) ? wanted.includes(value) : value === wanted;
}

/** Each word of it, in whatever order. */
function search(tool: CatalogTool, wanted: unknown): boolean {
  const text = `${tool.id} ${tool.title} ${tool.description}`.toLowerCase();
  return String(wanted)
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function toField(part: string, key: string): Field {
  const field = FIELDS.find((known) => known === key);
  if (field !== undefined) return field;
  throw new OvenError("INVALID_LIST_QUERY", `\`${part}\` does not know \`${key}\`; known: ${FIELDS.join(", ")}`, {
    path: `$query.${part}`,
    fix: "Use one of the known fields",
  });
}
