import { getOwn, type Json, type JsonObject } from "@oven/contract";
import type { SessionGraphSpec } from "@oven/contract/formats/sessions.ts";
import { SESSION_OUTPUTS_KEPT } from "@oven/contract/formats/sessions.ts";
import type { Action, Definition, Guard, State, TransitionObject } from "@oven/contract/workflow";
import { compileInput, isForeign, toContextPath, toText } from "./compile-input.ts";
import { SESSION_STATE, type StepStates, statesOf, WRITES_REGION, WRITES_STATE } from "./graph-states.ts";
import { type GraphPath, inputOf, pathsFrom } from "./read-graph.ts";
import type { Reference } from "./reference.ts";
import { splitReferences } from "./reference.ts";
import { CONTEXT_KEY, contextPath, freshContext, type InnerStatus, WRITE_EVENT } from "./session-context.ts";

/** Asks the user. */
export const REQUEST_FUNCTION = "utils.request.request";
const DEFAULT_ITERATIONS = 100;
/** Active milliseconds; waiting does not count. */
const TIMEOUT_MS = 3_600_000;
/** What is answered without a form of its own: `response` is the text. */
const PLAIN_ANSWER = { type: "object", properties: { response: { type: "string" } }, required: ["response"] };

export interface GraphSource {
  uuid: string;
  spec: SessionGraphSpec;
  /** Why a function cannot be run; undefined: it can. */
  missing(name: string): string | undefined;
}

const assign = (path: string, value: Json): Action => ({ type: "assign", params: { path, value } });
const condition = (key: string, operator: "==" | "!=" | "in" | "exists", value?: Json): Guard => ({
  type: "condition",
  params: { key, operator, ...(value === undefined ? {} : { value }) },
});
const all = (...guards: Guard[]): Guard => ({ type: "all", guards });
const setStatus = (step: string, status: InnerStatus): Action => assign(contextPath("steps", step), status);
const hasStatus = (step: string, status: InnerStatus): Guard => condition(contextPath("steps", step), "==", status);
const MOVED: Action = { type: "assign", params: { path: contextPath("moves"), add: 1 } };
/** It is the step's turn to start. */
const isNext = (step: string): Guard => condition(`${contextPath("queue")}[0]`, "==", step);
const takeTurn = (step: string): Action =>
  assign(contextPath("queue"), { $cel: `ctx.${CONTEXT_KEY}.queue.filter(step, step != ${JSON.stringify(step)})` });
const WRITTEN = "$.event.payload";
/** The session is still as the writer saw it. */
const UNMOVED: Guard = condition(contextPath("moves"), "==", `${WRITTEN}.moves`);

/**
 * A checked graph as a definition of ours: one region for each step, whose status says whether it starts, waits or rests. A
 * step's paths are followed in the very move that keeps its output.
 */
export function compileGraph({ uuid, spec, missing }: GraphSource): Definition {
  const steps = Object.keys(spec.steps);
  const states = statesOf(steps);
  const regions: Record<string, State> = { [WRITES_REGION]: writesRegion() };
  for (const [step, names] of states) regions[names.region] = stepRegion(step, names, spec, missing);
  const ended = (...statuses: InnerStatus[]): Guard =>
    all(...steps.map((step) => condition(contextPath("steps", step), "in", statuses)));
  return {
    id: `session_graph_${uuid.replaceAll("-", "_")}`,
    initial: SESSION_STATE,
    maxSteps: spec.max_iterations ?? DEFAULT_ITERATIONS,
    timeoutMs: TIMEOUT_MS,
    streamingEnabled: false,
    payloadSchema: { type: "object", properties: { session_state: { type: "object" } } },
    context: { [CONTEXT_KEY]: { ...freshContext(steps) } as unknown as JsonObject }, // cast: it is JSON
    // A session that is taken up again begins as it was left.
    entry: [
      {
        ...assign(`$.${CONTEXT_KEY}`, "$.trigger.session_state"),
        guard: condition("$.trigger.session_state", "exists"),
      },
    ],
    states: {
      [SESSION_STATE]: {
        type: "parallel",
        label: spec.name ?? "Session",
        always: [
          { target: "done", guard: ended("none", "complete") },
          { target: "done_with_errors", guard: ended("none", "complete", "error") },
        ],
        states: regions,
      },
      done: { type: "final", output: contextPath("outputs") },
      done_with_errors: {
        type: "final",
        outcome: "partial_success",
        output: { outputs: contextPath("outputs"), errors: contextPath("errors") },
      },
    },
    meta: {
      source: {
        format: "session-graph",
        workflow: uuid,
        // A list: keys of stored definitions come in an order of their own.
        steps: [...states].map(([step, { run }]) => [step, run]),
        needs: Object.fromEntries(
          steps.map((step) => [step, requiredOf(spec, step).map((one) => ({ ...toNeed(one) }))]),
        ),
      },
    },
  };
}

