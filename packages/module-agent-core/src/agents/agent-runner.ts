import type { JsonObject, Principal } from "@oven/contract";
import type { GrantReport } from "@oven/contract/access";
import type { AgentSettings, AgentUses } from "@oven/contract/agent";
import type { RunAgent } from "@oven/contract/node";
import type { Review } from "@oven/contract/review";
import type { ExecutionSummary, RunEvent } from "@oven/contract/run";
import type { ModelSettings } from "@oven/contract/workflow";

export interface AgentRun {
  workflowId: number;
  input: JsonObject;
  agent: RunAgent;
  /** What models are asked with instead; absent: as the agent says. */
  modelSettings?: ModelSettings | undefined;
  /** The same run is started once. */
  idempotencyKey: string;
}

export interface FollowOptions {
  milliseconds: number;
  signal: AbortSignal;
  onEvents?: (events: readonly RunEvent[]) => Promise<void>;
}

/** Agent workflows, as agents need them; the module that has them brings it. */
export interface AgentRunner {
  /**
   * Publishes the workflow made from an agent's settings, where it is not that already, and answers its id; null makes a
   * new one.
   * @param owner the agent's tenant, and what the agent's version was granted, which bounds the grant of the workflow's
   * @throws OvenError INVALID_DEFINITION, POLICY_VIOLATED
   */
  publish(
    owner: Pick<Principal, "tenantId" | "permissions">,
    workflowId: number | null,
    workflow: { name: string; description: string; definition: JsonObject },
  ): Promise<number>;
  /** What a version of an agent with these settings is granted: what its runs need, as far as the principal may do that. */
  grant(principal: Principal, settings: AgentSettings): Promise<string[]>;
  /** What a version with these settings may do that was granted these permissions, what it lacks, and who could give it that. */
  grantReport(principal: Principal, settings: AgentSettings, granted: readonly string[]): Promise<GrantReport>;
  /** @throws OvenError NOT_FOUND */
  requireWorkflow(principal: Principal, workflowId: number): Promise<void>;
  /** What the workflow takes, when it takes nothing else; undefined: anything. @throws OvenError NOT_FOUND */
  inputKeys(principal: Principal, workflowId: number): Promise<readonly string[] | undefined>;
  /** Published workflows that name an agent in a step, as far as the principal may see them. */
  naming(principal: Principal, agent: { id: number; slug: string }): Promise<AgentUses["workflows"]>;
  /** The version of a workflow that is this definition; undefined: none is. @throws OvenError NOT_FOUND */
  versionOf(tenantId: number, workflowId: number, definition: JsonObject): Promise<number | undefined>;
  /** @throws OvenError WORKFLOW_IN_USE 409 */
  remove(tenantId: number, workflowId: number, force: boolean): Promise<void>;
  /** @throws OvenError as executing the workflow does */
  start(principal: Principal, run: AgentRun): Promise<number>;
  /** Waits for the end or a pause. @returns whether it came to that in time */
  follow(principal: Principal, executionId: number, options: FollowOptions): Promise<boolean>;
  /** @throws OvenError NOT_FOUND */
  summary(principal: Principal, executionId: number): Promise<{ run: ExecutionSummary; agent: RunAgent | null }>;
  /** Reviews that the run, or a run inside it, waits for. */
  pending(principal: Principal, executionId: number): Promise<Review[]>;
}
