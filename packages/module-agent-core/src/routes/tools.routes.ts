import { type Json, type ListParams, OvenError, type ToolInfo, ToolInfoSchema } from "@oven/contract";
import { defineRoute, ListQuerySchema, listReply, type Route, toListParams } from "@oven/module-registry";
import { z } from "zod";

const FIELDS = ["id", "title", "source", "effect", "needsApproval", "permission"] as const;
type Field = (typeof FIELDS)[number];

export const toolRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "tools",
    operation: "tools.list",
    summary: "List the tools you may call, with their schemas",
    access: { permission: "tools.read" },
    query: ListQuerySchema,
    response: z.array(ToolInfoSchema),
    effect: "pure",
    async handler({ query, principal, services }) {
      const params = toListParams(query);
      const found = filterTools(services.tools.list(principal), params);
      const page = found.slice(params.range.first, params.range.last + 1);
      return listReply("tools", params, page, found.length);
    },
  }),
];

/** The list conventions over tools, which are declared in code and not stored. */
function filterTools(tools: ToolInfo[], { sort, filter }: ListParams): ToolInfo[] {
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

function search(tool: ToolInfo, wanted: unknown): boolean {
  return `${tool.id} ${tool.title} ${tool.description}`.toLowerCase().includes(String(wanted).toLowerCase());
}

function toField(part: string, key: string): Field {
  const field = FIELDS.find((known) => known === key);
  if (field !== undefined) return field;
  throw new OvenError("INVALID_LIST_QUERY", `\`${part}\` does not know \`${key}\`; known: ${FIELDS.join(", ")}`, {
    path: `$query.${part}`,
    fix: "Use one of the known fields",
  });
}
