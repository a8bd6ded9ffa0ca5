import type { Json, JsonObject } from "@oven/contract";
import type { AgentConfig } from "@oven/contract/workflow";
import {
  type Ceiling,
  type CeilingFacts,
  type CeilingRequest,
  largerMost,
  type Most,
  type MostByQuantity,
  timesMost,
} from "@oven/module-registry";
import { reviewCeiling } from "@oven/module-workflows";
import { DEFAULT_MODEL } from "./model-input.ts";
import { PrepareStepSchema } from "./prepare-step.ts";

/** As often as a step may ask again for an answer that fits its schema, where only the run knows how often that is. */
const MOST_CORRECTIONS = 5;
const DEFAULT_CORRECTIONS = 2;
/** Items of one waiting step; the engine refuses more. */
const MOST_CALLS = 1_000;

/** Limits of the embedding step. */
const MOST_TEXTS = 512;
const MOST_CHARACTERS = 200_000;
/** In UTF-8, of one UTF-16 code unit. */
const BYTES_PER_CHARACTER = 3;

const MODEL_QUANTITIES = ["modelCalls", "tokens", "costMicros"];

/** What a step that asks a model needs: each answer that does not fit its schema is asked for again. */
export function modelCeiling({ input, agentConfig }: CeilingRequest, facts: CeilingFacts): Ceiling {
  const { outputSchema, maxCorrections = DEFAULT_CORRECTIONS } = input;
  const config = configOf(input, agentConfig, facts);
  if (config === undefined) return { perCall: unknownModel() };
  const corrections = typeof maxCorrections === "number" ? maxCorrections : MOST_CORRECTIONS;
  const asks = outputSchema === undefined ? 1 : 1 + corrections;
  const longest = input.maxOutputTokens ?? config.maxOutputTokens;
  const model = input.model ?? config.model ?? DEFAULT_MODEL;
  // What it prepares by the run is checked when it runs.
  const prepared = PrepareStepSchema.safeParse(input.prepareStep ?? []);
  if (!isWritten(model) || !prepared.success) return { perCall: unknownModel() };
  const models = [model, ...prepared.data.flatMap((step) => step.model ?? [])];
  const each = models.map((name) => facts.ask(name, typeof longest === "number" ? { answer: longest } : {}));
  return { perCall: timesMost(largerMost(each), asks) };
}

/** What a step needs that has tools called: each call is a part of its own, with its own attempts. */
export function toolsCeiling({ input, agentConfig }: CeilingRequest, facts: CeilingFacts): Ceiling {
  const config = configOf(input, agentConfig, facts);
  const patterns = toPatterns(input.tools ?? config?.tools ?? (config === undefined ? undefined : []));
  const tools = facts.tools(patterns);
  if (tools.length === 0) return {};
  const { maxCalls, toolCalls, allCalls } = input;
  const calls: Most =
    typeof allCalls === "number"
      ? allCalls
      : typeof maxCalls === "number"
        ? Math.min(maxCalls, MOST_CALLS)
        : Array.isArray(toolCalls)
          ? toolCalls.length
          : { code: "any-calls" };
  const spending = tools.find(({ spends }) => spends)?.id;
  const spent = spending === undefined ? {} : unknownModel({ code: "tool", about: spending });
  const callsOf = (some: typeof tools): MostByQuantity =>
    Object.fromEntries(some.map(({ id }): [string, Most] => [`tool:${id}`, calls]));
  const repeated = tools.filter(({ once }) => !once);
  const inARow = allCalls === undefined && (input.mode === undefined || input.mode === "parallel") ? 1 : calls;
  const approving = tools.some(({ needsApproval }) => needsApproval) || input.needsApproval !== undefined;
  const asking = tools.find(({ asksPeople }) => asksPeople)?.id;
  return {
    ...(repeated.length === 0 ? {} : { inARow }),
    perCall: { ...callsOf(repeated), ...(repeated.length === 0 ? {} : { toolCalls: calls }), ...spent },
    perVisit: {
      ...callsOf(tools.filter(({ once }) => once)),
      ...(repeated.length === 0 ? { toolCalls: calls } : {}),
      ...(approving ? askedEach(input, calls) : {}),
      ...(asking === undefined ? {} : askedOften(asking)),
    },
  };
}

/** What a tool asks people in the middle of a call. */
function askedOften(tool: string): MostByQuantity {
  const often: Most = { code: "tool-asks", about: tool };
  return { reviews: often, waiting: often };
}

/** A review for each call; one after the other, also where calls run side by side. */
function askedEach(input: JsonObject, calls: Most): MostByQuantity {
  const each = reviewCeiling(input);
  if (typeof calls === "number") return timesMost(each, calls);
  return Object.fromEntries(Object.keys(each).map((name) => [name, calls]));
}

/** What the step's agent and its definition say, as `modelConfig` merges them; undefined: the agent is known only when it runs, or gone. */
function configOf(input: JsonObject, agentConfig: AgentConfig, facts: CeilingFacts): AgentConfig | undefined {
  const { agent } = input;
  if (agent === undefined) return agentConfig;
  if (typeof agent !== "number" && !isWritten(agent)) return undefined;
  const named = facts.agent(String(agent));
  return named && { ...agentConfig, ...named };
}

/** What a step needs that has texts turned into vectors: no token is shorter than a byte. */
export function embedCeiling({ input }: CeilingRequest, facts: CeilingFacts): Ceiling {
  const { text, texts, compareTo, model = "embed" } = input;
  if (!isWritten(model)) return { perCall: unknownModel() };
  const many = Array.isArray(texts) ? texts : Array.from({ length: MOST_TEXTS }, () => "$");
  const sent = [...(text === undefined ? many : [text]), ...(compareTo === undefined ? [] : [compareTo])];
  const question = sent.reduce((bytes: number, one) => bytes + bytesOf(one), 0);
  const asked = facts.ask(model, { question, answer: 0 });
  // A provider may take fewer texts in one call than a step has.
  const { modelCalls = 1 } = asked;
  return { perCall: { ...asked, ...timesMost({ modelCalls }, sent.length) } };
}

function bytesOf(text: Json): number {
  return isWritten(text) ? Buffer.byteLength(text) : MOST_CHARACTERS * BYTES_PER_CHARACTER;
}

/** Nothing bounds what models are asked. */
export function unknownModel(most: Most = { code: "computed" }): MostByQuantity {
  return Object.fromEntries(MODEL_QUANTITIES.map((name) => [name, most]));
}

function toPatterns(tools: Json | undefined): readonly string[] | undefined {
  return Array.isArray(tools) && tools.every(isWritten) ? tools : undefined;
}

/** Whether a text stands for itself. */
export function isWritten(value: Json | undefined): value is string {
  return typeof value === "string" && !value.startsWith("$") && !value.includes("{{");
}