/** What a step cannot run without. */
function requiredOf(spec: SessionGraphSpec, step: string): Reference[] {
  const given = getOwn(spec.steps, step);
  const { references } = compileInput((given && inputOf(given)) ?? {});
  const required = references.filter((one) => one.fallback === undefined && !isForeign(one));
  return [...new Map(required.map((one) => [toContextPath(one), one])).values()];
}

const toNeed = ({ source, step, index, field }: Reference) => ({ source, step, index, field });

function writesRegion(): State {
  return {
    initial: WRITES_STATE,
    states: {
      [WRITES_STATE]: {
        label: "Open to changes of the session's state",
        on: {
          [WRITE_EVENT]: {
            guard: UNMOVED,
            actions: [
              assign(`$.${CONTEXT_KEY}`, `${WRITTEN}.state`),
              MOVED,
              {
                type: "assign",
                params: { path: contextPath("written"), append: `${WRITTEN}.id`, keep: 20 },
              },
            ],
          },
        },
      },
    },
  };
}

function stepRegion(
  step: string,
  names: StepStates,
  spec: SessionGraphSpec,
  missing: (name: string) => string | undefined,
): State {
  const needs = requiredOf(spec, step).map((one) => condition(toContextPath(one), "exists"));
  const turn = [hasStatus(step, "active"), isNext(step)];
  const waits: TransitionObject[] =
    needs.length === 0 ? [] : [{ target: names.pending, guard: all(...turn), actions: [takeTurn(step)] }];
  const states: Record<string, State> = {
    [names.idle]: {
      label: `${step} rests`,
      always: [
        { target: names.run, guard: all(...turn, ...needs), actions: [takeTurn(step)] },
        ...waits,
        { target: names.follow, guard: hasStatus(step, "follow"), actions: [setStatus(step, "complete")] },
      ],
    },
    [names.follow]: { label: `${step} goes on`, always: { target: names.idle, actions: followed(spec, step) } },
    [names.run]: runState(step, names, spec, missing),
  };
  if (needs.length > 0) {
    states[names.pending] = {
      label: `${step} waits for ${requiredOf(spec, step)
        .map(({ source }) => source)
        .join(", ")}`,
      entry: [setStatus(step, "pending")],
      always: [
        { target: names.idle, guard: { type: "not", guard: hasStatus(step, "pending") } },
        { target: names.run, guard: all(...needs), actions: [setStatus(step, "active")] },
      ],
    };
  }
  return { label: step, initial: names.idle, states, meta: { source: { step } } };
}

