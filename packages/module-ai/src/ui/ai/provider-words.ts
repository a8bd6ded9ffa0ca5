import type { ModelProvider, ProviderKind } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";

export const KINDS: readonly { value: ProviderKind; label: string; host: string | null }[] = [
  { value: "openai", label: t("OpenAI"), host: "api.openai.com" },
  { value: "anthropic", label: t("Anthropic"), host: "api.anthropic.com" },
  { value: "google", label: t("Google"), host: "generativelanguage.googleapis.com" },
  { value: "openai-compatible", label: t("OpenAI-compatible server"), host: null },
  { value: "black-forest-labs", label: t("Black Forest Labs (images)"), host: "api.bfl.ai" },
  { value: "replicate", label: t("Replicate (images, videos)"), host: "api.replicate.com" },
];

/** The host that a provider's key is sent to; undefined while its address is none. */
export function hostOf(kind: ProviderKind, baseUrl: string): string | undefined {
  if (baseUrl.trim() !== "") return URL.parse(baseUrl.trim())?.host;
  return KINDS.find(({ value }) => value === kind)?.host ?? undefined;
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
