import { t } from "@oven/i18n";
import { findState, isContainer } from "@oven/scope";
import { useReactFlow } from "@xyflow/react";
import { type RefObject, useEffect, useRef } from "react";
import { copyStates, holdsStates, pasteStates } from "../document/operations/clipboard.ts";
import { deleteStates } from "../document/operations/delete-states.ts";
import type { Point } from "../layout/elk-layout.ts";
import type { CommandContext } from "./command-context.ts";
import type { EditorStore } from "./editor-store.ts";
import { drawnPositions, isPlaced, relativeTo } from "./gestures.ts";
import { selectedStates } from "./selected.ts";
import type { Projection } from "./use-projection.ts";

interface ClipboardNeeds {
  root: RefObject<HTMLElement | null>;
  store: EditorStore;
  projection: Projection;
  /** Where the pointer is in the window; null when it was never here. */
  pointer: RefObject<Point | null>;
  isTyping: (target: EventTarget | null) => boolean;
}

/** Copy, cut and paste by the browser's own events, which need no leave; and for menus, which do. */
export function useClipboard({
  root,
  store,
  projection,
  pointer,
  isTyping,
}: ClipboardNeeds): CommandContext["clipboard"] {
  const flow = useReactFlow();
  const current = useRef(projection);
  current.current = projection;

  const copied = (): string | null => {
    const ids = selectedStates({ store, drawn: current.current });
    return ids.length === 0 ? null : copyStates(store.document, ids, drawnPositions(current.current));
  };
  const say = (): void => {
    const count = selectedStates({ store, drawn: current.current }).length;
    store.say(count === 1 ? "Copied" : t("Copied {{states}} states", { states: count }));
  };
  const paste = (text: string): void => {
    const drawn = current.current;
    const [selected] = selectedStates({ store, drawn });
    const place = selected === undefined ? undefined : findState(store.document, selected);
    // Into a selected container, else beside what is selected.
    const container = place !== undefined && isContainer(place) ? place.id : (place?.parent?.id ?? null);
    const box = root.current?.querySelector(".oven-canvas")?.getBoundingClientRect();
    const over = pointer.current;
    const isOver =
      box !== undefined &&
      over !== null &&
      over.x > box.left &&
      over.x < box.right &&
      over.y > box.top &&
      over.y < box.bottom;
    const at =
      isPlaced(store.document) && isOver && container === null
        ? relativeTo(container, flow.screenToFlowPosition(over), drawn)
        : undefined;
    store.apply("Paste", pasteStates(store.document, text, { container, at }));
  };

  const handlers = useRef({ copied, say, paste, isTyping });
  handlers.current = { copied, say, paste, isTyping };
  useEffect(() => {
    const isOurs = (event: ClipboardEvent): boolean => {
      if (handlers.current.isTyping(event.target)) return false;
      const selection = window.getSelection();
      return selection === null || selection.isCollapsed || root.current?.contains(selection.anchorNode) === true;
    };
    const onCopy = (event: ClipboardEvent): void => {
      const text = isOurs(event) ? handlers.current.copied() : null;
      if (text === null) return;
      event.preventDefault();
      event.clipboardData?.setData("text/plain", text);
      if (event.type === "cut") {
        const ids = selectedStates({ store, drawn: current.current });
        store.apply(
          ids.length === 1 ? t("Cut {{state}}", { state: ids[0] }) : t("Cut {{states}} states", { states: ids.length }),
          deleteStates(store.document, ids),
        );
      } else handlers.current.say();
    };
    const onPaste = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!isOurs(event) || text === "") return;
      event.preventDefault();
      handlers.current.paste(text);
    };
    document.addEventListener("copy", onCopy);
    document.addEventListener("cut", onCopy);
    document.addEventListener("paste", onPaste);
    return () => {
      document.removeEventListener("copy", onCopy);
      document.removeEventListener("cut", onCopy);
      document.removeEventListener("paste", onPaste);
    };
  }, [store, root]);

  return {
    copy: async () => {
      const text = copied();
      if (text === null) return false;
      try {
        await navigator.clipboard.writeText(text);
      } catch (error) {
        store.refuse(
          t("The browser did not let the states be copied: {{reason}}", {
            reason: error instanceof Error ? error.message : String(error),
          }),
        );
        return false;
      }
      say();
      return true;
    },
    paste: async () => {
      try {
        const text = await navigator.clipboard.readText();
        if (holdsStates(text)) paste(text);
        else store.refuse("There are no states on the clipboard");
      } catch (error) {
        store.refuse(
          `The browser did not show the clipboard (${error instanceof Error ? error.message : String(error)}): press Ctrl V instead`,
        );
      }
    },
  };
}