function runState(
  step: string,
  names: StepStates,
  spec: SessionGraphSpec,
  missing: (name: string) => string | undefined,
): State {
  const given = getOwn(spec.steps, step);
  if (given === undefined) throw new Error(`there is no step ${step}`);
  const input = inputOf(given) ?? {};
  const asks = given.function === REQUEST_FUNCTION;
  const { src, input: compiled } = invocation(given.function, input, missing);
  // Not by the state's name: an output may have a key of that name.
  const output = asks ? "$.output.data" : "$.output";
  const error = `${given.function.replaceAll("{{", "{ {")}: {{ $.${names.run}_error.message }}`;
  return {
    label: step,
    ...(given.description === undefined ? {} : { description: given.description }),
    ...(asks ? { entry: [setStatus(step, "awaiting_input")] } : {}),
    // A state that was written and says otherwise of this step ends it.
    on: {
      [WRITE_EVENT]: {
        target: names.idle,
        guard: all(UNMOVED, {
          type: "condition",
          params: {
            key: `${WRITTEN}.state.steps[${JSON.stringify(step)}]`,
            operator: "!=",
            value: asks ? "awaiting_input" : "active",
          },
        }),
      },
    },
    invoke: {
      src,
      input: compiled,
      onDone: {
        target: names.idle,
        actions: [
          {
            type: "assign",
            params: { path: contextPath("outputs", step), append: output, keep: SESSION_OUTPUTS_KEPT },
          },
          assign(contextPath("errors", step), ""),
          setStatus(step, "complete"),
          MOVED,
          ...followed(spec, step),
        ],
      },
      onError: {
        target: names.idle,
        actions: [setStatus(step, "error"), assign(contextPath("errors", step), error), MOVED],
      },
    },
  };
}

function invocation(
  name: string,
  input: JsonObject,
  missing: (name: string) => string | undefined,
): { src: string; input: JsonObject } {
  const fail = ({ message, code }: { message: string; code: string }) => ({
    src: "core.fail",
    input: { message: { $literal: message }, code },
  });
  const { references, value } = compileInput(input);
  const foreign = references.find(isForeign);
  if (foreign !== undefined) {
    const message = `${foreign.source} is of another session; a step reads only its own: @{SESSION_ID}.${foreign.step}`;
    return fail({ message, code: "FOREIGN_SESSION" });
  }
  if (name === REQUEST_FUNCTION) {
    const { prompt, ...more } = input;
    const rest = Object.entries(more).map(([key, one]) => [key, compileInput(one).value] as const);
    return {
      src: "core.requestInput",
      input: {
        schema: { $literal: PLAIN_ANSWER },
        ...Object.fromEntries(rest),
        ...(typeof prompt === "string" ? { title: toTitle(prompt) } : {}),
      },
    };
  }
  const problem = missing(name);
  if (problem !== undefined) return fail({ message: problem, code: "FUNCTION_MISSING" });
  // An object with references is taken apart: its members are what the node gets.
  if (references.length === 0)
    return {
      src: name,
      input: Object.fromEntries(Object.entries(input).map(([key, one]) => [key, compileInput(one).value])),
    };
  return { src: name, input: value as JsonObject }; // cast: an object stays an object
}

function toTitle(prompt: string): Json {
  const hasReference = splitReferences(prompt).parts.some((part) => typeof part !== "string");
  return hasReference ? toText(prompt) : compileInput(prompt).value;
}

/** What a step's completion starts: every path that holds, lower priorities first. */
function followed(spec: SessionGraphSpec, step: string): Action[] {
  return pathsFrom(spec, step).flatMap((path) => {
    const { to } = path;
    // One that runs or waits already is not started twice; one that failed is not started again.
    const rests = condition(contextPath("steps", to), "in", ["none", "complete"]);
    const holds = toGuard(path);
    const enqueue: Action = {
      type: "assign",
      params: { path: contextPath("queue"), append: { $literal: to } },
      guard: all(rests, ...(holds === undefined ? [] : [holds])),
    };
    const activate: Action = {
      ...setStatus(to, "active"),
      guard: all(rests, condition(`${contextPath("queue")}[-1]`, "==", to)),
    };
    return [enqueue, activate];
  });
}

/** Undefined: it always holds. */
export function toGuard({ conditions, operator }: Pick<GraphPath, "conditions" | "operator">): Guard | undefined {
  const [first, ...more] = conditions.map((one): Guard => {
    const { whole } = splitReferences(one.variable);
    if (whole === undefined) throw new Error(`${one.variable} is no reference`);
    const op = one.operator ?? "==";
    const isUnary = op === "exists" || op === "empty";
    return {
      type: "condition",
      params: {
        key: toContextPath(whole),
        operator: op,
        ...(isUnary || one.value === undefined ? {} : { value: compileInput(one.value).value }),
      },
      loose: true,
    };
  });
  if (first === undefined) return undefined;
  if (more.length === 0) return first;
  return { type: operator === "OR" ? "any" : "all", guards: [first, ...more] };
}
