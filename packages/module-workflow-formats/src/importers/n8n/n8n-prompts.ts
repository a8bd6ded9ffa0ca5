import { getOwn, type Json, type JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { N8nContext } from "./n8n-context.ts";
import { type N8nNode, textOf } from "./n8n-document.ts";
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

/** The picture that a message shows the model; undefined: it is text. @throws NoEquivalent where it cannot be said where it stands */
export function pictureIn(message: JsonObject, { references, fileOf }: N8nContext): Json | undefined {
  const { messageType = "text", imageUrl, binaryImageDataKey = "data" } = message;
  if (messageType === "imageUrl") return translateValue(imageUrl ?? "", references);
  if (messageType !== "imageBinary") return undefined;
  const file = fileOf(String(binaryImageDataKey));
  if (typeof file !== "string")
    throw new NoEquivalent("it shows the model a picture, and where that stands is not sure");
  return file;
}

/** Settings of the model that hangs on a node. Which model it is has to be said here. */
export function modelOf(node: N8nNode, { document, reporter }: N8nContext, notes: string[]): Record<string, Json> {
  const models = document.helpers(node.name, "ai_languageModel");
  const [model] = models;
  if (model === undefined) return {};
  const { parameters, type, path } = model;
  const given = isObject(parameters.model) ? parameters.model.value : (parameters.model ?? parameters.modelName);
  const name = `${type.replace("langchain.", "")}: ${textOf(given) ?? "its default"}`;
  reporter.setting(
    "model",
    name,
    "Choose a model for the steps that used it; until then they use the alias fast.",
    path,
  );
  reporter.element({ name: model.name, type: model.fullType, path }, "noted", null, [
    `Part of “${node.name}”. Its model and its key were not imported.`,
  ]);
  if (models.length > 1) notes.push("Its fallback models were left out.");
  const options = isObject(parameters.options) ? parameters.options : {};
  const settings: Record<string, Json> = {};
  const take = (key: string, value: Json | undefined, fits: (number: number) => boolean): void => {
    if (typeof value === "number" && fits(value)) settings[key] = value;
  };
  take("temperature", options.temperature, (value) => value >= 0 && value <= 2);
  take("topP", options.topP, (value) => value >= 0 && value <= 1);
  take(
    "maxOutputTokens",
    options.maxTokens ?? options.maxTokensToSample ?? options.maxOutputTokens,
    (value) => value > 0,
  );
  return settings;
}

/** What a node asks a model. @throws NoEquivalent */
export function promptOf(node: N8nNode, { references }: N8nContext): Json {
  const { parameters } = node;
  const text = textOf(parameters.text) ?? textOf(parameters.prompt);
  if (text !== undefined && parameters.promptType !== "auto") return translateValue(text, references);
  const path = references.pathOf(undefined, ["chatInput"]);
  if (path === undefined) throw new NoEquivalent("where its prompt comes from is not sure");
  return path;
}
