import type { NewOutcome } from "../document/operations/add-outcome.ts";
import type { EditorStore } from "./editor-store.ts";
import type { Drawn } from "./gestures.ts";
import type { RunActions } from "./run-actions.ts";

/** What is asked of the person before something can be done. */
export type Question =
  | { ask: "add"; after: string | null; edge: string | null }
  | { ask: "connect"; from: string }
  | { ask: "rename"; id: string }
  | { ask: "outcome"; id: string; kind: NewOutcome }
  | { ask: "extract"; ids: readonly string[] }
  | { ask: "replace"; id: string }
  | { ask: "find" }
  | { ask: "commands" }
  | { ask: "keys" };

/** The view, as far as commands move it. */
export interface View {
  fit(): void;
  /** How large everything would be drawn if all of it were shown. */
  wholeZoom(): number;
  zoom(to: "in" | "out" | "whole"): void;
  /** The middle of what is shown, in canvas coordinates. */
  middle(): { x: number; y: number };
  /** Brings a state into view, and unless it says otherwise the focus to it. */
  show(id: string, options?: { focus?: boolean }): void;
}

export interface CommandContext {
  store: EditorStore;
  drawn: Drawn;
  view: View;
  ask: (question: Question) => void;
  clipboard: { copy: () => Promise<boolean>; paste: () => Promise<void> };
  /** Absent where workflows are only drawn. */
  runs: RunActions | null;
  /** Whether a workflow can be made of states here. */
  mayExtract: boolean;
  /** Selects a state and brings it into view, out of what hides it. */
  show: (id: string) => void;
  /** Opens the assistant, or closes it; null: it cannot be used here. */
  assistant: (() => void) | null;
  /** Saves now, instead of in a moment. */
  save: () => void;
}
