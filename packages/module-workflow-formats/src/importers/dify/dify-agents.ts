import type { Json } from "@oven/contract";
import { isObject } from "@oven/engine";
import { insideText, joinTexts } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type AgentTools, toolsOf } from "./dify-agent-tools.ts";
import { beforeKey, type DifyContext, type MapNode, type Mapped, toStep } from "./dify-context.ts";
import { type DifyDocument, type DifyNode, selectorOf } from "./dify-document.ts";
import { JOIN_CONVERSATION, roundsOf } from "./dify-memory.ts";
import { settingsOf, tellUnseen } from "./dify-models.ts";
import { filesSeen } from "./dify-vision.ts";

/** Strategies that ask a model, with tools if they have some. */
const STRATEGIES = /^(mcp[_ ]?)?(function[_ ]?calling|react)$/i;
/** How often Dify's strategies ask the model where nothing is said. */
const USUAL_ROUNDS = 3;
const READ = ["tools", "query", "model", "instruction", "maximum_iterations"];

export const mapAgent: MapNode = (node, context) => {
  const given = isObject(node.data.agent_parameters) ? node.data.agent_parameters : {};
  const parameters = new Map<string, Json>();
  for (const [key, one] of Object.entries(given)) parameters.set(key, isObject(one) ? (one.value ?? "") : "");
  const parameter = (key: string): Json => parameters.get(key) ?? "";
  const { agent_strategy_name: strategy = "function_calling" } = node.data;
  if (!STRATEGIES.test(String(strategy))) throw new NoEquivalent(`its strategy is ${String(strategy)}`);
  const notes: string[] = [];
  const found = toolsOf(parameters, node, context, notes);
  if (found.open.length > 0)
    throw new NoEquivalent(
      `its tools have to be chosen: ${found.open.join(", ")}. Replace it by a tool loop (agent.toolLoop) with them`,
    );
  const query = parameter("query");
  const selector = selectorOf(query);
  const content = selector === undefined ? context.data.value(query) : context.data.path(selector);
  const model = parameter("model");
  const hasTools = found.tools.length > 0;
  if (!hasTools) tellUnseen(node.data, context, notes);
  if (filesSeen(node.data.vision, context.document)) notes.push("It looked at files; here it sees the text alone.");
  const others = [...parameters.keys()].filter((key) => !READ.includes(key) && !/mcp|^servers?_config$/i.test(key));
  if (others.length > 0) notes.push(`Parameters of its strategy were not imported: ${others.join(", ")}.`);
  const settings = settingsOf(
    { ...node, data: { model: isObject(model) ? { ...model, name: model.model ?? null } : model } },
    context,
    notes,
  );
  const system = systemOf(context.data.value(parameter("instruction")), found);
  const input = { ...(system === "" ? {} : { system: joinTexts([system]) }), ...settings };
  const asked = { role: "user", content: joinTexts([content]) };
  if (hasTools) {
    const loop = { ...input, tools: found.tools, ...roundsFor(parameter("maximum_iterations")) };
    return mapToolLoop(node, context, { loop, asked, notes });
  }
  return { ...toStep(node, context, "agent.llm", { ...input, messages: [asked], history: "none" }), notes };
};

function systemOf(instruction: Json, { timeZone }: AgentTools): Json {
  if (timeZone === undefined) return instruction;
  const zone = `Say times in the time zone ${timeZone}.`;
  return instruction === "" ? zone : `${insideText(instruction)}\n\n${zone}`;
}

/** In its last round Dify's agent calls no tools any more. */
function roundsFor(given: Json): Record<string, Json> {
  const count = given === "" ? USUAL_ROUNDS : Number(given);
  if (!Number.isInteger(count) || count < 2 || count > 1_000)
    throw new NoEquivalent(`its model may be asked ${String(given)} times, and has tools`);
  return { maxIterations: count, prepareStep: [{ from: count, toolChoice: "none" }] };
}

interface Loop {
  /** Input of the tool loop. */
  loop: Record<string, Json>;
  asked: { role: string; content: Json };
  notes: string[];
}

/**
 * A tool loop keeps what it says in the conversation of the run, and Dify's agent sees no more of it than its memory. So the conversation
 * is set aside for the time of the loop.
 */
function mapToolLoop(node: DifyNode, context: DifyContext, { loop, asked, notes }: Loop): Mapped {
  const { document, stateOf, isChat } = context;
  if (runsBeside(node, document))
    throw new NoEquivalent("it has tools, and other steps run at the same time, which share its conversation");
  const { retry_config: again, memory } = node.data;
  if (isObject(again) && again.retry_enabled === true)
    throw new NoEquivalent("it is tried again as a whole, with all its calls of tools");
  const state = stateOf(beforeKey(node.id));
  const aside = `$.${state}_messages`;
  const remembers = isObject(memory) && isChat;
  const rounds = remembers ? roundsOf(memory) : 0;
  const inputs = { said: "$.messages", messages: [], query: [asked], rounds };
  if (remembers) notes.push(`It sees the conversation before${rounds > 0 ? `, its last ${rounds} rounds` : ""}.`);
  const step = toStep(node, context, "agent.toolLoop", loop);
  return {
    ...step,
    notes,
    ways: step.ways.map((way) => ({
      ...way,
      actions: [{ type: "assign", params: { path: "$.messages", value: aside } }],
    })),
    before: {
      what: "conversation",
      mayFail: true,
      invoke: remembers ? { src: "core.code", input: { code: JOIN_CONVERSATION, inputs } } : undefined,
      actions: [
        { type: "assign", params: { path: aside, value: "$.messages | default([])" } },
        {
          type: "assign",
          params: { path: "$.messages", value: remembers ? `$.${state}_output.result` : [asked] },
        },
      ],
    },
  };
}

/** Whether other steps may run while it does: in rounds at once, or where a step leads on in several ways. */
function runsBeside({ parent }: DifyNode, document: DifyDocument): boolean {
  const around = document.nodes.get(parent ?? "");
  if (around?.data.is_parallel === true) return true;
  return [...document.nodes.keys()].some((id) =>
    document.handles(id).some((handle) => new Set(document.outputs(id, handle)).size > 1),
  );
}
