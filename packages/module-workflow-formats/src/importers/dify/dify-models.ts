import { getOwn, type Json, type JsonObject, toSlug } from "@oven/contract";
import { isObject } from "@oven/engine";
import { insideText, joinTexts } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { DifyContext, MapNode } from "./dify-context.ts";
import { toStep } from "./dify-context.ts";
import { type DifyNode, objectsIn, selectorOf } from "./dify-document.ts";
import { mapMemory } from "./dify-memory.ts";
import { imagesOf } from "./dify-vision.ts";

/** Settings that each model here has, by their name there. */
const TAKEN: Record<string, { as: string; fits(value: number): boolean }> = {
  temperature: { as: "temperature", fits: (value) => value >= 0 && value <= 2 },
  top_p: { as: "topP", fits: (value) => value >= 0 && value <= 1 },
  max_tokens: { as: "maxOutputTokens", fits: (value) => Number.isInteger(value) && value > 0 },
  seed: { as: "seed", fits: Number.isInteger },
};

/** What a node is set to beside its prompts; what cannot be told here is added to the notes. */
export function settingsOf(
  { data, title, path }: DifyNode,
  { reporter }: DifyContext,
  notes: string[],
): Record<string, Json> {
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
  const others: string[] = [];
  for (const [key, value] of Object.entries(params)) {
    const taken = getOwn(TAKEN, key);
    if (taken !== undefined && typeof value === "number" && taken.fits(value)) settings[taken.as] = value;
    else others.push(key);
  }
  if (others.length > 0) notes.push(`Settings of its model were not imported: ${others.join(", ")}.`);
  return settings;
}

/** A classifier and an extractor may see the conversation in Dify; here they see the text alone. */
export function tellUnseen({ memory = null }: JsonObject, { isChat }: DifyContext, notes: string[]): void {
  if (isObject(memory) && isChat) notes.push("It saw the conversation before the text; here it sees the text alone.");
}

export const mapLlm: MapNode = (node, context) => {
  const { data } = node;
  const { data: variables } = context;
  const notes: string[] = [];
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
  const system: Json[] = [];
  const messages: Json[] = [];
  for (const { role, text, jinja2_text, edition_type } of prompts) {
    const content =
      edition_type === "jinja2"
        ? variables.jinja(String(jinja2_text ?? text ?? ""), jinja)
        : variables.template(String(text ?? ""), around);
    if (role === "system") system.push(content);
    else if (content !== "")
      messages.push({ role: role === "assistant" ? "assistant" : "user", content: joinTexts([content]) });
  }
  const structured =
    data.structured_output_enabled === true && isObject(data.structured_output)
      ? data.structured_output.schema
      : undefined;
  const input: Record<string, Json> = {
    ...(system.length === 0 ? {} : { system: joinTexts(system) }),
    ...settingsOf(node, context, notes),
    ...(isObject(structured) ? { outputSchema: structured } : {}),
    ...imagesOf(node, context, notes),
    history: "none",
  };
  const { memory } = data;
  if (isObject(memory)) return mapMemory(node, context, { memory, messages, input, notes });
  if (messages.length === 0) {
    notes.push("It has no prompt of a user: its model gets an empty one.");
    messages.push({ role: "user", content: "" });
  }
  return { ...toStep(node, context, "agent.llm", { ...input, messages }), notes };
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
  const notes: string[] = [];
  tellUnseen(data, context, notes);
  const more =
    typeof data.instruction === "string" && data.instruction !== ""
      ? `\n\n${insideText(context.data.template(data.instruction))}`
      : "";
  const input = {
    system: `Say which category the text belongs to.${more}`,
    ...settingsOf(node, context, notes),
    messages: [{ role: "user", content: joinTexts([context.data.path(query)]) }],
    ...imagesOf(node, context, notes),
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
  return { invoke: { src: "agent.llm", input }, ways, notes };
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
          : (getOwn(TYPES, String(type)) ?? { type: "string" })),
        ...(typeof description === "string" && description !== "" ? { description } : {}),
      },
    ]),
  );
  const required = parameters.filter((one) => one.required === true).map(({ name }) => String(name ?? ""));
  const notes: string[] = [];
  tellUnseen(data, context, notes);
  if (data.reasoning_mode === "prompt")
    notes.push("It asked by a prompt of its own; here the answer has to fit a schema.");
  const instruction =
    typeof data.instruction === "string" && data.instruction !== ""
      ? `\n\n${insideText(context.data.template(data.instruction))}`
      : "";
  const input = {
    system: `Take the values that the schema asks for out of the text.${instruction}`,
    ...settingsOf(node, context, notes),
    messages: [{ role: "user", content: joinTexts([context.data.path(query)]) }],
    ...imagesOf(node, context, notes),
    history: "none",
    outputSchema: { type: "object", properties, ...(required.length === 0 ? {} : { required }) },
  };
  return { ...toStep(node, context, "agent.llm", input), notes };
};

export const mapKnowledge: MapNode = (node, context) => {
  const { data, title, path } = node;
  const query = selectorOf(data.query_variable_selector);
  if (query === undefined) throw new NoEquivalent("it has no query");
  const filtered = data.metadata_filtering_mode ?? "disabled";
  // Without its filter it would find what it must not.
  if (filtered !== "disabled") throw new NoEquivalent(`it filters by metadata (${String(filtered)})`);
  const store = toSlug(title);
  const count = Array.isArray(data.dataset_ids) ? data.dataset_ids.length : 0;
  const advice = `Make a vector store with the slug ${store} and fill it${count > 1 ? ` from ${count} datasets` : ""}; datasets are not imported.`;
  context.reporter.setting("knowledge", title, advice, path);
  const notes = [advice, "What it finds has `text`, `score` and `metadata`, where Dify has `content` and `title`."];
  const input: Record<string, Json> = { store, query: context.data.path(query), history: "none" };
  if (data.retrieval_mode === "single")
    notes.push("A model chose one of its datasets for each question; here the one store is searched.");
  else Object.assign(input, searchOf(data.multiple_retrieval_config, notes));
  if ((isObject(data.vision) && data.vision.enabled === true) || selectorOf(data.query_attachment_selector))
    notes.push("It searched by pictures, too; here by text.");
  return { ...toStep(node, context, "agent.rag", input), notes };
};

function searchOf(value: Json | undefined, notes: string[]): Record<string, Json> {
  const given = isObject(value) ? value : {};
  const input: Record<string, Json> = {};
  if (typeof given.top_k === "number" && given.top_k >= 1) input.topK = Math.min(100, Math.trunc(given.top_k));
  if (given.score_threshold_enabled !== false && typeof given.score_threshold === "number") {
    input.minScore = given.score_threshold;
    notes.push("Its score threshold is that of other embeddings: try it out with those of the store.");
  }
  if (given.reranking_mode === "weighted_score")
    notes.push("It weighed meaning and words by numbers of its own; here both orders are fused (mode hybrid).");
  else if (given.reranking_enable === true) {
    input.rerank = true;
    notes.push("Its rerank model was not imported: a language model (the alias fast) puts the matches in order.");
  }
  return input;
}
