import { type Json, type JsonObject, parseJson } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import { insideText, joinTexts } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { toolsOf, toToolLoop } from "./flowise-agents.ts";
import { type FlowiseContext, type MapNode, toStep, updatesOf } from "./flowise-context.ts";
import { type FlowiseNode, objectsIn, textOf } from "./flowise-document.ts";

/** Nodes whose answers become part of the conversation. */
const SPEAKERS = new Set(["llmAgentflow", "agentAgentflow"]);
/** Settings that each model here has, by their name there. */
const TAKEN: readonly (readonly [name: string, as: string, fits: (value: number) => boolean])[] = [
  ["temperature", "temperature", (value) => value >= 0 && value <= 2],
  ["topP", "topP", (value) => value >= 0 && value <= 1],
  ["maxTokens", "maxOutputTokens", (value) => Number.isInteger(value) && value > 0],
  ["maxOutputTokens", "maxOutputTokens", (value) => Number.isInteger(value) && value > 0],
  ["maxTokensToSample", "maxOutputTokens", (value) => Number.isInteger(value) && value > 0],
];
/** What says where a model is and how its answers arrive, not what it answers. */
const ASIDE =
  /^(modelName|customModelName|streaming|credential|cache|allowImageUploads|imageResolution|FLOWISE_CREDENTIAL_ID|basepath|proxyUrl|baseOptions|timeout|budgetTokens|\w+Model)$/;

/** @param prefix `llm`, `agent` or `conditionAgent`, with which the fields of its inputs begin */
function settingsOf(
  { inputs, label, path }: FlowiseNode,
  prefix: string,
  { reporter }: FlowiseContext,
  notes: string[],
) {
  const given = inputs[`${prefix}ModelConfig`];
  const config = isObject(given) ? given : {};
  const name = [inputs[`${prefix}Model`], config.modelName].map(textOf).filter((text) => text !== "");
  const advice = "Choose a model for the steps that used it; until then they use the alias fast.";
  reporter.setting("model", name.join(": ") || label, advice, path);
  const settings: Record<string, Json> = {};
  const others: string[] = [];
  for (const [key, value] of Object.entries(config)) {
    if (value === "" || value === null || value === false || ASIDE.test(key)) continue;
    const taken = TAKEN.find(([own, , fits]) => own === key && fits(Number(value)));
    if (taken === undefined) others.push(key);
    else settings[taken[1]] = Number(value);
  }
  if (others.length > 0) notes.push(`Settings of its model were not imported: ${others.join(", ")}.`);
  return settings;
}

/** Whether a node is the first of a run to speak, on all ways to it, on some or on none. */
function isFirst(node: FlowiseNode, { document }: FlowiseContext): boolean | undefined {
  const ways = { quiet: false, spoken: false };
  const seen = new Set<string>();
  const look = (id: string, hasSpoken: boolean): void => {
    if (seen.has(`${id} ${hasSpoken}`)) return;
    seen.add(`${id} ${hasSpoken}`);
    if (id === node.id) ways[hasSpoken ? "spoken" : "quiet"] = true;
    const type = document.nodes.get(id)?.type ?? "";
    const after = hasSpoken || SPEAKERS.has(type);
    const inner = type === "iterationAgentflow" ? document.bodyOf(id) : [];
    const back = type === "loopAgentflow" ? [loopTarget(document.nodes.get(id))] : [];
    for (const next of [...document.outputs(id), ...inner, ...back]) look(next, after);
  };
  for (const { id, type } of document.nodes.values()) if (type === "startAgentflow") look(id, false);
  return ways.quiet && ways.spoken ? undefined : ways.quiet;
}

/** `loopAgentflow` names the node that it leads back to, and its label. */
export function loopTarget(node: FlowiseNode | undefined): string {
  return textOf(node?.inputs.loopBackToNode).split("-")[0] ?? "";
}

const TYPES: Record<string, JsonObject> = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  stringArray: { type: "array", items: { type: "string" } },
};

/** @throws NoEquivalent */
function outputSchema(field: Json | undefined): JsonObject | undefined {
  const fields = objectsIn(field);
  if (fields.length === 0) return undefined;
  const properties: JsonObject = {};
  for (const { key, type, enumValues, description, jsonSchema } of fields) {
    const about: JsonObject = textOf(description) === "" ? {} : { description: textOf(description) };
    const choices = textOf(enumValues)
      .split(",")
      .map((one) => one.trim());
    const known = type === "enum" ? { enum: choices } : type === "jsonArray" ? listOf(jsonSchema) : TYPES[textOf(type)];
    if (known === undefined) throw new NoEquivalent(`its answer has a field of the type ${textOf(type)}`);
    properties[textOf(key)] = { ...known, ...about };
  }
  return { type: "object", properties, required: Object.keys(properties) };
}

/** The schema of a list of objects, whose fields are written as `{name: {type, required, description}}`. */
function listOf(text: Json | undefined): JsonObject {
  const properties: JsonObject = {};
  const required: string[] = [];
  let given: Json;
  try {
    given = parseJson(textOf(text));
  } catch {
    throw new NoEquivalent("the schema of its answer is no JSON");
  }
  for (const [key, field] of Object.entries(isObject(given) ? given : {})) {
    const known = isObject(field) ? TYPES[textOf(field.type)] : undefined;
    if (!isObject(field) || known === undefined) throw new NoEquivalent("the schema of its answer is nested");
    properties[key] = {
      ...known,
      ...(textOf(field.description) === "" ? {} : { description: textOf(field.description) }),
    };
    if (field.required === true) required.push(key);
  }
  return { type: "array", items: { type: "object", properties, ...(required.length === 0 ? {} : { required }) } };
}

