import type { Message } from "@oven/contract/ai";
import { generateText } from "ai";
import { expect, it } from "vitest";
import { toCallOptions } from "../model/call-options.ts";
import { anthropicApi } from "../providers/anthropic/anthropic.api.ts";
import { googleApi } from "../providers/google/google.api.ts";
import type { Provider, ProviderApi, ProviderSettings } from "../providers/model-provider.ts";
import { openaiApi } from "../providers/openai/openai.api.ts";

const PICTURE = Buffer.from("a picture");
const messages: Message[] = [
  { role: "user", content: "Draw" },
  { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "draw", input: {} }] },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "c1",
        toolName: "draw",
        output: { type: "json", value: { text: "here" } },
        files: [{ $blob: 1, mediaType: "image/png", bytes: PICTURE.length, sha256: "a".repeat(64), summary: "" }],
      },
    ],
  },
];

it.each<[string, string, (settings: ProviderSettings) => ProviderApi, string]>([
  ["Anthropic", "claude-opus-5", anthropicApi, '"source":{"type":"base64","media_type":"image/png"'],
  ["OpenAI", "gpt-5.4", openaiApi, '{"type":"input_image"'],
  ["Google", "gemini-3-pro", googleApi, '"inlineData":{"mimeType":"image/png"'],
])("%s gets a tool's picture in the tool's result", async (_name, modelId, open, part) => {
  let sent = "";
  const api = open({
    ...{ id: "p", apiKey: "k", baseUrl: "https://models.example", headers: {} },
    fetch: async (_url, init) => {
      sent = String(init?.body);
      return Response.json({ error: { message: "enough" } }, { status: 400 });
    },
  });
  const model = api.languageModel?.(modelId);
  if (model === undefined) throw new Error("it has language models");
  const provider = { ...api, id: "p", simulated: false } as Provider; // cast: what a call reads of it
  const request = { model: "x", messages, caller: { tenantId: 1, userId: null }, readFile: async () => PICTURE };
  const { options } = await toCallOptions(request, model, provider, new AbortController().signal);
  await expect(generateText(options)).rejects.toThrow();
  expect(sent).toContain(part);
  expect(sent).toContain(PICTURE.toString("base64"));
});
