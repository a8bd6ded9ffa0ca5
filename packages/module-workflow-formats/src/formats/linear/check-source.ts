import type { LinearProblem } from "@oven/contract/formats/linear.ts";
import { ExpressionSyntaxError, parsePath } from "@oven/engine";
import type { LinearSource, StepRow } from "./linear-source.ts";
import { findPlaceholders } from "./placeholders.ts";

export interface SourceFacts {
  /** The containers that exist, by uuid. */
  containers: ReadonlySet<string>;
  /** Why a model cannot be asked; undefined: it can. */
  modelProblem(model: string): Promise<string | undefined>;
  tools: ReadonlySet<string>;
  /** What is wrong with the trigger's settings or its rules; undefined: nothing. */
  triggerProblem: string | undefined;
}

/** Everything that keeps a workflow from running, in the order of its steps. */
export async function checkSource({ steps, trigger }: LinearSource, facts: SourceFacts): Promise<LinearProblem[]> {
  const problems: LinearProblem[] = [];
  const tell = (step: StepRow | null, message: string, fix: string) =>
    void problems.push({ step_uuid: step?.uuid ?? null, message, fix });
  if (trigger === null) tell(null, "The workflow has no trigger", "Set one; `manual` starts it by hand.");
  else if (facts.triggerProblem !== undefined)
    tell(null, `The trigger cannot listen: ${facts.triggerProblem}`, "Complete its settings.");

  /** The step that writes each container; null: the trigger. */
  const writers = new Map<string, StepRow | null>();
  if (trigger !== null) writers.set(trigger.details.outputContainer, null);
  const later = new Map(
    steps.flatMap((step) => (step.details.outputContainer ? [[step.details.outputContainer, step]] : [])),
  );

  const isKnown = (step: StepRow, uuid: string, where: string) => {
    if (writers.has(uuid)) return;
    const writer = later.get(uuid);
    if (writer !== undefined)
      tell(step, `${step.name} reads ${where}, which ${writer.name} writes only later`, "Move one of the two steps.");
    else if (facts.containers.has(uuid))
      tell(
        step,
        `${step.name} reads ${where}, which no step of this workflow writes`,
        "Read what an earlier step writes.",
      );
    else
      tell(
        step,
        `${step.name} reads ${where}, a data container that does not exist`,
        "Read what an earlier step writes.",
      );
  };

  for (const step of steps) {
    const { details, name, type } = step;
    if (type === "stop_checker") {
      const conditions = details.stopConditions ?? [];
      if (conditions.length === 0) tell(step, `${name} has no stop condition`, "Add one.");
      for (const [index, condition] of conditions.entries()) {
        isKnown(step, condition.datacontainer_definition_uuid, `condition ${index + 1}'s container`);
        const problem = pathProblem(condition.extraction_json_path);
        if (problem !== undefined)
          tell(step, `${name}, condition ${index + 1}: ${problem}`, "Write a path such as `$.a.b[0]`.");
      }
      continue;
    }
    const prompt = details.systemPrompt ?? "";
    if (prompt.trim() === "") tell(step, `${name} has no system prompt`, "Write one.");
    if ((details.model ?? "") === "")
      tell(step, `${name} has no model`, "Name one: an alias such as `fast`, or provider:model.");
    else {
      const problem = await facts.modelProblem(details.model ?? "");
      if (problem !== undefined) tell(step, `${name}: ${problem}`, "Name a model that is set up.");
    }
    for (const { uuid, position } of findPlaceholders(prompt))
      isKnown(step, uuid, `<<data.${uuid}>> at character ${position}`);
    for (const [tool, { enabled }] of Object.entries(details.tools ?? {}))
      if (enabled === true && !facts.tools.has(tool))
        tell(step, `${name} uses the tool ${tool}, which does not exist`, "Switch it off, or install its module.");
    if (details.outputContainer !== undefined) writers.set(details.outputContainer, step);
  }
  return problems;
}

export function pathProblem(path: string): string | undefined {
  try {
    parsePath(path);
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    return error.message;
  }
}
