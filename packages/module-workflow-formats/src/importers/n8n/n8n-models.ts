import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import type { Way } from "../../importing/graph/graph-parts.ts";
import { escapeTemplate, joinTexts } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { MapNode, Mapped, N8nContext } from "./n8n-context.ts";
import { toStep } from "./n8n-context.ts";
import { textOf } from "./n8n-document.ts";
import { translateValue } from "./n8n-expression.ts";
import { schemaIn, schemaOf } from "./n8n-parsers.ts";
import { modelOf, pictureIn, promptOf, systemPromptOf } from "./n8n-prompts.ts";
import { toolsOf } from "./n8n-tools.ts";

/** Without a memory a model of n8n sees what it is asked, and nothing of earlier steps. */
function askedAlone(prompt: Json): Record<string, Json> {
  return { messages: [{ role: "user", content: joinTexts([prompt]) }], history: "none" };
}

export const mapAgent: MapNode = (node, context) => {
  const { document, reporter, references, isChat } = context;
  const options = isObject(node.parameters.options) ? node.parameters.options : {};
  const notes: string[] = [];
  if (options.passthroughBinaryImages === true)
    notes.push("Pictures that came with an item are not shown to the model.");
  const prompt = promptOf(node, context);
  const input: Record<string, Json> = {
    ...(textOf(options.systemMessage) === undefined
      ? {}
      : { system: joinTexts([translateValue(options.systemMessage ?? "", references)]) }),
    ...modelOf(node, context, notes),
    ...schemaOf(node, context, notes),
  };
  const [memory] = document.helpers(node.name, "ai_memory");
  if (memory !== undefined) {
    const note = isChat
      ? "The conversation that a chat or an agent starts the run with takes its place."
      : "A run begins with an empty conversation, unless it is started with `messages`.";
    reporter.element({ name: memory.name, type: memory.fullType, path: memory.path }, "noted", null, [note]);
  }
  // The conversation that a chat starts the run with already ends with the message.
  const said: Record<string, Json> =
    memory !== undefined && isChat && prompt === "$.trigger.message" ? {} : { prompt: joinTexts([prompt]) };
  const helpers = document.helpers(node.name, "ai_tool");
  if (helpers.length === 0) {
    const asked = memory === undefined ? askedAlone(prompt) : said;
    return { ...toStep(node, context, "agent.llm", { ...input, ...asked }), notes };
  }
  const tools = toolsOf(node, context);
  const { maxIterations } = options;
  const limit: Record<string, Json> =
    typeof maxIterations === "number" && maxIterations >= 1 ? { maxIterations: Math.trunc(maxIterations) } : {};
  return { ...toStep(node, context, "agent.toolLoop", { ...input, ...said, ...tools, ...limit }), notes };
};

export const mapChain: MapNode = (node, context) => {
  const { references } = context;
  const notes: string[] = [];
  const given = isObject(node.parameters.messages) ? node.parameters.messages.messageValues : undefined;
  const messages = Array.isArray(given) ? given.filter(isObject) : [];
  const images = messages.flatMap((message) => pictureIn(message, context) ?? []);
  const system: Json[] = [];
  const before: Json[] = [];
  for (const item of messages) {
    if (item.messageType === "imageUrl" || item.messageType === "imageBinary") continue;
    const content = translateValue(item.message ?? "", references);
    const type = String(item.type ?? "SystemMessagePromptTemplate");
    if (type.startsWith("System")) system.push(content);
    else before.push({ role: type.startsWith("AI") ? "assistant" : "user", content: joinTexts([content]) });
  }
  const input: Record<string, Json> = {
    ...(system.length === 0 ? {} : { system: joinTexts(system) }),
    ...modelOf(node, context, notes),
    ...schemaOf(node, context, notes),
    messages: [...before, { role: "user", content: joinTexts([promptOf(node, context)]) }],
    history: "none",
    ...(images.length === 0 ? {} : { images }),
  };
  return { ...toStep(node, context, "agent.llm", input), notes };
};

export const mapExtractor: MapNode = (node, context) => {
  const { parameters } = node;
  const notes: string[] = [];
  const text = translateValue(parameters.text ?? "", context.references);
  const attributes = isObject(parameters.attributes) ? parameters.attributes.attributes : undefined;
  const outputSchema =
    Array.isArray(attributes) && (parameters.schemaType ?? "fromAttributes") === "fromAttributes"
      ? schemaOfAttributes(attributes.filter(isObject), context)
      : schemaIn(parameters, context.references);
  const system = systemPromptOf(
    parameters,
    "Take the values that the schema asks for out of the text. Leave out what the text does not say.",
    context,
  );
  const input = { system: joinTexts([system]), ...modelOf(node, context, notes), ...askedAlone(text), outputSchema };
  return { ...toStep(node, context, "agent.llm", input), notes };
};

/** @throws NoEquivalent where a name is computed */
function schemaOfAttributes(attributes: readonly JsonObject[], { references }: N8nContext): JsonObject {
  const properties: JsonObject = {};
  for (const { name, type, description } of attributes) {
    if (String(name ?? "").startsWith("=")) throw new NoEquivalent("the name of an attribute is computed");
    setOwn(properties, String(name ?? ""), {
      type: type === "number" || type === "boolean" ? type : "string",
      ...(typeof description === "string" ? { description: joinTexts([translateValue(description, references)]) } : {}),
    });
  }
  const required = attributes.filter((item) => item.required === true).map(({ name }) => String(name ?? ""));
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

/** Asks for one of its classes, and leads where that class does. A text that fits none has a way of its own. */
export const mapClassifier: MapNode = (node, context): Mapped => {
  const { parameters } = node;
  const notes: string[] = [];
  const given = isObject(parameters.categories) ? parameters.categories.categories : undefined;
  const classes = (Array.isArray(given) ? given.filter(isObject) : []).map(({ category, description }) => ({
    name: String(category ?? ""),
    about: typeof description === "string" ? description : "",
  }));
  if (classes.length === 0) throw new NoEquivalent("it has no categories");
  const options = isObject(parameters.options) ? parameters.options : {};
  if (options.multiClass === true) throw new NoEquivalent("it may choose several categories at once");
  const text = translateValue(parameters.inputText ?? "", context.references);
  const names = classes.map(({ name }) => name);
  const none = ["none", "none of them", "no category"].find((word) => !names.includes(word)) ?? "";
  const asked = systemPromptOf(parameters, "Say which category the text belongs to.", {
    ...{ references: context.references, names: { categories: names.join(", ") } },
  });
  const listed = [...classes, { name: none, about: "no category fits" }]
    .map(({ name, about }) => `- ${name}${about && `: ${about}`}`)
    .join("\n");
  const input = {
    system: joinTexts([asked, escapeTemplate(listed)], "\n"),
    ...modelOf(node, context, notes),
    ...askedAlone(text),
    outputSchema: { type: "object", properties: { category: { enum: [...names, none] } }, required: ["category"] },
  };
  const ways: Way[] = names.map((name, index) => ({
    guard: {
      type: "condition" as const,
      params: { key: "$.output.object.category", operator: "==" as const, value: name },
    },
    targets: context.document.outputs(node.name, index),
  }));
  const other = options.fallback === "other" ? context.document.outputs(node.name, names.length) : [];
  return {
    invoke: { src: "agent.llm", input },
    ways: [...ways, { targets: other }],
    notes,
  };
};
