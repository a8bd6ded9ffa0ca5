import { type Json, type JsonObject, toSlug } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../no-equivalent.ts";
import type { DifyContext, MapNode } from "./dify-context.ts";
import { toStep } from "./dify-context.ts";
import { type DifyNode, objectsIn, selectorOf } from "./dify-document.ts";

function settingsOf({ data, title, path }: DifyNode, { reporter }: DifyContext): Record<string, Json> {
  const { model } = data;
  if (!isObject(model)) return {};
  const name = [model.provider, model.name].filter((text) => typeof text === "string").join(": ");
  reporter.setting(
    "model",
    name || title,
    "Choose a model for the steps that used it; until then they use the alias fast.",
    path,
  );
  const params = isObject(model.completion_params) ? model.completion_params : {};
  const settings: Record<string, Json> = {};
  const take = (key: string, value: Json | undefined, fits: (number: number) => boolean): void => {
    if (typeof value === "number" && fits(value)) settings[key] = value;
  };
  take("temperature", params.temperature, (value) => value >= 0 && value <= 2);
  take("topP", params.top_p, (value) => value >= 0 && value <= 1);
  take("maxOutputTokens", params.max_tokens, (value) => value > 0);
  return settings;
}

const asText = (value: Json): string =>
  typeof value === "string"
    ? /^\$[.[]\S*$/.test(value)
      ? `{{ ${value} }}`
      : value
    : String(isObject(value) ? (value.$literal ?? "") : value);

export const mapLlm: MapNode = (node, context) => {
  const { data } = node;
  const { data: variables } = context;
  const notes: string[] = [];
  if (isObject(data.vision) && data.vision.enabled === true) throw new NoEquivalent("it looks at files");
  const around =
    isObject(data.context) && data.context.enabled === true ? selectorOf(data.context.variable_selector) : undefined;
  const given = data.prompt_template;
  const prompts = Array.isArray(given) ? given.filter(isObject) : isObject(given) ? [{ ...given, role: "user" }] : [];
  const jinja = isObject(data.prompt_config)
    ? objectsIn(data.prompt_config.jinja2_variables).flatMap(({ variable, value_selector }) => {
        const selector = selectorOf(value_selector);
        return typeof variable === "string" && selector !== undefined ? [{ name: variable, selector }] : [];
      })
    : [];
  const system: string[] = [];
  const messages: Json[] = [];
  for (const { role, text, jinja2_text, edition_type } of prompts) {
    const content =
      edition_type === "jinja2"
        ? variables.jinja(String(jinja2_text ?? text ?? ""), jinja)
        : variables.template(String(text ?? ""), around);
    if (role === "system") system.push(asText(content));
    else if (content !== "") messages.push({ role: role === "assistant" ? "assistant" : "user", content });
  }
  const structured =
    data.structured_output_enabled === true && isObject(data.structured_output)
      ? data.structured_output.schema
      : undefined;
  const input: Record<string, Json> = {
    ...(system.length === 0 ? {} : { system: system.join("\n\n") }),
    ...settingsOf(node, context),
    ...(isObject(structured) ? { outputSchema: structured } : {}),
    history: "none",
  };
  const { memory } = data;
  if (!isObject(memory)) {
    if (messages.length === 0) messages.push({ role: "user", content: context.isChat ? "$.trigger.message" : "" });
    return { ...toStep(node, context, "agent.llm", { ...input, messages }), notes };
  }
  const asked = memory.query_prompt_template;
  const isPlain = typeof asked !== "string" || /^\s*\{\{#sys\.query#\}\}(?:\s*\{\{#sys\.files#\}\})?\s*$/.test(asked);
  if (!isPlain || messages.length > 0) throw new NoEquivalent("it puts the conversation between prompts of its own");
  notes.push("It sees the conversation that the run was started with.");
  return { ...toStep(node, context, "agent.llm", input), notes };
};

export const mapClassifier: MapNode = (node, context) => {
  const { data, id } = node;
  const query = selectorOf(data.query_variable_selector);
  const classes = objectsIn(data.classes).map((one) => ({
    id: String(one.id ?? ""),
    name: String(one.name ?? one.id ?? ""),
  }));
  if (query === undefined || classes.length === 0) throw new NoEquivalent("it has no question or no classes");
  if (new Set(classes.map(({ name }) => name)).size < classes.length)
    throw new NoEquivalent("two of its classes have one name");
  const more =
    typeof data.instruction === "string" && data.instruction !== ""
      ? `\n\n${asText(context.data.template(data.instruction))}`
      : "";
  const input = {
    system: `Say which category the text belongs to.${more}`,
    ...settingsOf(node, context),
    messages: [{ role: "user", content: context.data.path(query) }],
    history: "none",
    outputSchema: {
      type: "object",
      properties: { category: { enum: classes.map(({ name }) => name) } },
      required: ["category"],
    },
  };
  const ways = classes.map((one) => ({
    guard: {
      type: "condition" as const,
      params: { key: "$.output.object.category", operator: "==" as const, value: one.name },
    },
    targets: context.document.outputs(id, one.id),
  }));
  return { invoke: { src: "agent.llm", input }, ways };
};

const TYPES: Record<string, JsonObject> = {
  string: { type: "string" },
  number: { type: "number" },
  bool: { type: "boolean" },
  boolean: { type: "boolean" },
  "array[string]": { type: "array", items: { type: "string" } },
  "array[number]": { type: "array", items: { type: "number" } },
  "array[object]": { type: "array", items: { type: "object" } },
};

export const mapExtractor: MapNode = (node, context) => {
  const { data } = node;
  const query = selectorOf(data.query);
  const parameters = objectsIn(data.parameters);
  if (query === undefined || parameters.length === 0) throw new NoEquivalent("it has no text or no parameters");
  const properties: JsonObject = Object.fromEntries(
    parameters.map(({ name, type, description, options }) => [
      String(name ?? ""),
      {
        ...(Array.isArray(options) && options.length > 0
          ? { enum: options }
          : (TYPES[String(type)] ?? { type: "string" })),
        ...(typeof description === "string" && description !== "" ? { description } : {}),
      },
    ]),
  );
  const required = parameters.filter((one) => one.required === true).map(({ name }) => String(name ?? ""));
  const told =
    typeof data.instruction === "string" && data.instruction !== ""
      ? `\n\n${asText(context.data.template(data.instruction))}`
      : "";
  const input = {
    system: `Take the values that the schema asks for out of the text.${told}`,
    ...settingsOf(node, context),
    messages: [{ role: "user", content: context.data.path(query) }],
    history: "none",
    outputSchema: { type: "object", properties, ...(required.length === 0 ? {} : { required }) },
  };
  return toStep(node, context, "agent.llm", input);
};

export const mapAgent: MapNode = (node, context) => {
  const given = isObject(node.data.agent_parameters) ? node.data.agent_parameters : {};
  const parameter = (key: string): Json => {
    const one = given[key];
    return isObject(one) ? (one.value ?? "") : "";
  };
  const tools = objectsIn(parameter("tools")).filter(({ enabled }) => enabled !== false);
  const names = tools.map((tool) => String(tool.tool_label ?? tool.tool_name ?? "tool"));
  for (const name of names)
    context.reporter.setting(
      "tool",
      name,
      `Choose a tool that does the same for “${node.title}”, or add one.`,
      node.path,
    );
  if (names.length > 0)
    throw new NoEquivalent(
      `its tools have to be chosen: ${names.join(", ")}. Replace it by a tool loop (agent.toolLoop) with them`,
    );
  const query = parameter("query");
  const selector = selectorOf(query);
  const content = selector === undefined ? context.data.value(query) : context.data.path(selector);
  const model = parameter("model");
  const settings = settingsOf(
    { ...node, data: { model: isObject(model) ? { ...model, name: model.model ?? null } : model } },
    context,
  );
  const system = context.data.value(parameter("instruction"));
  const input = {
    ...(system === "" ? {} : { system }),
    ...settings,
    messages: [{ role: "user", content }],
    history: "none",
  };
  return toStep(node, context, "agent.llm", input);
};

export const mapKnowledge: MapNode = (node, context) => {
  const { data, title, path } = node;
  const query = selectorOf(data.query_variable_selector);
  if (query === undefined) throw new NoEquivalent("it has no query");
  const store = toSlug(title);
  const many = isObject(data.multiple_retrieval_config) ? data.multiple_retrieval_config : {};
  const count = Array.isArray(data.dataset_ids) ? data.dataset_ids.length : 0;
  const advice = `Make a vector store with the slug ${store} and fill it${count > 1 ? ` from ${count} datasets` : ""}; datasets are not imported.`;
  context.reporter.setting("knowledge", title, advice, path);
  const input: Record<string, Json> = { store, query: context.data.path(query), history: "none" };
  if (typeof many.top_k === "number" && many.top_k >= 1) input.topK = Math.min(100, Math.trunc(many.top_k));
  if (many.score_threshold_enabled === true && typeof many.score_threshold === "number")
    input.minScore = many.score_threshold;
  if (many.reranking_enable === true) input.rerank = true;
  return { ...toStep(node, context, "agent.rag", input), notes: [advice] };
};
