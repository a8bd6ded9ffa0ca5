import { t } from "@oven/i18n";

/** What keys are usually made for. The server knows the permissions; this only saves typing. */
export interface PermissionPreset {
  id: string;
  title: string;
  text: string;
  permissions: string[];
}

export const PRESETS: PermissionPreset[] = [
  {
    id: "call",
    title: t("Call workflows"),
    text: t("Over MCP and REST; sees the runs it started"),
    permissions: ["agent-workflows.read", "agent-workflows.execute"],
  },
  {
    id: "call-and-review",
    title: t("Call workflows and answer reviews"),
    text: t("Also decides reviews, for instance in an MCP client"),
    permissions: ["agent-workflows.read", "agent-workflows.execute", "reviews.read", "reviews.decide"],
  },
  {
    id: "read",
    title: t("Read only"),
    text: t("Workflows, executions and reviews, nothing else"),
    permissions: ["agent-workflows.read", "executions.read", "reviews.read", "mcp-servers.read"],
  },
  {
    id: "all",
    title: t("Everything you may do"),
    text: t("For administration scripts; keep it safe"),
    permissions: ["*"],
  },
];

/** `a.b, c.*` as a list, without doubles. */
export function parsePermissions(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((part) => part !== ""))];
}
