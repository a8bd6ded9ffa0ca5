import { type RefObject, useEffect, useRef } from "react";
import { eventsOf, isOver } from "../../conversation/live-turns.ts";
import { type ToolStep, toToolSteps } from "../../conversation/tool-steps.ts";
import type { Chat } from "../../conversation/use-chat.ts";

const CHANGES = /(?:^|\.)(?:change_steps|update_agent_workflow)$/;

/** Whether a call has saved a draft. */
export function isChange({ tool, state }: Pick<ToolStep, "tool" | "state">): boolean {
  return state === "done" && CHANGES.test(tool);
}

/** How often a conversation may have changed the draft so far; null: that is not known yet. */
function toMark({ turns, live }: Chat["state"]): string | null {
  if (turns === undefined) return null;
  const changes = Object.values(live).flatMap((family) => toToolSteps(eventsOf(family)).filter(isChange));
  return `${changes.length} ${turns.filter(isOver).length}`;
}

export interface FollowingOptions {
  chat: Chat;
  /** Looks for a newer draft. */
  follow: () => Promise<void>;
  /** True while a newer draft may be the assistant's. */
  working: RefObject<boolean>;
  onFailure: (error: unknown) => void;
}

/** Looks for a newer draft after each change that the assistant made, and at the end of each of its turns. */
export function useFollowing(options: FollowingOptions): void {
  const { chat, working } = options;
  const mark = toMark(chat.state);
  const isGoing = chat.going !== undefined || chat.sending !== null;
  if (isGoing) working.current = true;
  const current = useRef({ ...options, isGoing });
  current.current = { ...options, isGoing };
  useEffect(() => {
    if (mark === null) return;
    current.current
      .follow()
      .catch((error: unknown) => current.current.onFailure(error))
      .finally(() => {
        current.current.working.current = current.current.isGoing;
      });
  }, [mark]);
}
