import type { ProviderDefinition } from "../define-provider.ts";
import { openaiCompatibleApi } from "./openai-compatible.api.ts";

export const openaiCompatibleProvider: ProviderDefinition = {
  kind: "openai-compatible",
  title: "OpenAI-compatible",
  help: "Any server with OpenAI's chat completions, such as Ollama, vLLM or a gateway.",
  baseUrl: null,
  open: openaiCompatibleApi,
};
