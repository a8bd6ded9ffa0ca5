import type { Json, JsonObject, Principal } from "@oven/contract";
import type { ToolCallRecord } from "@oven/contract/node";
import type { Review } from "@oven/contract/review";
import type { ExecutionKind, ExecutionStatus, NodeRun } from "@oven/contract/run";
import type { ServiceMap } from "@oven/module-registry";
import type {} from "@oven/module-workflows";

/** What a run has done, as expectations look at it. */
export interface SeenRun {
  output: Json;
  context: JsonObject;
  trigger: Json;
  /** Of the run and of the runs inside it, in the order in which their steps began. */
  toolCalls: ToolCallRecord[];
  execution: {
    id: number;
    status: ExecutionStatus;
    outcome: string | null;
    error: { code: string; message: string } | null;
    steps: number;
    tokens: number;
    costMicros: number;
    durationMs: number;
  };
  /** What it waits for, when it waits for people. */
  waiting: { node: string; tool: string | null; title: string }[];
}

const KINDS: readonly ExecutionKind[] = ["workflow", "agent-workflow"];
const MOST_CHILDREN = 1_000;

/** @throws OvenError NOT_FOUND */
export async function seeRun(
  services: ServiceMap,
  principal: Principal,
  kind: ExecutionKind,
  id: number,
  reviews: readonly Review[],
): Promise<SeenRun> {
  const run = await services.workflowPlatform.face(kind).runs.reader.get(principal, id);
  const { status, outcome, errorInfo, error, steps, tokenUsage, costMicros, startedAt, createdAt, completedAt } = run;
  const { trigger = run.input, ...context } = run.context as JsonObject; // cast: the context of a run is an object
  const began = Date.parse(startedAt ?? createdAt);
  return {
    output: run.output,
    context,
    trigger,
    toolCalls: await toolCallsOf(services, principal, kind, id, run.nodes),
    execution: {
      ...{ id, status, outcome, steps, costMicros },
      error: errorInfo ?? (error === null ? null : { code: "FAILED", message: error }),
      tokens: tokenUsage.total,
      durationMs: completedAt === null ? 0 : Math.max(0, Date.parse(completedAt) - began),
    },
    waiting: reviews.map(({ nodeId, tool, title }) => ({ node: nodeId, tool, title })),
  };
}

async function toolCallsOf(
  services: ServiceMap,
  principal: Principal,
  rootKind: ExecutionKind,
  rootId: number,
  own: readonly NodeRun[],
): Promise<ToolCallRecord[]> {
  const nodes = [...own];
  for (const kind of KINDS) {
    const { reader } = services.workflowPlatform.face(kind).runs;
    const family = await reader.list(principal, {
      filter: { rootId },
      sort: { field: "id", order: "ASC" },
      range: { first: 0, last: MOST_CHILDREN - 1 },
    });
    for (const { id } of family.rows)
      if (kind !== rootKind || id !== rootId) nodes.push(...(await reader.nodes(principal, id)));
  }
  return nodes
    .filter(({ toolCalls }) => toolCalls !== null)
    .toSorted((one, other) => one.startedAt.localeCompare(other.startedAt) || one.id - other.id)
    .flatMap(({ toolCalls }) => toolCalls ?? []);
}
