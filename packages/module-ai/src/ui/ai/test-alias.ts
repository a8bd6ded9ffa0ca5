import type { EmbedAnswer, ImagesAnswer, ModelAlias, ModelAnswer, ResolvedModel } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { formatBytes } from "@oven/ui/components/format.ts";

export interface AliasTest {
  model: string;
  said: string;
  durationMs: number;
}

const toName = ({ providerId, modelId }: ResolvedModel): string => `${providerId}:${modelId}`;

/** One small call of whatever the alias stands for now. It costs what such a call costs. */
export async function testAlias({ name }: Pick<ModelAlias, "name">): Promise<AliasTest> {
  const started = performance.now();
  const durationMs = (): number => Math.round(performance.now() - started);
  if (name === "embed") {
    const { json } = await api("ai/embed", { method: "POST", body: { model: name, values: ["Hello"] } });
    const { model, dimensions } = json as EmbedAnswer; // cast: the shape of the route
    return {
      model: toName(model),
      said: t("a vector of {{dimensions}} numbers", { dimensions }),
      durationMs: durationMs(),
    };
  }
  if (name === "image") {
    const { json } = await api("ai/images", { method: "POST", body: { model: name, prompt: t("An empty oven") } });
    const { model, images } = json as ImagesAnswer; // cast: the shape of the route
    const bytes = images.reduce((sum, image) => sum + image.bytes, 0);
    return {
      model: toName(model),
      said: t("an image of {{size}}", { size: formatBytes(bytes) }),
      durationMs: durationMs(),
    };
  }
  const messages = [{ role: "user", content: t("Answer with one word: hello.") }];
  const { json } = await api("ai/generate", { method: "POST", body: { model: name, messages, maxOutputTokens: 64 } });
  const { model, text } = json as ModelAnswer; // cast: the shape of the route
  return { model: toName(model), said: text.slice(0, 200), durationMs: durationMs() };
}
