import type { ModelRequest } from "./model-request.ts";

export interface Estimate {
  input: number;
  output: number;
}

/** What an answer is taken to need when nobody has bounded it. */
const USUAL_OUTPUT = 4_096;
const LONG_OUTPUT = 16_384;

/** What a call will probably use: about four characters a token. */
export function expectedTokens(request: ModelRequest): Estimate {
  return { input: Math.ceil(toSent(request).length / 4), output: request.maxOutputTokens ?? USUAL_OUTPUT };
}

/** What a call uses at most: no token is shorter than a byte. Without `maxOutputTokens` it is a guess on the safe side. */
export function mostTokens(request: ModelRequest): Estimate {
  return { input: Buffer.byteLength(toSent(request)), output: request.maxOutputTokens ?? LONG_OUTPUT };
}

function toSent({ system, messages, tools, outputSchema }: ModelRequest): string {
  return JSON.stringify({ system, messages, tools, outputSchema });
}
