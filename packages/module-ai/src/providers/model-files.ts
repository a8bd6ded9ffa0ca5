import type { FileKind } from "./model-provider.ts";

const IMAGES: readonly FileKind[] = ["image"];
const NOTHING: readonly FileKind[] = [];

/** https://docs.anthropic.com/en/docs/build-with-claude/vision: all models since Claude 3. */
export function claudeFiles(modelId: string): readonly FileKind[] {
  return /^claude-(?:instant|1|2)/.test(modelId) ? NOTHING : IMAGES;
}

/** https://ai.google.dev/gemini-api/docs/models: all Gemini models take images and sound. */
export function geminiFiles(modelId: string): readonly FileKind[] {
  return modelId.includes("gemini") ? ["image", "audio"] : NOTHING;
}

/** https://platform.openai.com/docs/models */
export function gptFiles(modelId: string): readonly FileKind[] {
  if (/^(?:o1-mini|o1-preview|o3-mini)/.test(modelId)) return NOTHING;
  return /^(?:gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-[5-9]|chatgpt|o[1-9])/.test(modelId) ? IMAGES : NOTHING;
}

/** Families of open models with eyes, by the names under which servers list them; and what gateways hand on to a vendor. */
const SEEING = /(?:^|[-_/:.])(?:vision|vl|llava|pixtral|moondream|gemma-?3|llama-?4|minicpm-v|qwen[\d.]*-?vl)/i;

export function compatibleFiles(modelId: string): readonly FileKind[] {
  const name = modelId.slice(modelId.lastIndexOf("/") + 1);
  if (SEEING.test(modelId)) return IMAGES;
  if (name.startsWith("claude-")) return claudeFiles(name);
  if (name.startsWith("gemini")) return IMAGES;
  return gptFiles(name);
}
