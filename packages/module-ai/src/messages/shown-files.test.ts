import type { Message } from "@oven/contract/ai";
import type { BlobReference } from "@oven/contract/run";
import { expect, it } from "vitest";
import { claudeFiles, compatibleFiles, geminiFiles, gptFiles } from "../providers/model-files.ts";
import type { ModelFiles } from "../providers/model-provider.ts";
import { readShownFiles } from "./shown-files.ts";
import { toSdkMessages } from "./to-sdk-messages.ts";
import { createWireNames } from "./wire-names.ts";

const file = (id: number, mediaType: string, bytes = 3): BlobReference => ({
  ...{ $blob: id, mediaType, bytes, sha256: "a".repeat(64), summary: "" },
});
const results = (...files: BlobReference[][]): Message[] =>
  files.map((of, index) => ({
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: `c${index}`,
        toolName: "draw",
        output: { type: "json", value: { text: "here" } },
        files: of,
      },
    ],
  }));
const read = async ({ $blob }: BlobReference) => ($blob === 404 ? undefined : new Uint8Array([$blob]));

async function sent(messages: Message[], files: ModelFiles | undefined, modelId: string) {
  const shown = await readShownFiles(messages, { files, modelId, read });
  return toSdkMessages(messages, createWireNames(["draw"]), shown);
}
const outputsOf = (messages: Awaited<ReturnType<typeof sent>>) =>
  messages.flatMap(({ role, content }) => (role === "tool" ? content : [])).map((part) => JSON.stringify(part));

it("are in the result where the protocol takes them there, with what was left out in words", async () => {
  const messages = results([
    file(1, "image/png"),
    file(2, "audio/wav"),
    file(3, "image/svg+xml"),
    file(404, "image/png"),
  ]);
  const [message] = await sent(messages, { place: "result", of: claudeFiles }, "claude-sonnet-5");
  expect(message).toMatchObject({
    role: "tool",
    content: [
      {
        output: {
          type: "content",
          value: [
            { type: "text", text: '{"text":"here"}' },
            {
              type: "text",
              text: expect.stringContaining("(audio/wav, 3 bytes) is not shown: this model is not known to hear"),
            },
            { type: "text", text: expect.stringContaining("(image/svg+xml, 3 bytes) is not shown: no model takes") },
            {
              type: "text",
              text: expect.stringContaining("(image/png, 3 bytes) is not shown: it is not there any more"),
            },
            { type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array([1]) } },
          ],
        },
      },
    ],
  });
});

it("stand in one message after the results of an answer, where results are text", async () => {
  const messages = [
    ...results([file(1, "image/png")], [file(2, "image/jpeg")]),
    { role: "user", content: "and?" } as const,
  ];
  const converted = await sent(messages, { place: "message", of: compatibleFiles }, "qwen2.5-vl:7b");
  expect(converted.map(({ role }) => role)).toEqual(["tool", "tool", "user", "user"]);
  expect(converted[2]?.content).toMatchObject([
    { type: "text" },
    { type: "file", mediaType: "image/png" },
    { type: "file", mediaType: "image/jpeg" },
  ]);
});

it("are left out where one is too large, and the oldest where they are too many", async () => {
  const large = await sent(
    results([file(1, "image/png", 5_000_000)]),
    { place: "result", of: claudeFiles },
    "claude-opus-5",
  );
  expect(outputsOf(large)[0]).toContain("more than 4194304 bytes");
  const many = results(...Array.from({ length: 21 }, (_, index) => [file(index + 1, "image/png")]));
  const outputs = outputsOf(await sent(many, { place: "result", of: claudeFiles }, "claude-opus-5"));
  expect(outputs.map((output) => output.includes('"content"'))).toEqual([false, ...Array(20).fill(true)]);
  expect(outputs[0]).toContain("no room for more");
});

it("are not read for a model that takes none", async () => {
  const messages = results([file(1, "image/png")]);
  for (const files of [undefined, { place: "result", of: gptFiles } as const]) {
    const [message] = await sent(messages, files, "gpt-3.5-turbo");
    expect(JSON.stringify(message)).toContain("is not shown");
    expect(JSON.stringify(message)).not.toContain('"file"');
  }
});

it.each([
  ["claude-2.1", claudeFiles, []],
  ["claude-haiku-4-5", claudeFiles, ["image"]],
  ["gemini-3-pro", geminiFiles, ["image", "audio"]],
  ["gemma-3-27b", geminiFiles, []],
  ["gpt-5.4", gptFiles, ["image"]],
  ["o3-mini", gptFiles, []],
  ["o4-mini", gptFiles, ["image"]],
  ["openai/gpt-4o", compatibleFiles, ["image"]],
  ["llava:13b", compatibleFiles, ["image"]],
  ["anthropic/claude-sonnet-5", compatibleFiles, ["image"]],
  ["llama-3.1-8b", compatibleFiles, []],
  ["revision-7", compatibleFiles, []],
])("what %s takes is what its vendor says", (modelId, of, kinds) => {
  expect(of(modelId)).toEqual(kinds);
});
