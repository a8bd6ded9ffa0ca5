import type { Json } from "@oven/contract";
import type { StateInfo } from "../compile/state-info.ts";
import { getOwn } from "../expressions/json-access.ts";
import type { RunContext, Scope } from "../expressions/scope.ts";
import { loopVariables } from "./loop-scope.ts";
import type { RunFacts } from "./plan-types.ts";
import type { LoopRun, RunState } from "./run-state.ts";

/** What an expression of a state sees: the innermost loop's variables win, and `more` over all. */
export function toScope(
  { id, kind, workflowId, input, parent, variables }: RunFacts,
  { startedAt, config }: Pick<RunState, "startedAt" | "config">,
  context: RunContext,
  owner: StateInfo | undefined,
  loops: readonly LoopRun[],
  more?: ReadonlyMap<string, Json>,
): Scope {
  const own = loopVariables(owner, loops, context);
  const layers = [variables, own, more].filter((layer) => layer !== undefined);
  const overlay = layers.length > 1 ? new Map(layers.flatMap((layer) => [...layer])) : layers[0];
  return {
    context,
    trigger: input,
    execution: { id, kind, workflowId, startedAt },
    ...(overlay ? { overlay } : {}),
    ...(parent ? { parent } : {}),
    ...(config ? { config: (key: string) => getOwn(config, key) } : {}),
  };
}
