import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { joinTexts } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type MapNode, type Mapped, type N8nContext, toStep } from "./n8n-context.ts";
import { type N8nNode, textOf } from "./n8n-document.ts";
import { translateValue } from "./n8n-expression.ts";
import { answersJson, asksAboutFile } from "./n8n-openai-answers.ts";
import { pictureIn } from "./n8n-prompts.ts";
import { toolsOf } from "./n8n-tools.ts";

/** Whether a node sends messages to a model of OpenAI, in its older or its current form. */
function isMessage({ type, parameters: { resource, operation } }: N8nNode): boolean {
  if (type === "openAi") return resource === "chat" && (operation ?? "complete") === "complete";
  return (
    (resource ?? "text") === "text" && ["message", "response", undefined].includes(operation as string | undefined)
  ); // cast: compared as such
}

/** The node of OpenAI that asks a model. */
export const mapOpenAi: MapNode = (node, context) => {
  const { parameters } = node;
  if (asksAboutFile(node)) return mapPicture(node, context);
  if (!isMessage(node)) {
    const { resource = "text", operation = "message" } = parameters;
    throw new NoEquivalent(`there is no node here that does ${String(resource)}: ${String(operation)}`);
  }
  const hasTools = context.document.helpers(node.name, "ai_tool").length > 0;
  const given = messagesOf(node);
  const images = given.flatMap((message) => pictureOf(message, context) ?? []);
  const messages = given.filter(({ type }) => type !== "image").map((message) => toMessage(message, context));
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content ?? "");
  const others = messages.filter(({ role }) => role !== "system");
  const input: Record<string, Json> = {
    ...(system.length === 0 ? {} : { system: joinTexts(system) }),
    messages: others.map(({ role, content }) => ({ role: role ?? "user", content: joinTexts([content ?? ""]) })),
    history: "none",
    ...(images.length === 0 ? {} : { images }),
    ...settingsOf(node),
    ...(answersJson(node) ? { outputSchema: { type: "object" } } : {}),
  };
  if (others.length === 0) input.messages = [{ role: "user", content: "" }];
  tellModel(node, context);
  if (hasTools && images.length > 0) throw new NoEquivalent("it has tools, and shows the model a picture");
  if (!hasTools) return toStep(node, context, "agent.llm", input);
  const { messages: asked, history: _alone, ...settings } = input;
  const [only, ...more] = others;
  if (only?.role !== "user" || more.length > 0 || asked === undefined)
    throw new NoEquivalent("it has tools and several messages: a tool loop (agent.toolLoop) is asked one");
  const tools = toolsOf(node, context);
  return toStep(node, context, "agent.toolLoop", {
    ...settings,
    prompt: joinTexts([only.content ?? ""]),
    ...tools,
  });
};

/** A question about pictures that came in as files. @throws NoEquivalent where one of them does not stand in a run */
function mapPicture(node: N8nNode, context: N8nContext): Mapped {
  const { parameters, version } = node;
  if (version >= 2 && version !== Number.POSITIVE_INFINITY)
    throw new NoEquivalent("there is no node here that does image: analyze as its version 2 does");
  const { text = "What's in this image?", binaryPropertyName = "data", options } = parameters;
  const names = String(binaryPropertyName)
    .split(",")
    .map((name) => name.trim());
  const images = names.map((binaryImageDataKey) =>
    pictureIn({ messageType: "imageBinary", binaryImageDataKey }, context),
  );
  const given = isObject(options) ? options : {};
  tellModel(node, context);
  const input: Record<string, Json> = {
    messages: [{ role: "user", content: joinTexts([translateValue(text, context.references)]) }],
    ...{ history: "none", images: images.filter((image) => image !== undefined) },
    maxOutputTokens: typeof given.maxTokens === "number" && given.maxTokens > 0 ? given.maxTokens : 300,
  };
  const { detail = "auto" } = given;
  const notes = detail === "auto" ? [] : ["How closely the model looks (Detail) is not set here."];
  return { ...toStep(node, context, "agent.llm", input), notes };
}

function tellModel({ parameters, path }: N8nNode, { reporter }: N8nContext): void {
  const advice = "Choose a model for the steps that used it; until then they use the alias fast.";
  reporter.setting("model", `OpenAI: ${modelName(parameters)}`, advice, path);
}

function modelName({ modelId, chatModel, model }: JsonObject): string {
  const given = modelId ?? chatModel ?? model;
  return textOf(isObject(given) ? given.value : given) ?? "its default";
}

/** @throws NoEquivalent */
function messagesOf({ parameters }: N8nNode): JsonObject[] {
  const given = parameters.messages ?? parameters.responses ?? parameters.prompt;
  const list = isObject(given) ? (given.values ?? given.messages) : undefined;
  const messages = (Array.isArray(list) ? list : []).filter(isObject);
  if (messages.length === 0) throw new NoEquivalent("it has no messages");
  return messages;
}

/** The picture of a message of version 2; undefined: it is text. @throws NoEquivalent */
function pictureOf(message: JsonObject, context: N8nContext): Json | undefined {
  const { type = "text", imageType = "url", imageUrl, binaryPropertyName = "data" } = message;
  if (type !== "image") return undefined;
  if (imageType === "url") return pictureIn({ messageType: "imageUrl", imageUrl: imageUrl ?? "" }, context);
  if (imageType === "base64")
    return pictureIn({ messageType: "imageBinary", binaryImageDataKey: binaryPropertyName }, context);
  throw new NoEquivalent("it shows the model a picture that OpenAI stores");
}

function toMessage({ role = "user", content = "", type = "text" }: JsonObject, { references }: N8nContext): JsonObject {
  if (type !== "text") throw new NoEquivalent("it shows the model a file");
  return {
    role: role === "assistant" || role === "system" ? role : "user",
    content: translateValue(content, references),
  };
}

function settingsOf({ parameters }: N8nNode): JsonObject {
  const options = isObject(parameters.options) ? parameters.options : {};
  const { temperature, topP, maxTokens, maxToolsIterations: _tools } = options;
  return {
    ...(typeof temperature === "number" && temperature >= 0 && temperature <= 2 ? { temperature } : {}),
    ...(typeof topP === "number" && topP >= 0 && topP <= 1 ? { topP } : {}),
    ...(typeof maxTokens === "number" && maxTokens > 0 ? { maxOutputTokens: maxTokens } : {}),
  };
}
