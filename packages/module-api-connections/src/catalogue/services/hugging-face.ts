import type { CataloguedService } from "@oven/contract/api";

export const huggingFace: CataloguedService = {
  slug: "hugging-face",
  name: "Hugging Face",
  category: "ai",
  description: "Search models, datasets and papers.",
  documentation: "https://huggingface.co/docs/hub/hf-mcp-server",
  source: {
    type: "mcp",
    url: "https://huggingface.co/mcp",
    auth: "bearer",
  },
  steps: ["Create a read token at huggingface.co/settings/tokens, and choose a token as the way to sign in."],
  notes: [],
  checkedAt: "2026-11-29",
};
