import type { Json } from "@oven/contract";
import type { Address } from "@oven/workflow-editor/document";
import { createContext } from "react";

export interface FormContextValue {
  /** Writes a value at a place in the form's value; undefined takes it away. */
  write: (at: Address, value: Json | undefined) => void;
  /** A field was left: what was typed is one step of undo. */
  seal: () => void;
  /** What the server says about the value at this place. */
  problemAt: (at: Address) => string | null;
}

/** What every field of a form needs, so that fields themselves need no changing functions. */
export const FormContext = createContext<FormContextValue>({
  write: () => undefined,
  seal: () => undefined,
  problemAt: () => null,
});
