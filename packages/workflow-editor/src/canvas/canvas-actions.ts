import { createContext } from "react";

/** What a card can ask for, beside what React Flow tells by itself. */
export interface CanvasActions {
  /** Folds a container into a card, or opens it. */
  toggle: (id: string) => void;
}

/** Null: cards can be asked for nothing. */
export const CanvasActionsContext = createContext<CanvasActions | null>(null);
