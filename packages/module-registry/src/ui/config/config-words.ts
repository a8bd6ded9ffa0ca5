import type { Json } from "@oven/contract";
import type { ConfigSource } from "@oven/contract/system";
import { t } from "@oven/i18n";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";

type Level = "tenant" | "platform" | "default";

function levelOf(source: ConfigSource): Level {
  if (source === "default") return "default";
  return source.startsWith("platform") ? "platform" : "tenant";
}

/** What each level is called. */
export const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  tenant: t("this tenant"),
  platform: t("installation"),
  default: t("default"),
};
const TONES: Readonly<Record<Level, StatusTone>> = { tenant: "running", platform: "paused", default: "queued" };

/** Where the value in force comes from, as a chip. */
export function toSourceLook(source: ConfigSource): { tone: StatusTone; word: string } {
  const level = levelOf(source);
  return { tone: TONES[level], word: LEVEL_WORDS[level] };
}

/** Where a value stands: `this tenant`, `this tenant, for 7`. */
export function toPlaceWords(source: ConfigSource, scopeId: string | null): string {
  const level = LEVEL_WORDS[levelOf(source)];
  return scopeId === null ? level : t("{{level}}, for {{scopeId}}", { level, scopeId });
}

/** A value as people read it. */
export function showValue(value: Json): string {
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (value === "") return t("empty");
  return typeof value === "string" ? value : JSON.stringify(value);
}
