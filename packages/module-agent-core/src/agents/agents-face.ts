import type { Principal } from "@oven/contract";
import type { Agent, AgentReply, AgentSettings, SpokenMessage } from "@oven/contract/agent";
import type { RunAgent } from "@oven/contract/node";
import type { PreparedRun, Rehearsal, Said, StandaloneRun } from "../invoke/invoke-service.ts";
import type { AgentTurn } from "../sessions/session-service.ts";
import type { AgentRunner } from "./agent-runner.ts";
import type { AgentService, SeedAgent } from "./agent-service.ts";

/** Agents for other modules. */
export interface AgentsFace {
  /** Once, by the module that has agent workflows. */
  useRunner(runner: AgentRunner): void;
  /** Makes an agent of the default tenant once; later starts leave it as people changed it. */
  seedAgent(agent: SeedAgent): Promise<void>;
  /** The first thousand by name, as far as the caller may see them. */
  list(principal: Principal): Promise<Agent[]>;
  /** @throws OvenError NOT_FOUND */
  get(principal: Principal, idOrSlug: string): Promise<Agent>;
  /** They check no permission. @throws OvenError as `AgentService` */
  rows: Pick<AgentService, "create" | "update" | "regrant" | "list" | "ownedBy">;
  /**
   * What a run outside of any conversation needs, of the current version or an earlier one.
   * @throws OvenError NOT_FOUND, AGENT_DISABLED, INVALID_INPUT
   */
  standalone(
    principal: Principal,
    idOrSlug: string,
    said: Omit<Said, "sessionId">,
    version?: number,
  ): Promise<StandaloneRun>;
  /**
   * What a turn of a test conversation with a workflow gets: the earlier turns, bounded as in any conversation, and the agent that is
   * spoken for, if one is named.
   * @throws OvenError NOT_FOUND, FORBIDDEN, INVALID_INPUT for an agent that does not run this workflow
   */
  rehearse(principal: Principal, turn: Rehearsal): Promise<{ agent: RunAgent | null; messages: SpokenMessage[] }>;
  /** Of a run's agent, in the run's version. @throws OvenError NOT_FOUND */
  settingsOf(agent: RunAgent): Promise<AgentSettings>;
  /** What the run's version of its agent was granted, and how errors name it. @throws OvenError NOT_FOUND */
  grantOf(agent: RunAgent): Promise<{ side: string; permissions: string[] }>;
  /**
   * What a run of the agent as another run's child needs; the same key answers the same.
   * @throws OvenError NOT_FOUND, AGENT_DISABLED, INVALID_INPUT
   */
  prepare(principal: Principal, idOrSlug: string, said: Said, key: string): Promise<PreparedRun>;
  /**
   * Starts a run of the agent as part of a conversation, once per key.
   * @throws OvenError NOT_FOUND, AGENT_DISABLED 409, INVALID_INPUT, IDEMPOTENCY_KEY_REUSED, and as executing its workflow
   */
  start(principal: Principal, idOrSlug: string, said: Said, key: string | null): Promise<number>;
  /** Begins a conversation of the principal's. @throws OvenError NOT_FOUND */
  beginSession(principal: Principal, agentId: number, title: string | null): Promise<number>;
  /** @throws OvenError NOT_FOUND, also for those of others */
  renameSession(principal: Principal, sessionId: number, title: string): Promise<void>;
  /** With all that was said; its runs stay. One that is gone already is no error. */
  deleteSession(principal: Principal, sessionId: number): Promise<void>;
  /** What was said and answered, by run in order. @throws OvenError NOT_FOUND, also for those of others */
  turnsOf(principal: Principal, sessionId: number): Promise<AgentTurn[]>;
  /** Asks once more what led to a run: the new one takes its place in the conversation. @throws OvenError NOT_FOUND, and as `start` */
  again(principal: Principal, executionId: number, how: Pick<Said, "parameters" | "modelSettings">): Promise<number>;
  /** The run as it is now; an answer becomes part of the conversation. @throws OvenError NOT_FOUND */
  reply(principal: Principal, executionId: number): Promise<AgentReply>;
  /** That child has ended; its answer becomes part of its conversation. @returns the answer, if it has completed */
  settle(principal: Principal, executionId: number, key: string): Promise<string | null>;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    agents: AgentsFace;
  }
}
