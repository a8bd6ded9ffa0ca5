import type { Json } from "@oven/contract";
import type { Address } from "@oven/scope";
import type { ReactElement } from "react";
import type { Field } from "../../inspector/shape.ts";

/** What the control of a field gets. */
export interface ValueControlProps {
  id: string;
  describedBy: string;
  field: Field;
  at: Address;
  value: Json | undefined;
  invalid: boolean;
}

/** What the view of a field gets: its label, its control, and what is wrong with it. */
export interface FieldViewProps {
  field: Field;
  at: Address;
  /** What stands beside the label, such as a button that takes an entry away. */
  extra?: ReactElement | undefined;
}
