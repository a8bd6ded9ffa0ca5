import { isObject, type Json } from "@oven/contract";
import type { InputProblem, InspectedStep, ServiceMap } from "@oven/module-registry";
import { toCodeProblems } from "@oven/module-workflows";
import { isInputName } from "@oven/sandbox";
import { z } from "zod";
import { declaredTools, toStepTools } from "../step-tools.ts";
import { type ProgramTool, toProgramTools } from "./program-tools.ts";
import { toStubs } from "./python-stubs.ts";

const PatternsSchema = z.array(z.string().min(1));

/**
 * The functions of a program at a step that does not run yet, as far as it says them: an agent that it names may take some away.
 * Undefined: only a run knows its tools.
 * @throws OvenError TOOL_UNKNOWN
 */
export function writtenFunctions(
  { input, agentConfig, principal }: InspectedStep,
  { tools }: Pick<ServiceMap, "tools">,
): ProgramTool[] | undefined {
  const { data } = PatternsSchema.safeParse(input.tools ?? agentConfig.tools);
  if (data === undefined) return undefined;
  const offered = tools.select(data, principal);
  return toProgramTools(
    [...offered, ...declaredTools(toStepTools(input.stepTools), undefined)],
    inputNames(input.inputs),
  );
}

/** The inputs of a step that can be variables of its program. */
export function inputNames(inputs: Json | undefined): string[] {
  return isObject(inputs) ? Object.keys(inputs).filter((name) => isInputName(name, "python")) : [];
}

/** What is wrong with the program that a person has written at a step: syntax always, types where its functions are known. */
export async function inspectProgram(step: InspectedStep, services: ServiceMap): Promise<InputProblem[]> {
  const { code, inputs } = step.input;
  if (typeof code !== "string" || code === "") return [];
  const names = inputNames(inputs);
  const functions = writtenFunctions(step, services);
  const stubs = toStubs(functions ?? [], names);
  const found = await services.sandbox.check({ code, inputNames: names, stubs });
  return toCodeProblems(functions === undefined ? found.filter(({ kind }) => kind === "syntax") : found);
}
