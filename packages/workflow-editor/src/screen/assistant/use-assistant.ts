import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { ASSISTANT_KEYS } from "../../editor/commands.ts";
import { matchesKeys } from "../../editor/keys.ts";
import { readOpening } from "./opening.ts";

const OPEN = "oven.assistant.open";
const SEEN = "oven.assistant.seen";
const chatKey = (workflowId: number): string => `oven.assistant.chat.${workflowId}`;

export interface Assistant {
  open: boolean;
  toggle: () => void;
  close: () => void;
  /** The conversation that is shown; null: a new one is begun. */
  chatId: number | null;
  show: (chatId: number | null) => void;
  /** What stands in the field of a new conversation at first. */
  question: string;
  panel: RefObject<HTMLElement | null>;
  /** Gives the focus back to what had it before the panel. */
  leave: () => void;
}

/** Whether the assistant's panel is open and with which conversation; this tab remembers both. Null: it cannot be used here. */
export function useAssistant(workflowId: number, enabled: boolean): Assistant | null {
  const { state, key } = useLocation();
  // A page that is loaded again still has what the page before asked for.
  const [opening] = useState(() => (sessionStorage.getItem(SEEN) === key ? null : readOpening(state)));
  useEffect(() => {
    sessionStorage.setItem(SEEN, key);
    if (opening !== null && "chatId" in opening) sessionStorage.setItem(chatKey(workflowId), String(opening.chatId));
  }, [key, opening, workflowId]);
  const narrow = useIsNarrow();
  const [wanted, setWanted] = useState(opening !== null || sessionStorage.getItem(OPEN) === "true");
  const [chatId, setChatId] = useState<number | null>(() => {
    if (opening !== null) return "chatId" in opening ? opening.chatId : null;
    const stored = Number(sessionStorage.getItem(chatKey(workflowId)));
    return Number.isInteger(stored) && stored > 0 ? stored : null;
  });
  // Asked for by the person, or by the page before: only then it takes the focus.
  const [asked, setAsked] = useState(opening !== null);
  const panel = useRef<HTMLElement>(null);
  const before = useRef<HTMLElement | null>(null);
  const open = enabled && wanted;

  const leave = useCallback(() => {
    const active = document.activeElement;
    if (before.current?.isConnected === true) before.current.focus({ preventScroll: true });
    else if (active instanceof HTMLElement && panel.current?.contains(active) === true) active.blur();
  }, []);
  const change = useCallback(
    (next: boolean) => {
      sessionStorage.setItem(OPEN, String(next));
      setWanted(next);
      if (!next) return leave();
      before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
      setAsked(true);
    },
    [leave],
  );
  const toggle = useCallback(() => change(!open), [change, open]);
  const close = useCallback(() => change(false), [change]);
  const show = useCallback(
    (next: number | null) => {
      if (next === null) sessionStorage.removeItem(chatKey(workflowId));
      else sessionStorage.setItem(chatKey(workflowId), String(next));
      setChatId(next);
      setAsked(true);
    },
    [workflowId],
  );
  useEffect(() => {
    void chatId;
    // On a phone it would bring up the keyboard over what is to be read.
    if (open && asked && !narrow) panel.current?.querySelector<HTMLElement>("textarea:not([aria-hidden])")?.focus();
  }, [open, asked, narrow, chatId]);
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !matchesKeys(event, ASSISTANT_KEYS)) return;
      const { target } = event;
      const isInDialog = target instanceof HTMLElement && target.closest("[role=dialog], dialog") !== null;
      if (isInDialog && !(target instanceof Node && panel.current?.contains(target) === true)) return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [enabled, toggle]);
  if (!enabled) return null;
  const question = opening !== null && "question" in opening ? opening.question : "";
  return { open, toggle, close, chatId, show, question, panel, leave };
}
