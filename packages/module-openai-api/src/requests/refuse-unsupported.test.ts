import { isOvenError } from "@oven/contract";
import { expect, it } from "vitest";
import { refuseUnsupported } from "./refuse-unsupported.ts";

function refusedPart(body: Record<string, unknown>): string | undefined {
  try {
    refuseUnsupported(body);
  } catch (error) {
    if (isOvenError(error) && error.code === "UNSUPPORTED_PARAMETER") return error.path;
    throw error;
  }
  return undefined;
}

it.each([
  ["$.functions", { functions: [{ name: "f" }] }],
  ["$.n", { n: 2 }],
  ["$.response_format", { response_format: { type: "json_schema", json_schema: {} } }],
  ["$.text", { text: { format: { type: "json_object" } } }],
  ["$.modalities", { modalities: ["text", "audio"] }],
  ["$.audio", { audio: { voice: "x" } }],
  ["$.logprobs", { logprobs: true }],
  ["$.background", { background: true }],
  ["$.conversation", { conversation: "conv_1" }],
])("%s is refused", (path, body) => {
  expect(refusedPart(body)).toBe(path);
});

it("takes what clients send by themselves, and what changes little", () => {
  const body = {
    tools: [],
    n: 1,
    response_format: { type: "text" },
    text: { format: { type: "text" }, verbosity: "low" },
    modalities: ["text"],
    audio: null,
    logprobs: false,
    background: false,
    temperature: 0.2,
    max_tokens: 100,
    stop: ["\n"],
  };
  expect(refusedPart(body)).toBeUndefined();
});
