import { type Principal, toActor } from "@oven/contract";
import type { ScoreSource } from "@oven/contract/run";
import type { ToolRun } from "@oven/module-registry";

/** Who or what gives a score, found out from credentials and from where the call comes, never from what is sent. */
export interface Scorer {
  source: ScoreSource;
  /** `user:3`, `api-key:5`, `agent-workflow:7`, `judge:2`: the one whose later score replaces the earlier one. */
  scorer: string;
  userId: number | null;
  /** The run that gives it. */
  run?: Pick<ToolRun, "workflow" | "rootExecutionId">;
}

/** @param run the run whose step calls, where it is one */
export function scorerOf(principal: Principal, run?: ToolRun): Scorer {
  if (run !== undefined)
    return { source: "event", scorer: run.workflow ?? `run:${run.rootExecutionId}`, userId: null, run };
  const { kind, id } = toActor(principal);
  const scorer = id === null ? kind : `${kind}:${id}`;
  return { source: kind === "user" ? "person" : "api", scorer, userId: principal.userId };
}

/** The same of a call by MCP. */
export function mcpScorerOf(principal: Principal): Scorer {
  return { ...scorerOf(principal), source: "mcp" };
}
