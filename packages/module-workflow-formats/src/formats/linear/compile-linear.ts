import type { Json, JsonObject } from "@oven/contract";
import type { Definition, State } from "@oven/contract/workflow";
import type { LinearSource, StepRow } from "./linear-source.ts";
import { findPlaceholders, toPromptTemplate } from "./placeholders.ts";

/** The user message of every step: what there is to do stands in its system prompt. */
const TASK = "Execute your task.";
const TRIGGER_STATE = "trigger_data";
/** Reads the whole content behind `{uuid, summary}`. */
const FETCH_TOOL = "data.get";

/** State ids of a step, by its place. */
export const stepState = (place: number): string => `step_${place + 1}`;
export const outputState = (place: number): string => `step_${place + 1}_data`;

const assign = (path: string, value: Json) => ({ type: "assign" as const, params: { path, value } });
const containerPath = (uuid: string) => `$.data["${uuid}"]`;
/** Each step talks to its model anew. */
const FORGET = assign("$.messages", []);

/**
 * A checked workflow as a definition of ours: the trigger's data is stored, then the steps run one after the other. Ids of the
 * source are kept in `meta.source`, so that runs can be shown as the document says.
 */
export function compileLinear({ workflow, steps, trigger }: LinearSource): Definition {
  if (trigger === null) throw new Error("a workflow without a trigger is not compiled");
  const first = steps.length === 0 ? "done" : stepState(0);
  const { outputContainer, initialDataDescription } = trigger.details;
  const states: Record<string, State> = {
    [TRIGGER_STATE]: {
      label: initialDataDescription === "" ? "What arrived" : initialDataDescription.slice(0, 80),
      meta: { source: { trigger: trigger.uuid } },
      invoke: {
        src: "data.store",
        input: { container: outputContainer, raw: "$.trigger.data" },
        onDone: {
          target: first,
          actions: [assign(containerPath(outputContainer), `$.${TRIGGER_STATE}_output`), FORGET],
        },
        onError: "failed",
      },
    },
  };
  for (const [place, step] of steps.entries()) {
    const next = place + 1 < steps.length ? stepState(place + 1) : "done";
    Object.assign(
      states,
      step.type === "stop_checker" ? checkStates(step, place, next) : modelStates(step, place, next),
    );
  }
  states.done = { type: "final", output: "$.data" };
  if (steps.some(({ type }) => type === "stop_checker"))
    states.stopped = { type: "final", outcome: "stopped", output: "$.stop" };
  states.failed = { type: "final", outcome: "failed" };
  return {
    id: `linear_${workflow.uuid.replaceAll("-", "_")}`,
    initial: TRIGGER_STATE,
    payloadSchema: { type: "object", properties: { data: {} }, required: ["data"] },
    context: { data: {}, stop: null },
    states,
    meta: {
      source: { format: "linear", workflow: workflow.uuid, steps: steps.map(({ uuid, type }) => ({ uuid, type })) },
    },
  };
}

function modelStates(step: StepRow, place: number, next: string): Record<string, State> {
  const { details, type, name, uuid } = step;
  const id = stepState(place);
  const prompt = details.systemPrompt ?? "";
  const container = details.outputContainer ?? "";
  const isAgent = type === "custom_agent";
  const tools = Object.entries(details.tools ?? {}).flatMap(([tool, { enabled }]) => (enabled === true ? [tool] : []));
  const input: JsonObject = {
    model: details.model ?? "",
    system: toPromptTemplate(prompt, isAgent ? "compressed" : "full"),
    prompt: TASK,
    ...(isAgent ? { tools: [...tools, FETCH_TOOL] } : {}),
  };
  const read = [...new Set(findPlaceholders(prompt).map((found) => found.uuid))];
  return {
    [id]: {
      label: name,
      meta: { source: { step: uuid, type } },
      invoke: { src: isAgent ? "agent.toolLoop" : "agent.llm", input, onDone: outputState(place), onError: "failed" },
    },
    [outputState(place)]: {
      label: `Keep: ${name}`,
      meta: { source: { step: uuid, part: "output" } },
      invoke: {
        src: "data.store",
        input: {
          container,
          raw: `$.${id}_output.text`,
          step: place,
          read: Object.fromEntries(read.map((key) => [key, containerPath(key)])),
        },
        onDone: { target: next, actions: [assign(containerPath(container), `$.${outputState(place)}_output`), FORGET] },
        onError: "failed",
      },
    },
  };
}

function checkStates(step: StepRow, place: number, next: string): Record<string, State> {
  const id = stepState(place);
  const conditions = (step.details.stopConditions ?? []).map((condition) => ({ $literal: { ...condition } }));
  return {
    [id]: {
      label: step.name,
      meta: { source: { step: step.uuid, type: step.type } },
      invoke: {
        src: "data.stopCheck",
        input: { conditions },
        onDone: [
          {
            target: "stopped",
            guard: { type: "condition", params: { key: `$.${id}_output.stop`, operator: "==", value: true } },
            actions: [assign("$.stop", `$.${id}_output`)],
          },
          { target: next },
        ],
        onError: "failed",
      },
    },
  };
}
