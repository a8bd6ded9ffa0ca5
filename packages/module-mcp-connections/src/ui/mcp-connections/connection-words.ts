import type { McpConnection, McpConnectionStatus, McpConnectionTool } from "@oven/contract/mcp";
import { t } from "@oven/i18n";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";

export const STATUS_LOOK: Readonly<Record<McpConnectionStatus, { tone: StatusTone; word: string }>> = {
  new: { tone: "queued", word: t("not asked yet") },
  ok: { tone: "completed", word: t("answers") },
  failing: { tone: "failed", word: t("failing") },
  "sign-in": { tone: "paused", word: t("sign in") },
  disabled: { tone: "cancelled", word: t("off") },
};

export const TOOL_LOOK: Readonly<Record<McpConnectionTool["state"], { tone: StatusTone; word: string }>> = {
  new: { tone: "paused", word: t("new") },
  approved: { tone: "completed", word: t("approved") },
  changed: { tone: "paused", word: t("changed") },
  vanished: { tone: "cancelled", word: t("gone") },
  refused: { tone: "failed", word: t("unusable") },
};

/** `3 approved, 2 to approve`. */
export function toToolWords({ approved, waiting, vanished, refused }: McpConnection["tools"]): string {
  const parts = [
    [approved, t("approved")],
    [waiting, t("to approve")],
    [vanished, t("gone")],
    [refused, t("unusable")],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return said.length === 0 ? t("no tools") : said.join(", ");
}

/** What the server says about a tool; nobody need believe it. */
export function toHintWords({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint,
}: McpConnectionTool["listed"]["hints"]): string {
  const said = [
    readOnlyHint === true ? t("only reads") : null,
    destructiveHint === true ? t("may destroy something") : null,
    idempotentHint === true ? t("may be repeated") : null,
    openWorldHint === true ? t("reaches further outside") : null,
  ].filter((word) => word !== null);
  return said.length === 0
    ? t("says nothing about what it does")
    : t("says that it {{effects}}", { effects: said.join(", ") });
}
