import type { Json, JsonObject } from "@oven/contract";
import type { Action, Definition, ProgramNote, State } from "@oven/contract/workflow";
import { CodeSteps } from "./code-steps.ts";
import { type CalledTool, divideProgram } from "./divide-program.ts";
import { Lowering, type Step } from "./lower-pieces.ts";
import { notesOf } from "./program-notes.ts";
import { pathOf, VARIABLES } from "./to-values.ts";

/** A tool of a program, by the name of its function. */
export interface CompiledTool extends CalledTool {
  id: string;
}

export interface CompileRequest {
  code: string;
  tools: ReadonlyMap<string, CompiledTool>;
  /** Functions that only a program can call: they keep what calls them a program. */
  stepTools?: { names: readonly string[]; declared: Json } | undefined;
  /** Names of its inputs, which the graph takes from what starts it. */
  inputs: readonly string[];
  /** How calls are made, as the step of the program says: inputs of an agent.toolExecutor. */
  calling?: JsonObject | undefined;
  /** Limits of the program: inputs of core.code, and of agent.code for what stays a program. */
  limits?: { timeoutMs?: Json; memoryMb?: Json; maxCalls?: Json } | undefined;
  retry?: JsonObject | undefined;
  outputSchema?: JsonObject | undefined;
}

export interface CompiledProgram {
  definition: Definition & JsonObject;
  /** Steps that are calls of the program. */
  calls: number;
  /** What stayed code, and where the graph may differ. */
  notes: ProgramNote[];
}

const MAX_ITERATIONS = 10_000;
const MAX_STEPS = 100_000;
const LABEL = 60;

/**
 * A program as a graph: calls, conditions and simple loops become states; what has no exact counterpart stays code.
 * @throws OvenError CODE_SYNTAX
 */
