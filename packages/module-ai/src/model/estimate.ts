import type { ModelRequest } from "./model-request.ts";

export interface Estimate {
  input: number;
  output: number;
}

/** What a call uses at most. */
export interface Bound extends Estimate {
  /** A longer answer than this may come: nobody has said how long one can be. */
  guessed: boolean;
}

/** What an answer is taken to need when nobody has bounded it. */
const USUAL_OUTPUT = 4_096;
const LONG_OUTPUT = 16_384;

/** What a call will probably use: about four characters a token. */
export function expectedTokens(request: ModelRequest): Estimate {
  return {
    input: Math.ceil(toSent(request).length / 4) + fileTokens(request),
    output: request.maxOutputTokens ?? USUAL_OUTPUT,
  };
}

/**
 * What a call uses at most: no token is shorter than a byte, and no answer longer than asked for, else than the model can.
 * @param longest tokens of the model's longest answer; null: not known
 */
export function mostTokens(request: ModelRequest, longest: number | null): Bound {
  const output = request.maxOutputTokens ?? longest;
  return {
    input: Buffer.byteLength(toSent(request)) + fileTokens(request),
    output: output ?? LONG_OUTPUT,
    guessed: output === null,
  };
}

/** No vendor counts a picture of the size that is sent as more. */
const FILE_TOKENS = 5_000;

function fileTokens({ messages }: ModelRequest): number {
  const results = messages.flatMap((message) => (message.role === "tool" ? message.content : []));
  const asked = messages.flatMap(({ role, content }) =>
    role === "user" && typeof content !== "string" ? content : [],
  );
  const pictures = asked.filter(({ type }) => type === "image").length;
  return FILE_TOKENS * results.reduce((count, { files = [] }) => count + files.length, pictures);
}

function toSent({ system, messages, tools, outputSchema }: ModelRequest): string {
  return JSON.stringify({ system, messages, tools, outputSchema });
}
