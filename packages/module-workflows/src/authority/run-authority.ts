import { limitPrincipal, type Principal } from "@oven/contract";
import type { RunAgent } from "@oven/contract/node";
import type { ExecutionKind } from "@oven/contract/run";
import type { Queryable } from "@oven/db";
import type { NodeCall } from "@oven/engine";
import { namesOf, type RunKinds } from "../runtime/run-kinds.ts";
import { NO_ID } from "../runtime/warm-up.ts";
import type { CallMoment } from "./authorized-runner.ts";
import type { StarterRights } from "./starter-rights.ts";

/** What a version of a workflow, or of an agent, was granted when it was published. */
export interface Grant {
  /** As errors name it: `version 3 of Refund`. */
  side: string;
  permissions: readonly string[];
}

interface ParentRun {
  kind: ExecutionKind;
  workflowId: number;
  version: number;
  parentId: number | null;
}

/** What a run may do, as long as one worker has it. */
interface RunPrincipal {
  /** As the worker took the run up. */
  of: Principal;
  limited: Promise<Principal>;
}

const CACHE_SIZE = 10_000;
/** What its starter may do is read for a run that has waited longer than this to begin. */
const PROMPT_MS = 1_000;

/**
 * What a run may do: what the principal that started it may, what its version was granted, and no more than its parent.
 * The starter's permissions are in the run's row, the grants in the rows of the versions; neither ever changes. A run that goes on behind
 * a wait, or on another worker, is bounded by what its starter may do then, too; one that begins at once is not asked about.
 */
export class RunAuthority {
  readonly #db: Queryable;
  readonly #kinds: RunKinds;
  readonly #grants = new Map<string, Promise<Grant>>();
  readonly #parents = new Map<number, Promise<ParentRun>>();
  readonly #starters: StarterRights;
  readonly #principals = new Map<number, RunPrincipal>();
  #agentGrant: ((agent: RunAgent) => Promise<Grant>) | undefined;

  /** @param db a connection that sees all tenants: shared workflows belong to another tenant than their runs */
  constructor(db: Queryable, kinds: RunKinds, starters: StarterRights) {
    this.#db = db;
    this.#kinds = kinds;
    this.#starters = starters;
  }

  /** For the module that has agents: their settings name tools, so their versions have grants too. */
  readAgentGrantsWith(read: (agent: RunAgent) => Promise<Grant>): void {
    this.#agentGrant = read;
  }

  /** The principal that a call of a node acts as. */
  async principalOf(call: NodeCall, moment: CallMoment): Promise<Principal> {
    const { executionId } = call.node;
    // The run that a process warms up with has no workflow.
    if (executionId === NO_ID) return call.principal;
    const known = this.#principals.get(executionId);
    // Taken up again, a run has its principal from its row.
    if (known?.of === call.principal && moment === "run") return known.limited;
    if (this.#principals.size >= CACHE_SIZE) this.#principals.clear();
    const limited = this.#starterOf(call, moment).then((starter) => this.#limit({ ...call, principal: starter }));
    this.#principals.set(executionId, { of: call.principal, limited });
    // The caller sees the error; here it only makes room for the next attempt.
    limited.catch(() => this.#principals.delete(executionId));
    return limited;
  }

  async #starterOf(call: NodeCall, moment: CallMoment): Promise<Principal> {
    const { principal, isContinued, createdAt, parentExecutionId } = call;
    if (moment === "wait" || isContinued) return this.#starters.of(principal, "now");
    // A child begins with what is in its parent's row, however long that has waited; but then the parent was asked about a moment ago.
    const isPrompt = parentExecutionId === null && Date.now() - Date.parse(createdAt) < PROMPT_MS;
    return isPrompt ? principal : this.#starters.of(principal, "recent");
  }

  async #limit({ node, settings, workflowVersion, parentExecutionId, principal, agent }: NodeCall): Promise<Principal> {
    const own = await this.#grantOf(node.kind, settings.workflowId, workflowVersion);
    let limited = limitPrincipal(principal, own.side, own.permissions);
    for (let parentId = parentExecutionId; parentId !== null; ) {
      const parent = await this.#parentOf(parentId);
      const grant = await this.#grantOf(parent.kind, parent.workflowId, parent.version);
      limited = limitPrincipal(limited, grant.side, grant.permissions);
      parentId = parent.parentId;
    }
    const ofAgent = agent === null ? undefined : await this.#agentGrant?.(agent);
    return ofAgent === undefined ? limited : limitPrincipal(limited, ofAgent.side, ofAgent.permissions);
  }

  #grantOf(kind: ExecutionKind, workflowId: number, version: number): Promise<Grant> {
    return cached(this.#grants, `${kind}:${workflowId}@${version}`, async () => {
      const { workflows, versions, workflowId: column } = namesOf(this.#kinds.get(kind));
      const [row] = await this.#db.query<{ name: string; granted: string[] }>(
        `select w.name, v.granted from ${versions} v join ${workflows} w on w.id = v.${column}
         where v.${column} = $1 and v.version = $2`,
        [workflowId, version],
        `grant-${versions}`,
      );
      if (row === undefined) throw new Error(`version ${version} of ${kind} ${workflowId} is gone`);
      const side = version < 0 ? `the draft of ${row.name}` : `version ${version} of ${row.name}`;
      return { side, permissions: row.granted };
    });
  }

  #parentOf(executionId: number): Promise<ParentRun> {
    return cached(this.#parents, executionId, async () => {
      const kind = await this.#kinds.of(this.#db, executionId);
      const { executions, workflowId } = namesOf(kind);
      const [row] = await this.#db.query<{ workflow_id: number; workflow_version: number; parent_id: number | null }>(
        `select ${workflowId} as workflow_id, workflow_version, parent_id from ${executions} where id = $1`,
        [executionId],
        `authority-${executions}`,
      );
      if (row === undefined) throw new Error(`execution ${executionId} is gone`);
      const { workflow_id, workflow_version, parent_id } = row;
      return { kind: kind.kind.kind, workflowId: workflow_id, version: workflow_version, parentId: parent_id };
    });
  }
}

/** Reads once for all that ask; what failed is read again the next time. */
function cached<Key, Value>(cache: Map<Key, Promise<Value>>, key: Key, read: () => Promise<Value>): Promise<Value> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (cache.size >= CACHE_SIZE) cache.clear();
  const value = read();
  cache.set(key, value);
  // The caller sees the error; here it only makes room for the next attempt.
  value.catch(() => cache.delete(key));
  return value;
}
