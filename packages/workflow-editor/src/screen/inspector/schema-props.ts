import type { Json, JsonObject } from "@oven/contract";

/** `done`: it is a step of its own, not one more letter. */
export type ChangeSchema = (schema: JsonObject, done: boolean) => void;

export interface SchemaPartProps {
  /** What it is called in labels. */
  name: string;
  schema: Json;
  onChange: ChangeSchema;
  /** The whole of a payload: fields, whose kind is not to be chosen. */
  rootOnly?: boolean;
  /** Its kind is chosen elsewhere. */
  kindShown?: boolean;
  /** Whether the order of fields can be chosen: not in what models are sent, where some take no annotation. */
  ordered: boolean;
}
