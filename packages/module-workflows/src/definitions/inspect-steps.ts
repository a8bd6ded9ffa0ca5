import { isOvenError, type Principal, type Problem, toJsonPath } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import { listStates } from "@oven/engine";
import type { ServiceMap } from "@oven/module-registry";
import type { RegisteredNodes } from "../nodes/node-catalog.ts";
import { invalidDefinition } from "./prepare-definition.ts";

export interface StepInspection {
  nodes: Pick<RegisteredNodes, "get">;
  services: ServiceMap;
}

/** What nodes find wrong with the steps of a definition beyond the schemas of their inputs. */
export async function inspectSteps(
  { nodes, services }: StepInspection,
  principal: Principal,
  definition: Definition,
): Promise<Problem[]> {
  const { agentConfig = {} } = definition;
  const found: Problem[] = [];
  // What is switched off may be unfinished.
  for (const { state, path } of listStates(definition).filter((listed) => !isDisabled(listed))) {
    const { invoke } = state;
    const node = invoke === undefined ? undefined : nodes.get(invoke.src, invoke.version);
    if (node?.inspect === undefined) continue;
    const at = [...path, "invoke", "input"];
    try {
      const problems = await node.inspect({ input: invoke?.input ?? {}, agentConfig, principal }, services);
      found.push(...problems.map((problem) => ({ ...problem, path: toJsonPath([...at, ...problem.path]) })));
    } catch (error) {
      if (!isOvenError(error)) throw error;
      found.push({
        ...{ path: toJsonPath(at), rule: "not-inspected", severity: "warning" },
        message: `This step could not be looked at: ${error.message}`,
        fix: error.fix ?? "Check it again.",
      });
    }
  }
  return found;
}

type Listed = ReturnType<typeof listStates>[number];

function isDisabled({ state, parent }: Listed): boolean {
  return state.disabled === true || (parent !== undefined && isDisabled(parent));
}

/** Before a definition is published. @throws OvenError INVALID_DEFINITION 400 with each error that is found in a step */
export async function requireSoundSteps(
  inspection: StepInspection,
  principal: Principal,
  definition: Definition,
): Promise<void> {
  const errors = (await inspectSteps(inspection, principal, definition)).filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw invalidDefinition(errors);
}
