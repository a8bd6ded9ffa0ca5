import type { CatalogTool } from "@oven/contract";

export const SOURCE_WORDS: Readonly<Record<CatalogTool["source"], string>> = {
  tool: "a tool of a module",
  route: "a route of the API",
  action: "an action of a module",
  mcp: "a tool of a connected MCP server",
};

export const SOURCES = [
  { label: "Tools", value: "tool" },
  { label: "Actions", value: "action" },
  { label: "API routes", value: "route" },
  { label: "Connected servers", value: "mcp" },
];

export const EFFECTS = [
  { label: "Reads only", value: "pure" },
  { label: "Changes something", value: ["idempotent", "at-least-once", "at-most-once"] },
];

/** Everything that a caller must hold. */
export function permissionsOf({
  permission,
  permissions,
}: Pick<CatalogTool, "permission" | "permissions">): readonly string[] {
  return permissions ?? (permission === null ? [] : [permission]);
}
