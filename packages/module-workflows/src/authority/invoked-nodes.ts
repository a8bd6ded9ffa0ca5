import type { JsonObject } from "@oven/contract";
import { DEFAULT_MAX_TOOL_ITERATIONS, type Definition, type State } from "@oven/contract/workflow";
import { passDisabled } from "@oven/engine";
import type { NodeDefinition } from "@oven/module-registry";

/** A step that calls a node, as a definition writes it. */
export interface InvokedNode {
  /** The id of the state, such as `pay`; in a composed step with the inner state: `draft.tools`. */
  label: string;
  src: string;
  node: NodeDefinition;
  /** The input as it is written, with unresolved literals, paths and templates. */
  input: JsonObject;
}

/** All steps of a valid definition that call a node, including those in loops and in composed steps, without disabled steps. */
export function invokedNodes(
  given: Definition,
  find: (src: string, version?: number) => NodeDefinition | undefined,
): InvokedNode[] {
  const definition = passDisabled(given);
  const found: InvokedNode[] = [];
  const add = (states: Record<string, State>, prefix: string): void => {
    for (const [key, { invoke, loop, states: inner }] of Object.entries(states)) {
      const label = prefix + key;
      const node = invoke && find(invoke.src, invoke.version);
      if (invoke !== undefined && node !== undefined) {
        const input = invoke.input ?? {};
        found.push({ label, src: invoke.src, node, input });
        if ("expand" in node) {
          const maxToolIterations = definition.maxToolIterations ?? DEFAULT_MAX_TOOL_ITERATIONS;
          add(node.expand({ stateId: label, input, maxToolIterations }).states, `${label}.`);
        }
      }
      if (loop !== undefined) add(loop.bodyStates, prefix);
      if (inner !== undefined) add(inner, prefix);
    }
  };
  add(definition.states, "");
  return found;
}
