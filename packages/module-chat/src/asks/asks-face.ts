import type { Json, JsonObject, Principal } from "@oven/contract";
import type { CallerTool, ChatTarget, ChatTargetKind, SpokenMessage } from "@oven/contract/agent";
import type { ToolCall } from "@oven/contract/ai";
import type { McpPending } from "@oven/contract/mcp";
import type { TokenUsage } from "@oven/contract/node";
import type { ExecutionKind, ExecutionStatus, RunEvent } from "@oven/contract/run";

/** What is asked of an agent or workflow outside of any chat. */
export interface Question {
  /** The last one is the user's. */
  said: readonly SpokenMessage[];
  /** Values of the parameters that an agent exposes. Of a workflow they are part of its mapping. */
  parameters: JsonObject;
  /** Goes on with that conversation with the agent. */
  sessionId?: number | undefined;
  /** Tools that the caller runs by itself; only agents take them, and only those that allow it. */
  callerTools?: readonly CallerTool[] | undefined;
  /** The caller's: the same request again is the same run. */
  key: string | null;
  /** What starts a run of a workflow, as its row says. */
  from: string;
}

export interface AskedRun {
  kind: ExecutionKind;
  id: number;
}

/** A run that a client has a handle of, and what it is of. */
export interface KnownRun extends AskedRun {
  target: { kind: ChatTargetKind; id: number; slug: string };
  /** Of an agent's run: its conversation. */
  sessionId: number | null;
}

/** A run as it is now, for those who asked for it. */
export interface Outcome {
  status: ExecutionStatus;
  /** Of a completed run. */
  text: string | null;
  error: { code: string; message: string } | null;
  /** Reviews that it waits for. */
  pending: McpPending[];
  tokenUsage: TokenUsage;
}

/** What a tool of the caller's has answered. */
export interface CallResult {
  toolCallId: string;
  output: Json;
}

export interface FollowAsked {
  milliseconds: number;
  signal: AbortSignal;
  /** Each entry of the run's log, from its beginning. */
  onEvents?: (events: readonly RunEvent[]) => Promise<void>;
}

/** Questions to agents and workflows that are no messages of a chat: each is one run. */
export interface AsksFace {
  /** Whom the principal may ask, without those that cannot be asked as they are. */
  targets(principal: Principal): Promise<ChatTarget[]>;
  /**
   * @param input what else a workflow gets besides what is said
   * @throws OvenError NOT_FOUND, FORBIDDEN, WORKFLOW_DISABLED 409, AGENT_DISABLED 409, INVALID_INPUT where it cannot be asked as it is
   */
  target(principal: Principal, kind: ChatTargetKind, idOrSlug: string, input: JsonObject): Promise<ChatTarget>;
  /** Starts the run, once per key. @throws OvenError as starting runs of agents and workflows does */
  start(principal: Principal, target: ChatTarget, question: Question): Promise<AskedRun>;
  /**
   * A run by its handle, for those who started it, whose conversation it is part of, or who may read runs.
   * @throws OvenError NOT_FOUND, FORBIDDEN for who may not talk to what it is of
   */
  find(principal: Principal, executionId: number): Promise<KnownRun>;
  /** Until it has ended or waits. @returns whether it came to that in time */
  follow(principal: Principal, run: AskedRun, options: FollowAsked): Promise<boolean>;
  outcome(principal: Principal, run: AskedRun): Promise<Outcome>;
  /** The calls of the caller's tools that the run waits for. */
  asked(principal: Principal, run: AskedRun): Promise<ToolCall[]>;
  /**
   * Hands over what the caller's tools have answered, once; results of calls that are not waited for any more change nothing.
   * @throws OvenError NOT_FOUND for who has not started the run, INVALID_INPUT where a call of those that are waited for is left out
   */
  answerCalls(principal: Principal, run: AskedRun, results: readonly CallResult[]): Promise<void>;
  /** The step whose text is the answer, word for word; undefined: only the end of the run has it. */
  answeringStep(principal: Principal, run: AskedRun): Promise<string | undefined>;
  /**
   * What going on after a run takes: the conversation where the run is the newest of it, else what was said up to its answer.
   * @throws OvenError NOT_FOUND
   */
  after(principal: Principal, run: KnownRun): Promise<{ sessionId: number | undefined; said: SpokenMessage[] }>;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    asks: AsksFace;
  }
}
