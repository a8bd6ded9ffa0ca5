import { isObject, type Json, type Principal } from "@oven/contract";
import type { TriedCondition, TryCondition } from "@oven/contract/review";
import type { ExecutionKind } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { evaluateCondition } from "@oven/engine";
import { matchesName } from "../policies/targets.ts";
import { namesOf, type RunKinds } from "../runtime/run-kinds.ts";

const MOST_PROPOSALS = 200;
/** Of each kind: how many of the newest runs, and of their rows, are looked through for proposals. */
const MOST_RUNS = 2_000;
const MOST_ROWS = 2_000;
const MOST_EXAMPLES = 5;

interface Deps {
  db: Pick<Database, "query">;
  kinds: RunKinds;
}

/** What one step proposed, or the arguments of one call. */
interface Proposal {
  executionId: number;
  executionKind: ExecutionKind;
  at: Date;
  args: Json;
}

/** What a condition would have done to the newest proposals of the caller's tenant: nothing is asked or changed. */
export async function tryCondition(deps: Deps, principal: Principal, body: TryCondition): Promise<TriedCondition> {
  const proposals = await pastProposals(deps, principal, body);
  const tried = proposals.map((proposal) => ({ ...proposal, outcome: evaluateCondition(body.when, proposal.args) }));
  const asking = tried.filter(({ outcome }) => outcome !== "fails");
  return {
    looked: tried.length,
    asks: asking.length,
    unknown: asking.filter(({ outcome }) => outcome === "unknown").length,
    examples: asking.slice(0, MOST_EXAMPLES).map(({ at, ...example }) => ({ ...example, at: at.toISOString() })),
  };
}

type NodeRow = {
  id: number;
  executionId: number;
  nodeType: string;
  item: string | null;
  input: Json;
  startedAt: Date;
};

/** Newest first. Runs of drafts and simulated ones count: what they proposed was as real as their inputs. */
async function pastProposals({ db, kinds }: Deps, principal: Principal, body: TryCondition): Promise<Proposal[]> {
  const { tool, step } = body;
  const found: Proposal[] = [];
  for (const kind of kinds.all()) {
    const executionKind = kind.kind.kind;
    if (step !== undefined && step.kind !== executionKind) continue;
    const { executions, nodes, workflowId } = namesOf(kind);
    const rows = await db.query<NodeRow>(
      `select n.id, n.execution_id as "executionId", n.node_type as "nodeType", n.item, n.input, n.started_at as "startedAt"
       from (select id from ${executions} where tenant_id = $1 and ($2::bigint is null or ${workflowId} = $2)
             order by id desc limit ${MOST_RUNS}) e
       join ${nodes} n on n.execution_id = e.id
       where ($3::text is null or n.node_id = $3 or starts_with(n.node_id, $3 || '.'))
         and ($4::text is null or n.node_type = any($5) or (n.item is not null and starts_with(n.node_type, $4)))
       order by n.id desc limit ${MOST_ROWS}`,
      [
        ...[principal.tenantId, step?.workflowId ?? null, step?.nodeId ?? null],
        ...[tool === undefined ? null : tool.replace(/\*$/, ""), [...DIRECT_CALLS]],
      ],
    );
    for (const { executionId, startedAt, ...row } of rows) {
      const args = proposalOf(row, tool);
      if (args !== undefined) found.push({ executionId, executionKind, at: startedAt, args });
    }
  }
  return found.sort((one, other) => other.at.getTime() - one.at.getTime()).slice(0, MOST_PROPOSALS);
}

/** Steps that call one tool by themselves, with no call of a model. */
const DIRECT_CALLS: ReadonlySet<string> = new Set(["mcp.callTool", "api.call", "a2a.askAgent"]);

/** Undefined: the row proposes nothing, or calls another tool. */
function proposalOf(
  { nodeType, item, input }: Pick<NodeRow, "nodeType" | "item" | "input">,
  tool: string | undefined,
): Json | undefined {
  if (!isObject(input)) return undefined;
  if (item !== null || DIRECT_CALLS.has(nodeType)) {
    const called = item === null ? input.tool : nodeType;
    if (typeof called !== "string" || (tool !== undefined && !matchesName([tool], called))) return undefined;
    return input.arguments;
  }
  if (tool !== undefined) return undefined;
  return isObject(input.toolCall) ? input.toolCall.arguments : input.show;
}
