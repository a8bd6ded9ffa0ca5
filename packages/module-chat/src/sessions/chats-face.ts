import type { JsonObject, Principal } from "@oven/contract";
import type { ChatSession, ChatTargetKind, NewChatSession } from "@oven/contract/agent";
import { requirePermission } from "@oven/module-registry";
import type { TurnService } from "../turns/turn-service.ts";
import { type ChatSessionService, toSession } from "./chat-session-service.ts";

/** Chats, for modules whose pages talk to a workflow or an agent of theirs. */
export interface ChatsFace {
  /**
   * Begins a chat of the principal and says something in it.
   * @throws OvenError FORBIDDEN without `chats.use`, and what creating a chat and saying something throw
   */
  begin(
    principal: Principal,
    chat: Omit<NewChatSession, "parameters" | "modelSettings">,
    message: string,
  ): Promise<ChatSession>;
  /** The principal's chats with a workflow or an agent whose runs get this input, the newest first; at most a hundred. */
  about(principal: Principal, target: { kind: ChatTargetKind; id: number }, input: JsonObject): Promise<ChatSession[]>;
  /** What the chat with a workflow has cost before a run of it, in 10⁻⁶ USD; 0 for a run of no such chat. */
  costBefore(executionId: number): Promise<number>;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    chats: ChatsFace;
  }
}

export function createChatsFace(sessions: ChatSessionService, turns: TurnService): ChatsFace {
  return {
    begin: async (principal, chat, message) => {
      requirePermission(principal, "chats.use");
      const { id } = await sessions.create(principal, { ...chat, parameters: {}, modelSettings: {} });
      await turns.say(principal, await sessions.get(principal, id), message, null);
      return toSession(await sessions.get(principal, id));
    },
    about: (principal, target, input) => sessions.about(principal, target, input),
    costBefore: (executionId) => turns.costBefore(executionId),
  };
}
