import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { type Dialect, type FieldRename, listStates, type StateAt, toList } from "./dialect.ts";
import { toPathText } from "./normalize-paths.ts";
import { toPromptInput } from "./prompt-template.ts";

interface Alias {
  src: string | ((input: JsonObject) => string);
  /** Inputs that are called otherwise here. */
  inputs?: Record<string, string>;
  /** What renaming alone does not do. */
  rewrite?: (input: JsonObject) => JsonObject;
  outputs?: Record<string, FieldRename>;
}

const MODEL_INPUTS = { systemPrompt: "system", maxTokens: "maxOutputTokens", toolBindings: "tools" };

/** Short node names of another system and what each is here. `switch` becomes guarded transitions, see below. */
const ALIASES: Record<string, Alias> = {
  llm: { src: "agent.llm", inputs: MODEL_INPUTS },
  "tool-loop": { src: "agent.toolLoop", inputs: { ...MODEL_INPUTS, maxSteps: "maxIterations" } },
  "tool-executor": { src: "agent.toolExecutor", outputs: { toolResults: { to: "results" } } },
  memory: { src: ({ mode }) => (mode === "write" ? "agent.memory.write" : "agent.memory.read"), rewrite: withoutMode },
  "human-review": {
    src: "agent.humanReview",
    inputs: { proposal: "show", reason: "context" },
    rewrite: withoutDecision,
    outputs: {
      decision: { to: "action", values: { approved: "approve", edited: "edit", rejected: "reject" } },
      feedback: { to: "reason" },
    },
  },
  rag: { src: "agent.rag" },
  subagent: { src: "agent.subagent" },
  prompt: { src: "agent.prompt", rewrite: toPromptInput },
  loop: { src: ({ type }) => (type === "while" ? "core.whileLoop" : "core.forEach") },
  condition: {
    src: "core.condition",
    inputs: { field: "key" },
    outputs: { branch: { to: "result", values: { true: true, false: false } } },
  },
  transform: { src: "core.transform", outputs: { result: { to: "" } } },
  setVariable: { src: "core.setVariable", inputs: { variableName: "name" } },
};

export function aliasNodes(dialect: Dialect): void {
  for (const at of listStates(dialect.definition)) {
    const { invoke } = at.state;
    if (!isObject(invoke) || typeof invoke.src !== "string") continue;
    if (invoke.src === "switch") branch(at, invoke, dialect);
    else if (Object.hasOwn(ALIASES, invoke.src)) rename(at, invoke, ALIASES[invoke.src], dialect);
  }
}

function rename({ id, path }: StateAt, invoke: JsonObject, alias: Alias | undefined, dialect: Dialect): void {
  if (alias === undefined) return;
  const given = isObject(invoke.input) ? invoke.input : {};
  invoke.src = typeof alias.src === "string" ? alias.src : alias.src(given);
  const named = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      alias.inputs !== undefined && Object.hasOwn(alias.inputs, key) ? (alias.inputs[key] ?? key) : key,
      value,
    ]),
  );
  if (invoke.input !== undefined) invoke.input = alias.rewrite?.(named) ?? named;
  if (alias.outputs !== undefined) dialect.renames.set(id, alias.outputs);
  dialect.changes.push({ path: `${path}.invoke.src`, rule: "node-alias" });
}

function withoutMode({ mode: _mode, ...input }: JsonObject): JsonObject {
  return input;
}

/** The other system is resumed through these two inputs; here the decision comes from the review itself. */
function withoutDecision({ decision: _decision, feedback: _feedback, ...input }: JsonObject): JsonObject {
  return input;
}

/** `switch {field, cases: {value: target}, default}`: one guarded transition for each case, the default last. */
function branch({ state, path }: StateAt, invoke: JsonObject, { changes }: Dialect): void {
  const { field, cases, default: otherwise } = isObject(invoke.input) ? invoke.input : {};
  if (typeof field !== "string" || !isObject(cases)) return;
  const guarded: Json[] = Object.entries(cases).map(([value, target]) => ({
    target,
    guard: { type: "condition", params: { key: toPathText(field), operator: "==", value } },
  }));
  const rest = otherwise === undefined ? toList(invoke.onDone) : [otherwise];
  state.always = [...guarded, ...rest, ...toList(state.always)];
  delete state.invoke;
  changes.push({ path: `${path}.invoke`, rule: "switch" });
}
