import type { McpConnection, McpConnectionStatus, McpConnectionTool } from "@oven/contract";
import type { StatusTone } from "../../theme/tokens.ts";

export const STATUS_LOOK: Readonly<Record<McpConnectionStatus, { tone: StatusTone; word: string }>> = {
  new: { tone: "queued", word: "not asked yet" },
  ok: { tone: "completed", word: "answers" },
  failing: { tone: "failed", word: "failing" },
  "sign-in": { tone: "paused", word: "sign in" },
  disabled: { tone: "cancelled", word: "off" },
};

export const TOOL_LOOK: Readonly<Record<McpConnectionTool["state"], { tone: StatusTone; word: string }>> = {
  new: { tone: "paused", word: "new" },
  approved: { tone: "completed", word: "approved" },
  changed: { tone: "paused", word: "changed" },
  vanished: { tone: "cancelled", word: "gone" },
  refused: { tone: "failed", word: "unusable" },
};

export const EFFECT_WORDS: readonly { value: McpConnectionTool["effect"]; label: string }[] = [
  { value: "at-most-once", label: "Act at most once: never tried again by itself" },
  { value: "at-least-once", label: "Be tried again, though it may then act twice" },
  { value: "idempotent", label: "Be repeated: the second time changes nothing more" },
  { value: "pure", label: "Only read" },
];

/** `3 approved, 2 to approve`. */
export function toToolWords({ approved, waiting, vanished, refused }: McpConnection["tools"]): string {
  const parts = [
    [approved, "approved"],
    [waiting, "to approve"],
    [vanished, "gone"],
    [refused, "unusable"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return said.length === 0 ? "no tools" : said.join(", ");
}

/** What the server says about a tool; nobody need believe it. */
export function toHintWords({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint,
}: McpConnectionTool["listed"]["hints"]): string {
  const said = [
    readOnlyHint === true ? "only reads" : null,
    destructiveHint === true ? "may destroy something" : null,
    idempotentHint === true ? "may be repeated" : null,
    openWorldHint === true ? "reaches further outside" : null,
  ].filter((word) => word !== null);
  return said.length === 0 ? "says nothing about what it does" : `says that it ${said.join(", ")}`;
}
