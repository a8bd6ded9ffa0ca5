import type { CatalogTool } from "@oven/contract/agent";
import { t } from "@oven/i18n";

export const SOURCE_WORDS: Readonly<Record<CatalogTool["source"], string>> = {
  tool: t("a tool of a module"),
  route: t("a route of the API"),
  action: t("an action of a module"),
  mcp: t("a tool of a connected MCP server"),
  api: t("an operation of a connected API"),
  a2a: t("a connected A2A agent"),
};

export const SOURCES = [
  { label: t("Tools"), value: "tool" },
  { label: t("Actions"), value: "action" },
  { label: t("API routes"), value: "route" },
  { label: t("Connected servers"), value: "mcp" },
  { label: t("Connected APIs"), value: "api" },
];

export const EFFECTS = [
  { label: t("Reads only"), value: "pure" },
  { label: t("Changes something"), value: ["idempotent", "at-least-once", "at-most-once"] },
];

/** Everything that a caller must hold. */
export function permissionsOf({
  permission,
  permissions,
}: Pick<CatalogTool, "permission" | "permissions">): readonly string[] {
  return permissions ?? (permission === null ? [] : [permission]);
}