export function compileProgram(request: CompileRequest): CompiledProgram {
  const { code, tools, inputs, outputSchema, stepTools } = request;
  const divided = divideProgram(code, tools, inputs, stepTools?.names);
  const made = new Set<string>();
  const steps = withEnd(new Lowering(divided, made).lower(divided.pieces));
  const graph = new Graph(request, new CodeSteps(steps, divided, made, inputs));
  const states: Record<string, State> = {};
  const initial = graph.link(steps, undefined, states);
  const named = new Set([...JSON.stringify(states).matchAll(/\bvars\.(\w+)/g)].map(([, name]) => name));
  const variables = [...divided.variables, ...made].filter((name) => named.has(name) || inputs.includes(name));
  const given = Object.fromEntries(inputs.map((name) => [name, { description: `The input ${name} of the program` }]));
  const definition: Definition & JsonObject = {
    initial,
    maxSteps: MAX_STEPS,
    ...(inputs.length === 0 ? {} : { payloadSchema: { type: "object", properties: given, required: [...inputs] } }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    context: { [VARIABLES]: Object.fromEntries(variables.map((name) => [name, null])) },
    ...(inputs.length === 0
      ? {}
      : {
          entry: inputs.map((name) => ({
            type: "assign" as const,
            params: { path: pathOf(name), value: `$.trigger.${name}` },
          })),
        }),
    states: states as Record<string, State> & JsonObject, // cast: states are JSON
  };
  return { definition, calls: graph.calls, notes: [...graph.notes, ...notesOf(code, divided)] };
}

function withEnd(steps: Step[]): Step[] {
  const last = steps.at(-1);
  const isEnded = last?.kind === "end" || ((last?.kind === "code" || last?.kind === "program") && last.isLast);
  return isEnded ? steps : [...steps, { kind: "end", value: null, line: last?.line ?? 1 }];
}

class Graph {
  calls = 0;
  readonly notes: ProgramNote[] = [];
  readonly #request: CompileRequest;
  readonly #code: CodeSteps;
  readonly #ids = new Set<string>();

  constructor(request: CompileRequest, code: CodeSteps) {
    this.#request = request;
    this.#code = code;
  }

  /**
   * Adds the states of steps.
   * @param next where it goes on behind the last of them
   * @param round where the next round of the loop around begins
   * @returns the first of them
   */
  link(steps: readonly Step[], next: string | undefined, states: Record<string, State>, round?: string): string {
    const ids = steps.map((step) => (step.kind === "next" ? (round ?? "") : this.#idOf(step)));
    for (const [index, step] of steps.entries())
      if (step.kind !== "next") this.#add(step, ids[index] ?? "", ids[index + 1] ?? next, states, round);
    return ids[0] ?? next ?? "";
  }

  #add(
    step: Exclude<Step, { kind: "next" }>,
    id: string,
    next: string | undefined,
    states: Record<string, State>,
    round?: string,
  ): void {
    const target = next ?? "";
    switch (step.kind) {
      case "set":
        states[id] = {
          label: `Set ${step.sets.map(({ name }) => name).join(", ")}`.slice(0, LABEL),
          always: { target, actions: step.sets.map(({ name, value }) => assign(name, value)) },
        };
        return;
      case "calls":
        this.calls += step.calls.length;
        states[id] = this.#calls(step, id, target);
        return;
      case "code":
      case "program":
        this.#addCode(step, id, target, states);
        return;
      case "if": {
        // Its place comes before those of what is in it.
        states[id] = { label: `If ${step.text}`.slice(0, LABEL) };
        const whenTrue = this.link(step.whenTrue, target, states, round);
        const whenFalse = this.link(step.whenFalse, target, states, round);
        states[id] = { ...states[id], always: [{ target: whenTrue, guard: step.guard }, { target: whenFalse }] };
        return;
      }
      case "each":
        states[id] = this.#each(step, id, target);
        return;
      case "end":
        states[id] = { type: "final", output: step.value };
    }
  }

  #calls({ calls, into, isMany }: Extract<Step, { kind: "calls" }>, id: string, target: string): State {
    const { tools, calling = {}, retry } = this.#request;
    const idOf = (name: string): string => tools.get(name)?.id ?? name;
    const answers = calls.map((_call, index) => `$.${id}_output.results[${index}].result`);
    const toolCalls = calls.map(({ name, arguments: given }, index) => ({
      ...{ toolCallId: calls.length === 1 ? "call" : `call-${index + 1}`, tool: idOf(name), arguments: given },
    }));
    const used = [...new Set(calls.map(({ name }) => idOf(name)))];
    return {
      label: used.join(", ").slice(0, LABEL),
      invoke: {
        src: "agent.toolExecutor",
        input: { ...calling, toolCalls, tools: used, history: "none", onFailure: "fail" },
        ...(retry === undefined ? {} : { retry }),
        onDone: {
          target,
          ...(into === undefined ? {} : { actions: [assign(into, isMany ? answers : (answers[0] ?? null))] }),
        },
      },
    };
  }

  #addCode(
    step: Extract<Step, { kind: "code" | "program" }>,
    id: string,
    target: string,
    states: Record<string, State>,
  ): void {
    const { limits = {}, calling = {}, tools, retry, stepTools } = this.#request;
    const { timeoutMs, memoryMb, maxCalls } = limits;
    const { code, inputs, outputs } = this.#code.toStep(step);
    const isProgram = step.kind === "program";
    this.notes.push({ kind: step.kind, state: id, line: step.line });
    const { agent, ...how } = calling;
    const input: JsonObject = {
      code,
      ...(inputs.length === 0 ? {} : { inputs: Object.fromEntries(inputs.map((name) => [name, pathOf(name)])) }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(memoryMb === undefined ? {} : { memoryMb }),
      ...(isProgram
        ? {
            ...how,
            ...(agent === undefined ? {} : { agent }),
            tools: [...new Set([...tools.values()].map((tool) => tool.id))],
          }
        : { language: "python" }),
      ...(isProgram && maxCalls !== undefined ? { maxCalls } : {}),
      ...(isProgram && stepTools !== undefined ? { stepTools: stepTools.declared } : {}),
    };
    const end = step.isLast ? this.#fresh("done") : target;
    if (step.isLast) states[end] = { type: "final", output: `$.${id}_output.result` };
    states[id] = {
      label: isProgram ? "Program" : "Code",
      description: `From line ${step.line} of the program.`,
      invoke: {
        src: isProgram ? "agent.code" : "core.code",
        input,
        ...(isProgram && retry !== undefined ? { retry } : {}),
        onDone: {
          target: end,
          ...(outputs.length === 0
            ? {}
            : { actions: outputs.map((name) => assign(name, `$.${id}_output.result.${name}`)) }),
        },
      },
    };
  }

  #each({ targets, items, text, body }: Extract<Step, { kind: "each" }>, id: string, target: string): State {
    const round = this.#fresh(`${id}_end`);
    const begin = this.#fresh(`${id}_item`);
    const bodyStates: Record<string, State> = { [begin]: {} };
    const first = this.link(body, round, bodyStates, round);
    const [only] = targets;
    const actions =
      targets.length === 1
        ? [assign(only ?? "", "$.item")]
        : targets.map((name, index) => assign(name, `$.item[${index}]`));
    bodyStates[begin] = { label: `Take ${targets.join(", ")}`, always: { target: first, actions } };
    bodyStates[round] = { type: "final" };
    return {
      label: `For ${targets.join(", ")} in ${text}`.slice(0, LABEL),
      loop: {
        type: "forEach",
        collection: items,
        maxIterations: MAX_ITERATIONS,
        bodyInitial: begin,
        bodyStates,
        onDone: target,
      },
    };
  }

  #idOf(step: Exclude<Step, { kind: "next" }>): string {
    switch (step.kind) {
      case "calls":
        return this.#fresh(step.calls[0]?.name ?? "calls");
      case "each":
        return this.#fresh(`each_${step.targets[0] ?? "item"}`);
      case "end":
        return this.#fresh("done");
      default:
        return this.#fresh(step.kind);
    }
  }

  #fresh(wanted: string): string {
    const base = wanted.replaceAll(/\W/g, "_").replace(/^_+/, "");
    let id = base;
    // Outputs of steps are at `<id>_output`, and a name must not be that of another's.
    for (let number = 2; this.#ids.has(id) || id === VARIABLES; number += 1) id = `${base}_${number}`;
    this.#ids.add(id);
    return id;
  }
}

const assign = (name: string, value: Json): Action => ({ type: "assign", params: { path: pathOf(name), value } });
