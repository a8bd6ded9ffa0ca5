import type { ModelProvider, ProviderKindInfo } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";

/** The host that a provider's key is sent to; undefined while its address is none. */
export function hostOf(kind: Pick<ProviderKindInfo, "baseUrl"> | undefined, baseUrl: string): string | undefined {
  return URL.parse(baseUrl.trim() === "" ? (kind?.baseUrl ?? "") : baseUrl.trim())?.host;
}

export function toProviderLook({
  enabled,
  configured,
  source,
}: Pick<ModelProvider, "enabled" | "configured" | "source">): {
  tone: StatusTone;
  word: string;
} {
  if (configured) return { tone: "completed", word: t("in use") };
  return source === "environment" && !enabled
    ? { tone: "queued", word: t("not set up") }
    : { tone: "cancelled", word: t("off") };
}

export function toSourceWords({ source, configured }: Pick<ModelProvider, "source" | "configured">): string {
  switch (source) {
    case "environment":
      return configured ? t("set up by the operator") : t("for the operator to set up");
    case "tenant":
      return t("set up here");
    case "built-in":
      return t("in every installation");
  }
}
