import { isOvenError, type Json, readJson, refuseLongNumbers } from "@oven/contract";
import { type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import type { LanguageModelV4 } from "../providers/model-provider.ts";

/**
 * A model whose tool calls have the numbers that it wrote. The SDK parses arguments by itself and rounds: those with a number that would be
 * changed reach it with the number as text, where the tool takes text. Otherwise they reach it as the text that they were, like arguments
 * that are not JSON, so that the caller of the tool says to the model what is wrong.
 * @param schemaOf the schema of the arguments of a tool, by the name that the model knows
 */
export function withExactArguments(
  model: LanguageModelV4,
  schemaOf: (wireName: string) => Json | undefined,
): LanguageModelV4 {
  const fix = <Part extends { type: string }>(part: Part): Part =>
    isToolCall(part) ? { ...part, input: exactArguments(part.input, schemaOf(part.toolName)) } : part;
  const middleware: LanguageModelMiddleware = {
    specificationVersion: "v4",
    wrapGenerate: async ({ doGenerate }) => {
      const result = await doGenerate();
      return { ...result, content: result.content.map(fix) };
    },
    wrapStream: async ({ doStream }) => {
      const { stream, ...rest } = await doStream();
      const fixed = new TransformStream({ transform: (part, controller) => controller.enqueue(fix(part)) });
      return { ...rest, stream: stream.pipeThrough(fixed) };
    },
  };
  return wrapLanguageModel({ model, middleware });
}

function isToolCall(part: { type: string }): part is { type: "tool-call"; toolName: string; input: string } {
  return part.type === "tool-call" && "input" in part && typeof part.input === "string" && "toolName" in part;
}

function exactArguments(text: string, schema: Json | undefined): string {
  try {
    const { value, longNumbers, source } = readArguments(text);
    if (longNumbers.length === 0) return text;
    if (isTaken(longNumbers, schema)) return JSON.stringify(value);
    return JSON.stringify(source);
  } catch (error) {
    if (error instanceof SyntaxError || isOvenError(error)) return text;
    throw error;
  }
}

/** Arguments that a provider sends as an object are text in text by now (`exactArgumentsFetch`). */
function readArguments(text: string) {
  const read = readJson(text);
  if (typeof read.value !== "string") return { ...read, source: text };
  return { ...readJson(read.value), source: read.value };
}

function isTaken(longNumbers: Parameters<typeof refuseLongNumbers>[0], schema: Json | undefined): boolean {
  try {
    refuseLongNumbers(longNumbers, { schema });
    return true;
  } catch (error) {
    if (isOvenError(error)) return false;
    throw error;
  }
}
