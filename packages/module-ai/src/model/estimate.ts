import type { ModelRequest } from "./model-request.ts";

/** What an answer is taken to need when nobody has bounded it. */
const USUAL_OUTPUT = 4_096;

/** About four characters a token. */
export function expectedTokens(request: ModelRequest): { input: number; output: number } {
  const { system, messages, tools, outputSchema, maxOutputTokens } = request;
  const sent = JSON.stringify({ system, messages, tools, outputSchema });
  return { input: Math.ceil(sent.length / 4), output: maxOutputTokens ?? USUAL_OUTPUT };
}
