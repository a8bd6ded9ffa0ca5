import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { joinTexts } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type MapNode, type N8nContext, toStep } from "./n8n-context.ts";
import { type N8nNode, textOf } from "./n8n-document.ts";
import { translateValue } from "./n8n-expression.ts";
import { answersJson } from "./n8n-openai-answers.ts";
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
  if (!isMessage(node)) {
    const { resource = "text", operation = "message" } = parameters;
    throw new NoEquivalent(`there is no node here that does ${String(resource)}: ${String(operation)}`);
  }
  const hasTools = context.document.helpers(node.name, "ai_tool").length > 0;
  const messages = messagesOf(node, context);
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content ?? "");
  const others = messages.filter(({ role }) => role !== "system");
  const input: Record<string, Json> = {
    ...(system.length === 0 ? {} : { system: joinTexts(system) }),
    messages: others.map(({ role, content }) => ({ role: role ?? "user", content: joinTexts([content ?? ""]) })),
    history: "none",
    ...settingsOf(node),
    ...(answersJson(node) ? { outputSchema: { type: "object" } } : {}),
  };
  if (others.length === 0) input.messages = [{ role: "user", content: "" }];
  context.reporter.setting(
    "model",
    `OpenAI: ${modelName(parameters)}`,
    "Choose a model for the steps that used it; until then they use the alias fast.",
    node.path,
  );
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

function modelName({ modelId, chatModel, model }: JsonObject): string {
  const given = modelId ?? chatModel ?? model;
  return textOf(isObject(given) ? given.value : given) ?? "its default";
}

/** @throws NoEquivalent */
function messagesOf({ parameters }: N8nNode, { references }: N8nContext): JsonObject[] {
  const given = parameters.messages ?? parameters.responses ?? parameters.prompt;
  const list = isObject(given) ? (given.values ?? given.messages) : undefined;
  const messages = (Array.isArray(list) ? list : []).filter(isObject);
  if (messages.length === 0) throw new NoEquivalent("it has no messages");
  return messages.map(({ role = "user", content = "", type = "text" }) => {
    if (type !== "text") throw new NoEquivalent("it shows the model a picture or a file");
    return {
      role: role === "assistant" || role === "system" ? role : "user",
      content: translateValue(content, references),
    };
  });
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
