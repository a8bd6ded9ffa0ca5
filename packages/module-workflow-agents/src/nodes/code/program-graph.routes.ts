import { type JsonObject, OvenError, type Principal } from "@oven/contract";
import {
  type Definition,
  DefinitionSchema,
  type ProgramGraph,
  ProgramGraphRequestSchema,
  ProgramGraphSchema,
} from "@oven/contract/workflow";
import { listStates } from "@oven/engine";
import { defineRoute, ok, type Route, type ServiceMap } from "@oven/module-registry";
import { reviewerInput } from "@oven/module-workflows";
import { toStepTools } from "../step-tools.ts";
import { callInput } from "../tool-executor.node.ts";
import { compileProgram } from "./compile/compile-program.ts";
import { inputNames, writtenFunctions } from "./inspect-program.ts";

const { mode, toolTimeoutMs, toolLimits, needsApproval } = callInput;
const CALLING = ["agent", ...Object.keys({ mode, toolTimeoutMs, toolLimits, needsApproval, ...reviewerInput })];
const DEFINITION_LIMIT = 8 * 1_048_576;

interface Asked {
  definition: Definition;
  stateId: string;
  program: string | undefined;
}

export const programGraphRoutes: Route[] = [
  defineRoute({
    method: "POST",
    path: "programs/graph",
    operation: false,
    summary: "What a program of an agent.code step is as a graph; nothing is stored",
    access: { permission: "agent-workflows.read" },
    effect: "pure",
    body: ProgramGraphRequestSchema,
    bodyLimit: DEFINITION_LIMIT,
    response: ProgramGraphSchema,
    handler: async ({ principal, body, services }) => {
      const { stateId, program } = body;
      const definition = DefinitionSchema.safeParse(body.definition).data;
      if (definition === undefined) throw notCompiled("The workflow is not finished", "Correct its problems first.");
      return ok(toGraph({ definition, stateId, program }, principal, services));
    },
  }),
];

/** @throws OvenError PROGRAM_NOT_COMPILED, CODE_SYNTAX, TOOL_UNKNOWN */
function toGraph({ definition, stateId, program }: Asked, principal: Principal, services: ServiceMap): ProgramGraph {
  const invoke = listStates(definition).find(({ id }) => id === stateId)?.state.invoke;
  if (invoke?.src !== "agent.code")
    throw notCompiled(`${stateId} is no step with a program`, "Name an agent.code step.");
  const { input = {}, retry } = invoke;
  const code = program ?? input.code;
  if (typeof code !== "string") throw notCompiled(`${stateId} has no program yet`, "Run it first, or write one.");
  const { agentConfig = {} } = definition;
  const functions = writtenFunctions({ input, agentConfig, principal }, services);
  if (functions === undefined)
    throw notCompiled("Only a run knows the tools of the step", "Write the names of its tools out.");
  const declared = toStepTools(input.stepTools);
  const isOwn = (id: string): boolean => declared.some(({ name }) => name === id);
  const own = functions.filter(({ tool }) => isOwn(tool.id));
  const { timeoutMs, memoryMb, maxCalls, outputSchema } = input;
  return compileProgram({
    code,
    tools: new Map(
      functions
        .filter(({ tool }) => !isOwn(tool.id))
        .map(({ name, tool, parameters }) => [name, { id: tool.id, parameters, answer: tool.outputSchema }]),
    ),
    inputs: inputNames(input.inputs),
    calling: Object.fromEntries(Object.entries(input).filter(([key]) => CALLING.includes(key))),
    limits: {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(memoryMb === undefined ? {} : { memoryMb }),
      ...(maxCalls === undefined ? {} : { maxCalls }),
    },
    ...(retry === undefined ? {} : { retry: { ...retry } }),
    ...(isSchema(outputSchema) ? { outputSchema } : {}),
    ...(own.length === 0 || input.stepTools === undefined
      ? {}
      : { stepTools: { names: own.map(({ name }) => name), declared: input.stepTools } }),
  });
}

function isSchema(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("$cel" in value);
}

function notCompiled(message: string, fix: string): OvenError {
  return new OvenError("PROGRAM_NOT_COMPILED", message, { status: 422, fix });
}