/** @throws NoEquivalent for what an agent does beside asking a model and calling tools */
function refuseKnowledge({ inputs }: FlowiseNode): void {
  const stores = [inputs.agentKnowledgeDocumentStores, inputs.agentKnowledgeVSEmbeddings].flatMap(objectsIn);
  if (stores.length > 0) throw new NoEquivalent("it searches knowledge: replace it by a tool loop with a search tool");
  const builtIn = Object.entries(inputs).filter(
    ([key, value]) => key.startsWith("agentToolsBuiltIn") && isListed(value),
  );
  if (builtIn.length > 0) throw new NoEquivalent("it uses tools of the model's vendor");
}

function isListed(value: Json): boolean {
  return Array.isArray(value) ? value.length > 0 : typeof value === "string" && value !== "" && value !== "[]";
}

/** A model that is asked, as a node LLM or as an agent without tools. */
const mapModel =
  (prefix: "llm" | "agent"): MapNode =>
  (node, context) => {
    const { inputs } = node;
    const { data, isChat, stateOf } = context;
    if (prefix === "agent") refuseKnowledge(node);
    const notes: string[] = [];
    const tools = prefix === "agent" ? toolsOf(node, context, notes) : undefined;
    const field = (name: string) => inputs[`${prefix}${name}`];
    const system: Json[] = [];
    const messages: Json[] = [];
    for (const { role, content } of objectsIn(field("Messages"))) {
      if (textOf(content) === "") continue;
      const text = data.template(content, node);
      // Each prompt of the system is put before those before it.
      if (role === "system") system.unshift(text);
      else messages.push({ role: role === "assistant" ? "assistant" : "user", content: joinTexts([text]) });
    }
    const schema = outputSchema(field("StructuredOutput"));
    const input: Record<string, Json> = {
      ...(system.length === 0 ? {} : { system: joinTexts(system) }),
      ...settingsOf(node, prefix, context, notes),
      ...(schema === undefined ? {} : { outputSchema: schema }),
      history: "none",
    };
    if (field("EnableMemory") === true) {
      if (messages.length > 0) throw new NoEquivalent("it puts messages of its own before the conversation");
      if (!isChat && isFirst(node, context) !== false)
        throw new NoEquivalent("it sees the fields of the form as a conversation");
      const kind = textOf(field("MemoryType"));
      if (kind !== "" && kind !== "allMessages")
        notes.push(`It sees the whole conversation, where Flowise cuts it (${kind}).`);
      const asked = textOf(field("UserMessage"));
      if (asked !== "") input.prompt = joinTexts([data.template(asked, node)]);
    } else {
      const first = isFirst(node, context);
      const hasUser = messages.some((message) => isObject(message) && message.role === "user");
      if (!hasUser && first === undefined)
        throw new NoEquivalent("it gets the message of the person on some of the ways to it only");
      if (!hasUser && first === true) {
        if (!isChat) throw new NoEquivalent("it sees the fields of the form as its message");
        messages.push({ role: "user", content: "{{ $.trigger.message }}" });
      }
      if (messages.length === 0) {
        notes.push("It has no prompt of a user: its model gets an empty one.");
        messages.push({ role: "user", content: "" });
      }
      input.messages = messages;
    }
    const content = `$.${stateOf(node.id)}_output.text`;
    const role = field("ReturnResponseAs") === "assistantMessage" ? "assistant" : "user";
    // What it answers is part of the conversation that later models see.
    const said: Action = { type: "assign", params: { path: "$.messages", append: { role, content } } };
    const updates = [said, ...updatesOf(field("UpdateState"), node, context, content)];
    const mapped =
      tools === undefined
        ? toStep(node, context, "agent.llm", { input, updates, content })
        : toToolLoop(node, context, { input: { ...input, ...tools }, updates, content });
    return { ...mapped, notes };
  };

export const mapLlm = mapModel("llm");
export const mapAgent = mapModel("agent");

/** A model chooses how it goes on. */
export const mapConditionAgent: MapNode = (node, context) => {
  const { inputs } = node;
  const { data, document, isChat } = context;
  const scenarios = objectsIn(inputs.conditionAgentScenarios).map(({ scenario }) => textOf(scenario));
  if (scenarios.length === 0) throw new NoEquivalent("it has no scenarios");
  if (new Set(scenarios).size < scenarios.length) throw new NoEquivalent("two of its scenarios have one name");
  const notes = ["Its own prompt is asked, with an answer that has to be one of the scenarios."];
  if (inputs.conditionAgentEnableMemory === true)
    notes.push("It saw the conversation before its input; here it sees the input alone.");
  if (inputs.conditionAgentOverrideSystemPrompt === true) notes.push("Its own system prompt was not imported.");
  const asked = textOf(inputs.conditionAgentInput);
  if (asked === "" && !isChat) throw new NoEquivalent("it has no input");
  const question = asked === "" ? "$.trigger.message" : data.template(asked, node);
  const instructions = insideText(data.template(inputs.conditionAgentInstructions ?? "", node));
  const input = {
    system: `Say which scenario the input belongs to.${instructions === "" ? "" : `\n\n${instructions}`}`,
    ...settingsOf(node, "conditionAgent", context, notes),
    messages: [{ role: "user", content: joinTexts([question]) }],
    history: "none",
    outputSchema: { type: "object", properties: { scenario: { enum: scenarios } }, required: ["scenario"] },
  };
  const ways = scenarios.map((scenario, index) => ({
    guard: {
      type: "condition" as const,
      params: { key: "$.output.object.scenario", operator: "==" as const, value: scenario },
    },
    targets: document.outputs(node.id, String(index)),
  }));
  return { invoke: { src: "agent.llm", input }, ways, notes };
};
