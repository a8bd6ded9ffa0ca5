import type { ModelProvider, ProviderKind } from "@oven/contract";
import type { StatusTone } from "../../theme/tokens.ts";

export const KINDS: readonly { value: ProviderKind; label: string; host: string | null }[] = [
  { value: "openai", label: "OpenAI", host: "api.openai.com" },
  { value: "anthropic", label: "Anthropic", host: "api.anthropic.com" },
  { value: "google", label: "Google", host: "generativelanguage.googleapis.com" },
  { value: "openai-compatible", label: "OpenAI-compatible server", host: null },
  { value: "black-forest-labs", label: "Black Forest Labs (images)", host: "api.bfl.ai" },
  { value: "replicate", label: "Replicate (images, videos)", host: "api.replicate.com" },
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
  if (configured) return { tone: "completed", word: "in use" };
  return source === "environment" && !enabled
    ? { tone: "queued", word: "not set up" }
    : { tone: "cancelled", word: "off" };
}

export function toSourceWords({ source, configured }: Pick<ModelProvider, "source" | "configured">): string {
  switch (source) {
    case "environment":
      return configured ? "set up by the operator" : "for the operator to set up";
    case "tenant":
      return "set up here";
    case "built-in":
      return "in every installation";
  }
}
