import { getOwn, type Json, type JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { textOf } from "./n8n-document.ts";
import { type N8nReferences, translateValue } from "./n8n-expression.ts";

/** Expressions of n8n in a template; what stands between them is LangChain's. */
const EXPRESSION = /(\{\{(?:(?!\}\}).)*\}\})/s;

/**
 * The system prompt, translated, that a node was given, else one of ours.
 * @param names what stands for the variables of a template
 * @throws NoEquivalent for a variable that n8n would not know either
 */
export function systemPromptOf(
  { options }: JsonObject,
  otherwise: string,
  { names = {}, references }: { names?: Record<string, string>; references: N8nReferences },
): Json {
  const given = isObject(options) ? textOf(options.systemPromptTemplate) : undefined;
  if (given === undefined) return otherwise;
  const fill = (text: string): string =>
    text.replace(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g, (found, name: string | undefined) => {
      if (found === "{{" || found === "}}") return found.slice(1);
      // Our steps give the model its schema by themselves.
      if (name === "format_instructions") return "";
      const value = name === undefined ? undefined : getOwn(names, name);
      if (value === undefined) throw new NoEquivalent(`its system prompt has ${found}, which stands for nothing`);
      return value;
    });
  const text = given.startsWith("=")
    ? given
        .split(EXPRESSION)
        .map((part, index) => (index % 2 === 1 ? part : fill(part)))
        .join("")
    : fill(given);
  return translateValue(text, references);
}

/** Refuses messages that show the model a picture: messages here are text. @throws NoEquivalent */
export function refusePictures(messages: readonly JsonObject[]): void {
  const kinds = new Set(messages.map(({ messageType = "text" }) => messageType));
  if (kinds.has("imageBinary") || kinds.has("imageUrl"))
    throw new NoEquivalent("it shows the model a picture, and messages to models are text here");
}
