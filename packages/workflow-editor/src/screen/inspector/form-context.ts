import type { Json, Problem } from "@oven/contract";
import type { Address } from "@oven/scope";
import { type ComponentType, createContext } from "react";
import type { Field } from "../../inspector/shape.ts";
import type { After, Variable } from "../../inspector/variables.ts";
import type { FieldViewProps } from "./control-props.ts";
import type { Past } from "./use-past.ts";

export interface FormContextValue {
  /** Writes a value at a place in the form's value; undefined takes it away. */
  write: (at: Address, value: Json | undefined) => void;
  /** The same of a text that is being typed: the field shows it at once, the definition gets it when the keys rest. */
  type: (at: Address, value: Json | undefined) => void;
  /** What stands at a place, with what is being typed there. */
  typed: (at: Address) => Json | undefined;
  subscribe: (listener: () => void) => () => void;
  /** What stands at a place in the form's value. */
  read: (at: Address) => Json | undefined;
  /** A field was left: what was typed is one step of undo. */
  seal: () => void;
  /** What a field says while nothing is given: the value that holds then. */
  placeholderOf: (field: Field) => string | undefined;
  /** What the server says about the value at this place. */
  problemAt: (at: Address) => Problem | null;
  /** All of it: code may have several. */
  problemsAt: (at: Address) => readonly Problem[];
  /** What an expression here can read. */
  variables: () => readonly Variable[];
  /** The values that a path can have here; empty: any, or nothing is known. */
  choicesOf: (path: string) => readonly Json[];
  /** What a variable was in the run that previews are taken from. */
  lastValue: (variable: Variable) => Json | undefined;
  /** Values that the definition fixes: the run does not compute them. */
  fixed: boolean;
  /** What expressions are tried on; undefined: nothing has run yet. */
  past: Past | undefined;
  /** Where an expression stands. */
  place: { stateId: string | null; after: After | null };
  /** Shows a field. Fields are made of fields, so the controls of objects and lists get it from here. */
  FieldView: ComponentType<FieldViewProps>;
}

/** What every field of a form needs, so that fields themselves need no changing functions. */
export const FormContext = createContext<FormContextValue>({
  write: () => undefined,
  type: () => undefined,
  typed: () => undefined,
  subscribe: () => () => undefined,
  read: () => undefined,
  seal: () => undefined,
  placeholderOf: () => undefined,
  problemAt: () => null,
  problemsAt: () => [],
  variables: () => [],
  choicesOf: () => [],
  lastValue: () => undefined,
  fixed: false,
  past: undefined,
  place: { stateId: null, after: null },
  FieldView: () => null,
});
